import AudioCore
import LibAV

/// libavcodec's decoder of one track and the frame it decoded last.
final class FrameDecoder {
  /// The frame that was decoded last.
  let frame: Frame
  /// Whether the last packet has been handed over.
  private(set) var isDraining = false

  private let decoder: DecoderContext

  /// Opens the decoder of `stream`.
  /// - Throws: ``MediaError`` of kind `unsupportedCodec` when there is none, of kind `unsupportedFeature` or `damaged` for
  ///   a header that it refuses, of kind `outOfResources` when memory is out.
  init(_ stream: StreamInfo, of media: MediaFile, _ options: InputOptions) throws {
    // A failure quotes libav's log.
    LibAVLog.forgetThread()
    do {
      (decoder, frame) = try OpenFailure.again {
        let decoder = try media.opened().makeDecoder(
          stream: stream.index,
          options: options.dynamicRange.decoderOptions.merging(stream.decoderOptions) { own, _ in
            own
          },
          verifiesChecksums: stream.codecTraits.areChecksumsComparable,
          leastPacket: stream.codecTraits.leastPacket)
        return (decoder, try Frame())
      }
    } catch let error as LibAVError {
      throw OpenFailure(decoder: stream.codec, of: media.file, error, log: OpenFailure.log).error
    }
  }

  /// Decodes the next frame; `false` when another packet is needed, or nothing is left.
  /// - Throws: ``LibAVError`` for a packet that can't be decoded.
  func receive() throws -> Bool { try decoder.receive(into: frame) }

  /// Hands a packet over.
  /// - Throws: ``LibAVError`` for a packet that can't be decoded.
  func send(_ packet: Packet) throws { try decoder.send(packet) }

  /// Starts draining the decoder: no packet follows.
  /// - Throws: ``LibAVError`` as above.
  func drain() throws {
    isDraining = true
    try decoder.send(nil)
  }
}
