import AudioCore
import IAMF
import LibAV

/// One element on its way into substreams: its layers, what readers make of them, and the gains that repair the
/// levels of a lossy codec.
final class IAMFElementEncoder {
  private let element: IAMFSettings.Element
  private let splitter: LayerSplitter
  private let reconstructor: ElementReconstructor
  private let repair: IAMFRepair?
  /// Its first coded channel among those of the sequence.
  private let offset: Int
  private let source: AudioBuffer
  private let coded: AudioBuffer
  private let made: AudioBuffer

  /// The elements of a sequence.
  /// - Parameter delay: samples that the encoders put in front.
  /// - Throws: ``MediaError`` when a decoder for recon gains is missing.
  static func all(
    _ settings: IAMFSettings, _ sequence: WrittenSequence, delay: Int
  ) throws -> [IAMFElementEncoder] {
    var (plane, substream) = (0, 0)
    return try settings.elements.enumerated().map { index, element in
      guard let playable = sequence.playable(index) else {
        throw MediaError(.internal, "IAMF: element \(index + 1) can't be played")
      }
      let own = element.written.substreamChannels
      defer { (plane, substream) = (plane + own.reduce(0, +), substream + own.count) }
      return try IAMFElementEncoder(
        element, playable, offset: plane,
        repair: IAMFRepair(
          element.written, playable, substreams: substream..<substream + own.count, delay: delay))
    }
  }

  private init(
    _ element: IAMFSettings.Element, _ playable: PlayableElement, offset: Int, repair: IAMFRepair?
  ) {
    self.element = element
    self.offset = offset
    self.repair = repair
    splitter = LayerSplitter(element.written)
    reconstructor = ElementReconstructor(playable)
    source = AudioBuffer(channels: element.planes.count)
    coded = AudioBuffer(channels: splitter.codedCount)
    made = AudioBuffer(channels: element.planes.count)
  }

  /// Writes the coded channels of `buffer` to their place in `all`, which is as long.
  func split(_ buffer: AudioBuffer, into all: AudioBuffer) {
    element.gather(buffer, into: source)
    repair?.add(source)
    coded.removeAll()
    splitter.split(source, into: coded)
    for channel in 0..<coded.channels {
      _ = all.channel(offset + channel).update(fromContentsOf: coded.channel(channel))
    }
  }

  /// Writes what readers make of the coded channels `all` to the element's planes of `result`, which is as long.
  func predict(_ all: AudioBuffer, into result: AudioBuffer) {
    coded.removeAll()
    coded.grow(by: all.frames)
    for channel in 0..<coded.channels {
      _ = coded.channel(channel).update(fromContentsOf: all.channel(offset + channel))
    }
    made.removeAll()
    reconstructor.reconstruct(coded, TemporalUnit(), into: made)
    for (channel, plane) in element.planes.enumerated() {
      _ = result.channel(plane).update(fromContentsOf: made.channel(channel))
    }
  }

  /// The recon gains of the next unit, by layer; `nil` where the element needs none.
  /// - Parameters:
  ///   - frames: those of all substreams of the sequence.
  ///   - count: samples of the unit.
  /// - Throws: ``LibAVError`` when a frame can't be decoded.
  func reconGains(
    _ frames: [[UInt8]], count: Int
  ) throws -> [ParameterBlock.LayerGains?]? {
    try repair?.gains(frames, count: count)
  }
}
