// SPDX-License-Identifier: Apache-2.0
import AudioCore
import IAMF
import LibAV

/// Encodes the substreams of an IAMF sequence, each with an encoder of its own.
///
/// All get the same samples' worth of input, so frame k of each covers the same stretch of time.
final class IAMFSubstreams {
  /// The codec as the sequence describes it.
  let codec: CodecConfig
  /// Samples that the encoders put in front.
  let delay: Int
  /// The samples of the last block as every reader gets them, one plane for each coded channel; `nil` for a
  /// lossy codec.
  let stored: AudioBuffer?

  private let encoders: [FrameEncoder]
  private let pieces: [AudioBuffer]
  /// Frames that wait for those of the other substreams.
  private var waiting: [[[UInt8]]]

  /// Opens the encoders.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` when one can't take its format.
  init(_ settings: IAMFSettings) throws {
    let channels = settings.substreams
    let total = max(1, channels.reduce(0, +))
    let options = try IAMFSubstreams.options(settings)
    encoders = try channels.map { count in
      var coding = settings.sound.coding
      coding.bitRate = coding.bitRate.map { $0 * count / total }
      coding.encoderOptions = options
      return try FrameEncoder(
        coding,
        format: AudioFormat(
          sampleRate: settings.sampleRate, layout: count == 2 ? .stereo : .mono))
    }
    guard let first = encoders.first else {
      throw MediaError(.internal, "IAMF: a sequence without substreams")
    }
    delay = first.encoder.initialPadding
    codec = try IAMFSubstreams.codec(first, settings)
    pieces = channels.map { AudioBuffer(channels: $0) }
    waiting = Array(repeating: [], count: channels.count)
    stored = settings.codec.isLossless ? AudioBuffer(channels: total) : nil
  }

  var frameSize: Int { codec.samplesPerFrame }

  /// Samples that had to be clamped to full scale.
  var clippedSamples: Int64 { encoders.reduce(0) { $0 + $1.clippedSamples } }

  /// Encodes samples of all coded channels, in the order of the substreams.
  /// - Throws: ``LibAVError`` when an encoder refuses.
  func encode(_ coded: AudioBuffer) throws {
    stored?.removeAll()
    stored?.grow(by: coded.frames)
    var plane = 0
    for (index, encoder) in encoders.enumerated() {
      let piece = pieces[index]
      piece.removeAll()
      piece.grow(by: coded.frames)
      for channel in 0..<piece.channels {
        _ = piece.channel(channel).update(fromContentsOf: coded.channel(plane + channel))
      }
      waiting[index] += try encoder.encode(piece).map(\.data)
      if let own = encoder.stored, let stored {
        for channel in 0..<piece.channels {
          _ = stored.channel(plane + channel).update(fromContentsOf: own.channel(channel))
        }
      }
      plane += piece.channels
    }
  }

  /// Encodes what the encoders hold back.
  /// - Throws: as ``encode(_:)``.
  func finish() throws {
    for (index, encoder) in encoders.enumerated() {
      waiting[index] += try encoder.finish().map(\.data)
    }
  }

  /// The next frame of every substream; `nil` until all have one.
  func next() -> [[UInt8]]? {
    guard waiting.allSatisfy({ !$0.isEmpty }) else { return nil }
    return waiting.indices.map { waiting[$0].removeFirst() }
  }

  /// Options of the encoders. IAMF 1.1 demands that FLAC codes channels independently, so sums and differences are off.
  private static func options(_ settings: IAMFSettings) throws -> [String: String] {
    let options = settings.sound.coding.encoderOptions
    guard settings.codec == .flac else { return options }
    let own = (name: "ch_mode", value: "indep")
    if let wanted = options[own.name], wanted != own.value {
      throw MediaError(
        .usage,
        "\(setting: .encoderOptions) \(own.name): FLAC in IAMF codes its channels independently; leave it out"
      )
    }
    return options.merging([own.name: own.value]) { $1 }
  }

  private static func codec(
    _ frames: FrameEncoder, _ settings: IAMFSettings
  ) throws -> CodecConfig {
    do throws(IAMFError) {
      switch settings.codec {
      case .opus:
        return try CodecConfig(
          opusPreSkip: frames.encoder.initialPadding, samplesPerFrame: frames.frameSize)
      case .flac:
        return try CodecConfig(
          flacStreamInfo: frames.encoder.extradata, samplesPerFrame: frames.frameSize)
      case .pcm:
        return try CodecConfig(
          lpcmBits: settings.sound.coding.bits, sampleRate: settings.sampleRate,
          samplesPerFrame: frames.frameSize)
      default:
        throw IAMFError.unsupported("\(settings.codec.rawValue); choose opus, flac or pcm")
      }
    } catch {
      throw MediaError(.unsupportedFeature, "IAMF can't be written with \(error.reason)")
    }
  }
}
