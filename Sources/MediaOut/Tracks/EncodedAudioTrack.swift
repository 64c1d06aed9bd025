// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV

/// Encodes one track of sound: its facts before the first sample, then its packets.
package final class EncodedAudioTrack: PushedTrack {
  private let codecTraits: EncodingTraits
  private let frames: FrameEncoder
  package let facts: OutputTrackFacts

  /// Opens the encoder.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` when the encoder can't take the format.
  package init(_ settings: SoundSettings) throws {
    let coding = settings.coding
    codecTraits = coding.codec.traits
    frames = try FrameEncoder(coding, format: settings.format)
    let encoder = frames.encoder
    let sound = TrackCoding.EncodedSound(
      codec: coding.codec, configuration: encoder.extradata, format: settings.format,
      bits: coding.bits,
      bitRate: encoder.bitRate, isBinaural: settings.isBinaural)
    let dolby = try DolbyTrack(settings)
    var facts = OutputTrackFacts(
      .sound, dolby?.coding ?? .encoded(sound), timescale: settings.format.sampleRate,
      priming: Int64(encoder.initialPadding), length: settings.frames,
      startOffset: settings.startOffset)
    facts.mostSamples = Int(
      (facts.priming + facts.length + Int64(frames.frameSize) - 1) / Int64(frames.frameSize))
    facts.frame = frames.frameSize
    facts.statesPriming = !coding.isForMediaSource
    facts.roles = settings.roles.union(settings.isDefault ? .main : [])
    facts.language = settings.language
    facts.name = settings.title
    facts.maker = settings.texts.trackMaker
    facts.rollDistance = codecTraits.rollDistance(frame: frames.frameSize)
    facts.loudness = LoudnessBox(
      settings.texts.loudness, album: settings.texts.albumLoudness)
    self.facts = facts
  }

  package var clippedSamples: Int64 { frames.clippedSamples }

  package var stored: AudioBuffer? { frames.stored }

  package var codec: String { codecTraits.mimeName }

  package func encode(_ buffer: AudioBuffer) throws -> [MediaSample] {
    samples(try frames.encode(buffer))
  }

  package func finish() throws -> [MediaSample] { samples(try frames.finish()) }

  /// `packets` of an encoder with the same settings as samples of the track.
  func samples(_ packets: [EncodedPacket]) -> [MediaSample] {
    packets.map { packet in
      // The last packet of an encoder may state less than it decodes to.
      MediaSample(
        data: packet.data, decodeTime: packet.time + Int64(frames.encoder.initialPadding),
        duration: Int64(packet.duration > 0 ? packet.duration : frames.frameSize))
    }
  }
}
