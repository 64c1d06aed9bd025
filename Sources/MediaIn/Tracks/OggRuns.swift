import Platform

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

    /// Samples of all packets.
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
