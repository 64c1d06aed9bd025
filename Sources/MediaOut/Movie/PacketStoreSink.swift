import AudioCore
import LibAV

/// Encodes sound into a ``PacketStore``.
package final class PacketStoreSink: AudioSink {
  private let encoder: FrameEncoder
  private let store: PacketStore

  /// A sink that keeps the packets of `encoder` in `store`.
  package init(_ encoder: FrameEncoder, _ store: PacketStore) {
    self.encoder = encoder
    self.store = store
  }

  /// Samples that had to be clamped to full scale; 0 for lossy encodings.
  package var clippedSamples: Int64 { encoder.clippedSamples }

  /// The samples of the last block as every reader gets them; `nil` for a lossy encoding.
  package var stored: AudioBuffer? { encoder.stored }

  /// Encodes all of `buffer`.
  /// - Throws: ``MediaError`` or ``LibAVError`` when it can't be encoded or stored.
  package func write(_ buffer: AudioBuffer) throws {
    for packet in try encoder.encode(buffer) { try store.append(packet) }
  }

  /// Encodes the rest.
  /// - Throws: as ``write(_:)``.
  package func close() throws {
    for packet in try encoder.finish() { try store.append(packet) }
  }
}
