// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV

/// A packet in mid-track behind which decoding gives the same bits as from the beginning, and whose first
/// sample is known exactly.
///
/// A second reader of the file looks for it, so that the first one can go on from the beginning where
/// anything doesn't fit.
struct TrackEntry {
  /// The packets from there on.
  let packets: TrackPackets
  /// A fresh decoder.
  let decoder: FrameDecoder
  /// Samples of the track before it.
  let sample: Int64

  /// Decoding up to ten seconds costs less than looking for the entry.
  private static let leastSeconds: Int64 = 10

  /// Finds the last packet that is known to begin at sample `target` or before; `nil` where there is none, or it is
  /// too near to the beginning to gain anything.
  /// - Parameters:
  ///   - file: the track's file.
  ///   - clock: the track's times.
  ///   - first: samples that the first packet was decoded to.
  ///   - target: samples of the track before the wanted one.
  init?(_ file: TrackFile, _ clock: TrackClock, first: Int64, before target: Int64) {
    guard let rule = PacketPlaces(file, clock, first: first),
      target >= TrackEntry.leastSeconds * Int64(clock.sampleRate),
      let media = try? MediaFile(file: file.media.file, options: file.options),
      let container = media.container, media.format == file.media.format,
      media.streams.indices.contains(file.stream.index),
      media.streams[file.stream.index].codec == file.stream.codec,
      let packets = try? TrackPackets(
        file.stream, of: media, isSizeUnknown: file.check.isSizeUnknown),
      let start = PacketPlaces.place(of: packets),
      rule.seek(container, from: start, to: target),
      let found = PacketPlaces.place(of: packets),
      let sample = rule.samples(from: start, to: found),
      sample > first, sample <= target, rule.isOneRun(before: sample),
      let decoder = try? FrameDecoder(file.stream, of: media, file.options)
    else { return nil }
    packets.begin()
    (self.packets, self.decoder, self.sample) = (packets, decoder, sample)
  }
}

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

/// The origin of a track's block.
enum BlockOrigin: Equatable {
  /// The first frame of one intact packet.
  case packet
  /// Damage or loss: silence, or a frame that the decoder repaired.
  case loss
  /// Sound of another format, which was converted.
  case other
}
