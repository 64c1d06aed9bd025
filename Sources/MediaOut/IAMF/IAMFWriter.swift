import AudioCore
import IAMF
import Platform

/// Writes an IAMF sequence as a file of its own: descriptors, then temporal units with delimiters (IAMF 1.1, 5).
package final class IAMFWriter: AudioSink {
  private let encoder: IAMFEncoder
  private let sink: DescriptorSink

  /// Starts a file on `descriptor`, which stays the caller's; `name` appears in messages. What it held before is
  /// overwritten from the front, and any rest is cut off.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` for what can't be written, or as writing does.
  package init(descriptor: Int32, name: String, settings: IAMFSettings) throws {
    encoder = try IAMFEncoder(settings, hasDelimiters: true)
    sink = DescriptorSink(descriptor: descriptor, name: name)
    try sink.write(encoder.sequence.descriptors)
  }

  /// Samples that had to be clamped to full scale; 0 for Opus, which clamps nothing.
  package var clippedSamples: Int64 { encoder.clippedSamples }

  /// The samples of the last block as every reader gets them; `nil` for Opus.
  package var stored: AudioBuffer? { encoder.stored }

  /// Start-up samples of the encoder, which the units trim.
  package var initialPadding: Int { encoder.delay }

  /// Encodes all of `buffer`, which has a plane for each channel of the elements.
  /// - Throws: ``MediaError`` when it can't be stored.
  package func write(_ buffer: AudioBuffer) throws {
    for unit in try encoder.encode(buffer) { try sink.write(unit.bytes) }
  }

  /// Encodes the rest and completes the file.
  /// - Throws: as ``write(_:)``.
  package func close() throws {
    for unit in try encoder.finish() { try sink.write(unit.bytes) }
    try sink.finish()
  }
}
