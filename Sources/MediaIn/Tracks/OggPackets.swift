// SPDX-License-Identifier: Apache-2.0
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

/// Puts together the packets of one stream in Ogg, in runs up to each position that a page states.
struct OggRuns {
  /// Packets up to the end of a page that states a position.
  struct Run {
    /// The packets with sound, and the samples that each is decoded to.
    fileprivate(set) var packets: [(data: [UInt8], samples: Int)] = []
    /// Position at the end of the last one; `nil` where no page states it.
    fileprivate(set) var end: Int64?
    /// Whether pages are missing before it.
    fileprivate(set) var isAfterLoss = false
    /// Whether the page is marked as the stream's last.
    fileprivate(set) var isMarkedLast = false

    var samples: Int64 { packets.reduce(0) { $0 + Int64($1.samples) } }
    /// Position of the first sample by that of the end.
    var start: Int64? { end.map { $0 - samples } }
  }

  /// Bytes of the largest packet, and after which a run ends without a position; more is damage.
  private static let largest = 1 << 24
  /// Packets after which a run ends without a position.
  private static let most = 4096

  /// Whatever the pages state after the last run, which complete no packet with sound; `nil` for none.
  private(set) var tail: (end: Int64, isMarkedLast: Bool)?

  private var pages: OggPages
  private let serial: UInt32
  private var lengths: OggPacketLengths
  /// Number that the next page has.
  private var due: UInt32?
  /// The packet that goes on in the next page; `nil` where none does, or its beginning is missing.
  private var open: [UInt8]?
  private var hasSound = false
  private var isEnded = false
  private var run = Run()
  /// Bytes of its packets.
  private var size = 0
  /// The state before the run's first packet, where a page may be missing inside that.
  private var doubt: OggPacketLengths?

  /// The runs of stream `serial` of `file`, which begins with `head`.
  init(_ file: LocalFile, serial: UInt32, _ head: OggHead) {
    pages = OggPages(file, step: 1 << 18)
    self.serial = serial
    lengths = OggPacketLengths(head)
  }

  /// The next run; `nil` at the end. By the packets before it, it begins at position `line`.
  mutating func next(at line: Int64?) -> Run? {
    (run, doubt, tail) = (Run(), nil, nil)
    size = 0
    while !isEnded, run.end == nil, run.packets.count < OggRuns.most, size < OggRuns.largest {
      guard let page = pages.next() else {
        isEnded = true
        break
      }
      guard page.serial == serial else { continue }
      // A stream that begins anew after its sound is the next link of a chain.
      isEnded = page.isFirst && hasSound
      if !isEnded { add(page) }
    }
    guard !run.packets.isEmpty else { return nil }
    if let line, run.start != line { settleDoubt() }
    return run
  }

  private mutating func add(_ page: OggPage) {
    let isMissing = due.map { $0 != page.sequence } ?? false
    due = page.sequence &+ 1
    if isMissing { run.isAfterLoss = true }
    if !page.isContinued { open = nil }
    if isMissing, open != nil {
      if run.packets.isEmpty { doubt = lengths } else { open = nil }
    }
    // The rest of a packet without its beginning is left out.
    var isRest = page.isContinued && open == nil
    var place = page.payload.startIndex
    var end = place
    for size in page.segments {
      end += Int(size)
      guard size < 255 else { continue }
      if !isRest { complete((open ?? []) + page.payload[place..<end]) }
      (open, isRest, place) = (nil, false, end)
    }
    if place < end, !isRest {
      var goesOn = open ?? []
      // Held once only, so that nothing is copied for each page.
      open = nil
      goesOn += page.payload[place..<end]
      if goesOn.count <= OggRuns.largest { open = goesOn }
    }
    note(page)
  }

  private mutating func complete(_ packet: [UInt8]) {
    // Some writers end a stream with a packet of no bytes.
    guard !packet.isEmpty, let samples = lengths.samples(packet) else { return }
    run.packets.append((packet, samples))
    size += packet.count
    hasSound = true
  }

  /// Takes over the position that a page states.
  private mutating func note(_ page: OggPage) {
    guard let position = page.position else { return }
    if run.packets.isEmpty {
      if hasSound { tail = (position, page.isLast) }
    } else {
      (run.end, run.isMarkedLast) = (position, page.isLast)
    }
  }

  /// Leaves out a packet that was put together over a missing number: a page was lost there.
  private mutating func settleDoubt() {
    guard let before = doubt, run.packets.count > 1 else { return }
    lengths = before
    let rest = run.packets.dropFirst()
    run.packets = []
    for packet in rest { complete(packet.data) }
  }
}
