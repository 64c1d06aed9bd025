/// The sample entry of an IAMF track: `iamf` with `iacb` (Immersive Audio Model and Formats 1.1, 6). Channel count and
/// rate are 0, because the descriptors state them.
package struct IAMFSampleEntry: WritableBox, Equatable {
  private let entry: AudioSampleEntry

  /// An entry for a sequence.
  /// - Parameters:
  ///   - configuration: the content of `iacb`.
  ///   - boxes: whole boxes to follow.
  package init(configuration: [UInt8], boxes: [UInt8] = []) {
    var builder = BoxBuilder()
    builder.box("iacb") { $0.append(configuration) }
    entry = AudioSampleEntry(
      format: "iamf", channels: 0, sampleRate: 0, boxes: builder.bytes + boxes)
  }

  /// Appends the whole entry.
  package func append(to builder: inout BoxBuilder) { entry.append(to: &builder) }
}
