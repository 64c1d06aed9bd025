// SPDX-License-Identifier: Apache-2.0

/// Reads the temporal units of a raw file (`.iamf`, `.obu`).
///
/// A sequence header that isn't a copy begins a new sequence: decoders begin anew then, while time goes on.
package struct RawSequenceReader {
  private var units: RawOBUReader
  private var assembler: UnitAssembler
  /// The unit of the bitstream that ended the last temporal unit.
  private var pending: RawOBUReader.Unit?
  private var isFinished = false
  /// Number of the sequence, counted from 0.
  package private(set) var sequence = 0
  /// The bytes of the descriptors of the first sequence.
  package let descriptors: [UInt8]
  /// Whether units keep ``TemporalUnit/stored``.
  private let keepsBytes: Bool

  /// A reader of `size` bytes; `fetch(offset, count)` returns fewer bytes only where reading fails.
  /// - Parameter keepsBytes: whether units keep ``TemporalUnit/stored``.
  /// - Throws: ``IAMFError`` where nothing can be played, and where a descriptor leaves the file.
  package init(
    size: Int64, keepsBytes: Bool = false, fetch: @escaping (Int64, Int) -> [UInt8]
  ) throws(IAMFError) {
    units = RawOBUReader(size: size, fetch: fetch)
    self.keepsBytes = keepsBytes
    guard let first = try units.next() else { throw .malformed("an empty file") }
    let found = try RawSequenceReader.description(first, &units)
    descriptors = found.bytes
    assembler = UnitAssembler(found.description, keepsBytes: keepsBytes)
  }

  /// Whether `bytes` begin with a sequence header.
  package static func isSequence(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first, OBU.kind(Int(first >> 3)) == .sequenceHeader else {
      return false
    }
    let code = try? bytes.reading { bits throws(IAMFError) in
      try bits.skip(8)
      _ = try bits.leb128()
      // A header extension stands in front of the code.
      if first & 1 == 1 { _ = try bits.sizedBytes() }
      return try bits.bytes(SequenceHeader.code.count)
    }
    return code == SequenceHeader.code
  }

  /// Contents of the sequence that the last temporal unit belongs to.
  package var description: SequenceDescription { assembler.description }
  /// Findings so far, in all sequences.
  package var findings: UnitFindings { assembler.findings }

  /// The next temporal unit; `nil` at the end. A unit that can't be read ends the last sequence.
  /// - Throws: ``IAMFError`` where reading fails, a later sequence can't be played or has another rate.
  package mutating func next() throws(IAMFError) -> TemporalUnit? {
    while let obu = try nextOBU() {
      let ends = obu.bytes.withUnsafeBufferPointer { assembler.ends(before: obu.obu, $0) }
      if ends, let unit = assembler.take() {
        pending = obu
        return unit
      }
      if obu.obu.kind == .sequenceHeader, !obu.obu.isRedundant {
        try begin(obu)
      } else {
        obu.bytes.withUnsafeBufferPointer {
          assembler.add(obu.obu, $0, position: obu.position)
        }
      }
    }
    return assembler.take()
  }

  /// The next unit of the bitstream; `nil` at the end and where nothing more can be read.
  private mutating func nextOBU() throws(IAMFError) -> RawOBUReader.Unit? {
    if let unit = pending {
      pending = nil
      return unit
    }
    guard !isFinished else { return nil }
    do throws(IAMFError) {
      return try units.next()
    } catch {
      if error == .unreadable { throw error }
      isFinished = true
      assembler.lose(units.bytesLeft)
      return nil
    }
  }

  private mutating func begin(_ header: RawOBUReader.Unit) throws(IAMFError) {
    let next = try RawSequenceReader.description(header, &units).description
    let (old, new) = (description.playableMixes[0], next.playableMixes[0])
    guard old.sampleRate == new.sampleRate else {
      throw .unsupported(
        "a sample rate that changes from \(old.sampleRate) to \(new.sampleRate) Hz")
    }
    sequence += 1
    assembler = UnitAssembler(
      next, sequence: sequence, findings: assembler.findings, keepsBytes: keepsBytes)
  }

  /// Reads the descriptors that follow `first`, up to the first unit with data or of another sequence.
  private static func description(
    _ first: RawOBUReader.Unit, _ units: inout RawOBUReader
  ) throws(IAMFError) -> (description: SequenceDescription, bytes: [UInt8]) {
    var bytes = first.bytes
    var set = try first.bytes.withUnsafeBufferPointer { (bytes) throws(IAMFError) in
      try DescriptorSet(first.obu, bytes)
    }
    reading: while let kind = try units.nextKind() {
      switch kind {
      case .codecConfig, .audioElement, .mixPresentation, .reserved: break
      case .sequenceHeader, .parameterBlock, .temporalDelimiter, .audioFrame: break reading
      }
      guard let next = try units.next() else { break }
      bytes += next.bytes
      try next.bytes.withUnsafeBufferPointer { (bytes) throws(IAMFError) in
        try set.add(next.obu, bytes)
      }
    }
    return (try SequenceDescription(set), bytes)
  }
}

/// Reads the samples of a track in MP4, each of which is a temporal unit.
package struct SampleUnitReader {
  private var assembler: UnitAssembler

  /// A reader of samples that `description`, of their configuration box, describes.
  /// - Parameter keepsBytes: whether units keep ``TemporalUnit/stored``.
  package init(_ description: SequenceDescription, keepsBytes: Bool = false) {
    assembler = UnitAssembler(description, keepsBytes: keepsBytes)
  }

  /// Findings so far.
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

/// The configuration of a track in MP4: the content of an `iacb` box (IAConfigurationBox).
package struct ConfigurationBox: Equatable, Sendable {
  /// `configurationVersion` that is known.
  static let knownVersion = 1

  /// The bytes of the descriptors.
  package var configOBUs: [UInt8]
  /// Position of the first of them in the content of the box.
  package var offset: Int

  /// The configuration in the content of the box, without size and type. Bytes behind it are ignored.
  /// - Throws: ``IAMFError`` for another version and where the descriptors leave the box.
  package init(_ content: [UInt8]) throws(IAMFError) {
    (configOBUs, offset) = try content.reading { bits throws(IAMFError) in
      let version = try bits.read(8)
      guard version == ConfigurationBox.knownVersion else {
        throw .unsupported("configurationVersion \(version)")
      }
      let size = try bits.leb128()
      let offset = bits.position / 8
      return (try bits.bytes(size), offset)
    }
  }
}

extension ConfigurationBox {
  /// A configuration with the bytes of descriptors.
  package init(configOBUs: [UInt8]) {
    self.configOBUs = configOBUs
    // Behind the version and the size.
    offset = 1 + [UInt8].written { $0.leb128(configOBUs.count) }.count
  }

  /// The content of the box, without size and type.
  package var content: [UInt8] {
    .written { bits in
      bits.write(ConfigurationBox.knownVersion, 8)
      bits.sized(configOBUs)
    }
  }
}
