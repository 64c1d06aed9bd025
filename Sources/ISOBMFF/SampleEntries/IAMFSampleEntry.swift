/// The sample entry of an IAMF track: `iamf` with `iacb` (IAMF 1.1, 6.2). Channel count and rate are 0, because the
/// descriptors state them.
package struct IAMFSampleEntry: WritableBox, Equatable {
  private let entry: AudioSampleEntry

  /// An entry for a sequence.
  /// - Parameters:
  ///   - descriptors: its descriptor units, one behind the other.
  ///   - boxes: whole boxes to follow.
  package init(descriptors: [UInt8], boxes: [UInt8] = []) {
    var builder = BoxBuilder()
    builder.box("iacb") { box in
      // configurationVersion
      box.u8(1)
      box.append(IAMFSampleEntry.leb128(descriptors.count))
      box.append(descriptors)
    }
    entry = AudioSampleEntry(
      format: "iamf", channels: 0, sampleRate: 0, boxes: builder.bytes + boxes)
  }

  /// Appends the whole entry.
  package func append(to builder: inout BoxBuilder) { entry.append(to: &builder) }

  /// A number in groups of seven bits, the lowest first; all but the last have the top bit set.
  private static func leb128(_ number: Int) -> [UInt8] {
    var (rest, bytes): (Int, [UInt8]) = (number, [])
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
