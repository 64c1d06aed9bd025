import AudioCore

/// Joins the syncframes of AC-3 or E-AC-3 to samples of MP4. Each holds the frames of all substreams for
/// 1536 samples of sound (ETSI TS 102 366, F.2 and F.5).
struct DolbyAccessUnits {
  /// An access unit, or a place where no whole frame lies.
  struct Unit: Equatable {
    /// Its frames; empty where it is damaged.
    let bytes: [UInt8]
    /// Samples per channel.
    let samples: Int
    /// Whether bytes lie there that are no frame with a right checksum.
    let isDamaged: Bool

    /// A damaged place, which may have been any number of units.
    static let damaged = Unit(bytes: [], samples: DolbyAccessUnits.samples, isDamaged: true)
  }

  /// Samples per channel of an access unit.
  static let samples = 1536
  /// More than the longest header.
  private static let longestHeader = 256

  private var bytes: [UInt8] = []
  /// Bytes that were taken or passed over.
  private var start = 0
  private var unit: [UInt8] = []
  private var held = 0
  /// Frames of the unit that was completed last.
  private(set) var frames: [DolbySyncframe] = []
  private var gathered: [DolbySyncframe] = []
  /// Frames taken so far.
  private(set) var count = 0
  /// Sample rate of the first frame in Hz; `nil` before it.
  private(set) var sampleRate: Int?

  /// Whether nothing has come that may belong to a frame.
  var isBlank: Bool { sampleRate == nil && start == bytes.count }

  /// Takes the next bytes of the stream and answers the units that are now complete. A unit is complete
  /// when the next one begins.
  mutating func push(_ more: [UInt8]) -> [Unit] {
    bytes += more
    defer {
      bytes.removeFirst(start)
      start = 0
    }
    return cut(isAtEnd: false)
  }

  /// The rest of the stream.
  mutating func finish() -> [Unit] {
    let done = cut(isAtEnd: true)
    return unit.isEmpty ? done : done + [finishUnit()]
  }

  /// Samples of the unit that would come next.
  var pendingSamples: Int { held }

  private mutating func cut(isAtEnd: Bool) -> [Unit] {
    var done: [Unit] = []
    var isLost = false
    while bytes.count - start >= (isAtEnd ? 1 : 8) {
      let frame = DolbySyncframe(Array(bytes[start...].prefix(DolbyAccessUnits.longestHeader)))
      if let frame, frame.size > bytes.count - start, !isAtEnd { break }
      guard let frame, frame.isIntact(bytes[start...]) else {
        if !isLost { done += breakUnit() }
        isLost = true
        skipToCandidate()
        continue
      }
      isLost = false
      if frame.role == .independent, frame.substream == 0 {
        if held >= DolbyAccessUnits.samples { done.append(finishUnit()) }
        held += frame.samples
      }
      count += 1
      sampleRate = sampleRate ?? frame.sampleRate
      gathered.append(frame)
      unit += bytes[start..<(start + frame.size)]
      start += frame.size
    }
    return done
  }

  /// Moves on to the next byte that may begin a frame.
  private mutating func skipToCandidate() {
    start += 1
    while start < bytes.count, bytes[start] != 0x0B { start += 1 }
  }

  /// The unit before a damaged place, and that place. The unit counts as damaged where it has fewer frames than
  /// the one before, since the others may have lain in that place.
  private mutating func breakUnit() -> [Unit] {
    guard !unit.isEmpty else { return [.damaged] }
    guard gathered.count >= frames.count else {
      _ = takeUnit()
      return [.damaged]
    }
    return [finishUnit(), .damaged]
  }

  private mutating func finishUnit() -> Unit {
    frames = gathered
    let samples = min(held, DolbyAccessUnits.samples)
    return Unit(bytes: takeUnit(), samples: samples, isDamaged: false)
  }

  private mutating func takeUnit() -> [UInt8] {
    defer {
      unit = []
      held = 0
      gathered = []
    }
    return unit
  }
}
