/// Reads the samples of a track in MP4, each of which is a temporal unit.
package struct SampleUnitReader {
  private var assembler: UnitAssembler

  /// A reader of samples that `description`, of their configuration box, describes.
  /// - Parameter keepsBytes: whether units keep ``TemporalUnit/stored``.
  package init(_ description: SequenceDescription, keepsBytes: Bool = false) {
    assembler = UnitAssembler(description, keepsBytes: keepsBytes)
  }

  /// What was met so far.
  package var findings: UnitFindings { assembler.findings }

  /// The temporal unit in the bytes of a sample; `nil` where it has no frame.
  package mutating func unit(_ sample: [UInt8]) -> TemporalUnit? {
    sample.withUnsafeBufferPointer { bytes in
      var bits = BitReader(bytes)
      while bits.remaining > 0 {
        let rest = bits.remaining / 8
        do throws(IAMFError) {
          let obu = try OBU(&bits)
          assembler.add(obu, bytes, position: Int64(obu.offset))
        } catch {
          assembler.lose(Int64(rest))
          break
        }
      }
    }
    return assembler.take()
  }
}
