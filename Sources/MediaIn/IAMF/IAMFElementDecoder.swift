// SPDX-License-Identifier: Apache-2.0
import AudioCore
import IAMF
import LibAV

/// Decodes an element of a mix: its substreams, then its channels or sound field, with the gains of the mix.
final class IAMFElementDecoder {
  /// Part of the scene that it makes.
  let part: IAMFScene.Part
  /// Substreams that it needs.
  let substreams: [Int]
  /// Frames that hold fewer samples than their unit; silence fills them.
  private(set) var shortFrames = 0

  private let element: PlayableElement
  private let reconstructor: ElementReconstructor
  private let decoders: [SubstreamDecoder]
  private let plain: PlainSamples?
  private let decoded: AudioBuffer
  private let pieces: [AudioBuffer]
  private let made: AudioBuffer
  private var gains: [GainTrack]
  private let line = AudioBuffer(channels: 1)

  /// A decoder of an element.
  /// - Parameters:
  ///   - form: what is made of a bed; `nil` for its highest layer.
  ///   - mode: what headphones get of its channels.
  ///   - gains: those of the element and of the sum, which multiply.
  ///   - sampleRate: that of the mix.
  ///   - isOnly: whether the mix has no other element.
  /// - Throws: ``LibAVError`` where libavcodec lacks the codec.
  init(
    _ element: PlayableElement, form: ElementForm?, mode: RenderingConfig.HeadphonesMode,
    gains: [PlayableMix.Gain],
    sampleRate: Int, isOnly: Bool
  ) throws {
    self.element = element
    reconstructor = ElementReconstructor(element, form: form)
    part = IAMFScene.part(
      reconstructor.output, isBinaural: element.isBinaural, mode, isOnly: isOnly)
    self.gains = gains.map { GainTrack($0, sampleRate: sampleRate) }
    plain = PlainSamples(element)
    // Upper layers that aren't made aren't decoded either.
    var (needed, count) = (0, 0)
    while count < reconstructor.decodedCount, needed < element.substreamChannels.count {
      count += element.substreamChannels[needed]
      needed += 1
    }
    let channels = Array(element.substreamChannels.prefix(needed))
    substreams = Array(element.element.substreamIDs.prefix(needed))
    decoders = try plain == nil ? channels.map { try element.codec.decoder(channels: $0) } : []
    pieces = channels.map { AudioBuffer(channels: $0) }
    decoded = AudioBuffer(channels: max(1, element.decodedCount))
    made = AudioBuffer(channels: max(1, reconstructor.channelCount))
  }

  /// Decodes the substreams of a unit. A frame that can't be decoded is silent.
  /// - Parameter wanted: samples of the unit; `nil` where only the decoder knows.
  /// - Returns: samples of the unit, `nil` where nothing tells, and why a frame can't be decoded.
  /// - Throws: ``LibAVError`` when memory is out.
  func decode(
    _ unit: TemporalUnit, samples wanted: Int?
  ) throws -> (samples: Int?, failure: LibAVError?) {
    decoded.removeAll()
    if let plain {
      if let wanted { plain.read(unit, count: wanted, into: decoded) }
      return (wanted, nil)
    }
    var failure: LibAVError?
    for (index, id) in substreams.enumerated() {
      pieces[index].removeAll()
      guard let frame = unit.frame(of: id), !frame.bytes.isEmpty else { continue }
      do {
        try decoders[index].decode(Array(unit.bytes[frame.bytes]), into: pieces[index])
      } catch let error as LibAVError where error.meaning != .outOfMemory {
        failure = failure ?? error
      }
    }
    let longest = pieces.map(\.frames).max() ?? 0
    return (wanted ?? (longest > 0 ? longest : nil), failure)
  }

  /// Makes the element of the last unit, `count` samples long, and writes those of `range` to the planes of `block`
  /// from `plane` on, at `place`.
  func write(
    _ unit: TemporalUnit, count: Int, _ range: Range<Int>, to audio: AudioBuffer, plane: Int,
    at place: Int
  ) {
    if plain == nil { gather(count) }
    if decoded.frames < count { decoded.appendSilence(count - decoded.frames) }
    made.removeAll()
    reconstructor.reconstruct(decoded, unit, into: made)
    for index in gains.indices { apply(&gains[index], unit, count) }
    // A unit without samples makes nothing.
    guard made.frames >= range.upperBound else { return }
    for (index, channel) in part.channels.enumerated() {
      guard let source = made.channel(channel).baseAddress,
        let target = audio.channel(plane + index).baseAddress
      else { continue }
      (target + place).update(from: source + range.lowerBound, count: range.count)
    }
  }

  /// Puts the channels of all substreams side by side; what is short ends in silence, what is longer is cut.
  private func gather(_ count: Int) {
    decoded.appendSilence(count)
    var plane = 0
    for piece in pieces {
      if piece.frames > 0, piece.frames < count { shortFrames += 1 }
      for channel in 0..<piece.channels {
        if let source = piece.channel(channel).baseAddress,
          let target = decoded.channel(plane).baseAddress
        {
          target.update(from: source, count: min(count, piece.frames))
        }
        plane += 1
      }
    }
  }

  private func apply(_ gain: inout GainTrack, _ unit: TemporalUnit, _ count: Int) {
    line.removeAll()
    line.grow(by: count)
    gain.write(unit, to: line.channel(0))
    guard let factors = line.channel(0).baseAddress else { return }
    for channel in 0..<made.channels {
      guard let samples = made.channel(channel).baseAddress else { continue }
      for index in 0..<min(count, made.frames) { samples[index] *= factors[index] }
    }
  }
}

extension PlayableElement {
  /// Whether its channels are signals for the ears.
  fileprivate var isBinaural: Bool {
    guard case .channels(let layers) = element.content else { return false }
    return layers.first?.layout == .binaural
  }
}

extension CodecConfig {
  fileprivate func decoder(channels: Int) throws -> SubstreamDecoder {
    let rate = sampleRate ?? 0
    switch decoder {
    case .opus(let config):
      return try SubstreamDecoder(
        codec: "opus", header: config.identificationHeader(channels: channels),
        channels: channels, sampleRate: rate)
    case .aac(let config):
      return try SubstreamDecoder(
        codec: "aac", header: config.specificConfig(channels: channels), channels: channels,
        sampleRate: rate)
    case .flac(let config):
      return try SubstreamDecoder(
        codec: "flac", header: config.streamInfo(channels: channels), channels: channels,
        sampleRate: rate)
    case .lpcm, .unknown: throw LibAVError.noDecoder
    }
  }
}
