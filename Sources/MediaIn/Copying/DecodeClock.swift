import AudioCore
import LibAV

/// Times of a video stream's packets.
///
/// Matroska stores when a picture is shown, but not when it is decoded. Decoding times are then the
/// presentation times in ascending order, assigned `delay` packets later; the first `delay` packets get
/// times before the first one, a picture's duration apart.
struct DecodeClock {
  private let delay: Int
  private var isStored: Bool?
  private var waiting: [Int64] = []
  private var count = 0
  private var first: Int64 = 0
  private var step: Int64 = 1
  private var last: Int64?

  // H.264 and H.265 reorder at most 16 pictures (size of the decoded picture buffer).
  init(stream: StreamInfo) { delay = min(16, max(0, stream.picture?.reorderDelay ?? 0)) }

  /// Times of the next packet in ticks; decoding times ascend, and none is behind its presentation.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` when the packets have no such times.
  mutating func times(of packet: Packet) throws -> (decode: Int64, shown: Int64) {
    guard let shown = packet.presentationTime, shown.magnitude < 1 << 56 else {
      throw MediaError(.unsupportedFeature, "its pictures have no times")
    }
    let stored = packet.decodeTime
    if isStored == nil { isStored = stored != nil }
    let decode = isStored == true ? stored : derive(shown, packet.duration)
    guard let decode, decode.magnitude < 1 << 56, last.map({ decode > $0 }) ?? true,
      shown >= decode
    else { throw MediaError(.unsupportedFeature, "the times of its pictures don't ascend") }
    last = decode
    return (decode, shown)
  }

  private mutating func derive(_ shown: Int64, _ duration: Int64) -> Int64 {
    if count == 0 {
      first = shown
      step = max(1, duration)
    }
    let place = waiting.firstIndex { $0 > shown } ?? waiting.count
    waiting.insert(shown, at: place)
    defer { count += 1 }
    guard count >= delay else { return first - Int64(delay - count) * step }
    return waiting.removeFirst()
  }
}
