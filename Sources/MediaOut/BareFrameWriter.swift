// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Platform

/// Writes the frames of an encoder one after the other, without a container: AC-3 and E-AC-3, as receivers get them over S/PDIF and HDMI.
///
/// Such a file can't state where its sound begins and ends: readers get the encoder's start-up samples before it unless they know the
/// codec's, and the rest of the last frame after it.
package final class BareFrameWriter: AudioSink {
  private let name: String
  private let coding: String
  private let frames: FrameEncoder
  private let file: BufferedDescriptor
  private let length: Int64
  /// Frames so far.
  private var count: Int64 = 0

  /// Starts a file on `descriptor`, which stays the caller's; `name` appears in messages. Former content is overwritten from the
  /// front, and any rest is cut off.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` when the codec can't take the format, or as writing does.
  package init(descriptor: Int32, name: String, settings: SoundSettings) throws {
    self.name = name
    coding = settings.coding.codec.rawValue
    length = settings.frames
    frames = try FrameEncoder(settings.coding, format: settings.format)
    file = BufferedDescriptor(descriptor: descriptor)
  }

  /// Start-up samples before the first one of the sound.
  package var initialPadding: Int { frames.encoder.initialPadding }

  /// Samples of silence after the last one, once the file is complete.
  package var padding: Int64 {
    count * Int64(frames.frameSize) - Int64(initialPadding) - length
  }

  /// Always 0: a lossy encoding clips nothing.
  package var clippedSamples: Int64 { frames.clippedSamples }

  /// Always `nil`: readers get other samples than were given.
  package var stored: AudioBuffer? { nil }

  /// Encodes all of `buffer`.
  /// - Throws: ``MediaError`` when it can't be stored.
  package func write(_ buffer: AudioBuffer) throws {
    try put(try FrameEncoder.naming(name, coding) { try frames.encode(buffer) })
  }

  /// Encodes the rest.
  /// - Throws: as ``write(_:)``.
  package func close() throws {
    try put(try FrameEncoder.naming(name, coding) { try frames.finish() })
    guard file.finish() else { throw OutputFailure.error(file.failure, name) }
  }

  private func put(_ packets: [EncodedPacket]) throws {
    for packet in packets { try file.put(packet.data, to: name) }
    count += Int64(packets.count)
  }
}
