import Platform

/// The packets of one stream of sound in Ogg with their positions, which the pages around them agree on.
///
/// libavformat counts times back from the position of a page, also where that states what is to be left out at the
/// end, and its versions differ in what they make of missing pages. A page tells which of its packets were completed,
/// which libavformat's packets don't show.
struct OggPackets {
  /// A packet.
  struct Coded {
    /// Its bytes.
    let data: [UInt8]
    /// Samples that it is decoded to.
    let samples: Int
    /// The place of its first sample, on a timeline that begins with 0 after the samples that the header or the decoder's delay
    /// leave out; `nil` where no page states it.
    let position: Int64?
  }

  /// Samples of all packets from the first one on after which everything is padding; `nil` as long as that isn't known.
  private(set) var limit: Int64?

  /// Samples by which the decoder is late.
  var delay: Int64 { head.decoderDelay }

  private var runs: OggRuns
  private let head: OggHead
  /// The last position of the stream.
  private let streamEnd: Int64?
  private var next: OggRuns.Run?
  private var isBegun = false
  /// Packets of the current run that are still to be given, the next one last.
  private var left: [Coded] = []
  /// Position at which the next run begins by the packets before it.
  private var line: Int64?
  /// Samples of the packets before the current run.
  private var passed: Int64 = 0

  /// The packets of `stream`.
  init(_ stream: OggStream, in file: LocalFile) {
    runs = OggRuns(file, serial: stream.serial, stream.head)
    (head, streamEnd) = (stream.head, stream.end)
  }

  /// The next packet; `nil` at the end.
  mutating func read() -> Coded? {
    if left.isEmpty { place() }
    return left.popLast()
  }

  /// Places the packets of the next run.
  private mutating func place() {
    if !isBegun {
      next = runs.next(at: nil)
      isBegun = true
    }
    guard let run = next else { return }
    next = runs.next(at: run.end ?? line.map { $0 + run.samples })
    let tail = next == nil ? runs.tail : nil
    let isMarked = run.isMarkedLast || tail?.isMarkedLast == true
    let begin = begin(of: run, isMarkedLast: isMarked)
    settleEnd(of: run, at: begin, tail?.end)
    // A position that the next pages take back stays with the packet that shows it.
    let first = next == nil ? begin : run.start ?? begin
    var place = begin
    left = run.packets.map { packet in
      defer { place = place.map { $0 + Int64(packet.samples) } }
      let position = place == begin ? first : place
      return Coded(
        data: packet.data, samples: packet.samples,
        position: position.map { $0 - head.preSkip - delay })
    }.reversed()
    line = begin.map { $0 + run.samples }
    passed += run.samples
  }

  /// Position at which `run` begins. Its page states that of its end, but the last page may leave out samples at its end, and
  /// the first one samples at its beginning (Vorbis I, A.2).
  private func begin(of run: OggRuns.Run, isMarkedLast: Bool) -> Int64? {
    guard let start = run.start else { return line }
    guard let line else {
      // A page that is both leaves out samples at its end, and so does one of Opus, whose header states the beginning
      // (RFC 7845, 4.5).
      let isOnlyEnd = next == nil && (isMarkedLast || head.mapping == .opus)
      return isOnlyEnd ? max(0, start) : start
    }
    guard next != nil else { return run.isAfterLoss ? max(line, start) : line }
    return line + lasting(start - line, of: run, from: line)
  }

  /// The part of a deviation at the beginning of `run` that the next page confirms.
  private func lasting(_ deviation: Int64, of run: OggRuns.Run, from line: Int64) -> Int64 {
    guard deviation != 0, !run.isAfterLoss, let next, !next.isAfterLoss, let start = next.start
    else { return deviation }
    let later = start - line - run.samples
    if (later > 0) != (deviation > 0) { return 0 }
    // The last page may state less than its packets hold, so that it confirms no overlap.
    if next.isMarkedLast || next.end == streamEnd {
      guard deviation > 0 else { return 0 }
      return deviation - later < next.samples ? deviation : later
    }
    return deviation > 0 ? min(deviation, later) : max(deviation, later)
  }

  /// Notes where the sound ends, once the last page is in sight: it may end before the last run begins.
  private mutating func settleEnd(of run: OggRuns.Run, at begin: Int64?, _ tail: Int64?) {
    guard limit == nil, let begin else { return }
    let isNear = next == nil || next?.end == streamEnd
    guard isNear, let stated = next == nil ? tail ?? run.end : next?.end, stated >= begin else {
      return
    }
    let end = stated + delay
    if end < begin + run.samples { limit = passed + end - begin }
  }
}
