/// An Apple Lossless track's sample entry: `alac` around a box of the same name (Apple Lossless
/// Format "Magic Cookie" Description).
package struct ALACSampleEntry: WritableBox, Equatable {
  private let entry: AudioSampleEntry

  /// An entry for a stream.
  /// - Parameters:
  ///   - cookie: ALACSpecificConfig of 24 bytes, or the 36-byte box around it.
  ///   - boxes: whole boxes to follow, e.g. a ``ChannelLayoutBox``.
  /// - Throws: ``BoxError`` for another length or a rate of 0.
  package init(cookie: [UInt8], boxes: [UInt8] = []) throws {
    let isBoxed = cookie.count == 36 && cookie[4..<8].elementsEqual("alac".utf8)
    guard isBoxed || cookie.count == 24 else {
      throw BoxError("alac", "magic cookie of \(cookie.count) bytes instead of 24 or 36")
    }
    let configuration = Array(cookie.suffix(24))
    let sampleRate = Int(configuration.bigEndian32(at: 20))
    guard sampleRate > 0 else { throw BoxError("alac", "magic cookie without a sample rate") }
    var builder = BoxBuilder()
    builder.fullBox("alac") { $0.append(configuration) }
    entry = AudioSampleEntry(
      format: "alac", channels: Int(configuration[9]), bitsPerSample: Int(configuration[5]),
      sampleRate: sampleRate, boxes: builder.bytes + boxes)
  }

  /// Appends the whole entry.
  package func append(to builder: inout BoxBuilder) { entry.append(to: &builder) }
}
