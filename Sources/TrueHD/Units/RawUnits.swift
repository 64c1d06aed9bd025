// SPDX-License-Identifier: Apache-2.0

/// Finds the units of a raw stream in bytes that come piece by piece.
///
/// Units lie end to end. Between them there may be frames of AC-3, the core of a disc's stream, and after damage anything: then the
/// next unit with a major sync is looked for, whose head and CRC must be right.
package struct RawUnits {
  /// A thing that a stream holds.
  package enum Item: Equatable, Sendable {
    /// A unit of `count` bytes, with the number of bytes before it that belong to nothing.
    case unit(count: Int, skipped: Int)
    /// The stream ends with bytes that are no unit.
    case rest(Int)
  }

  /// The answer to a question that may need bytes that haven't come.
  private enum Finding<Value> {
    case found(Value)
    case none
    case needsMore
  }

  /// Bytes that are done with before memory is moved.
  private static let leastRoom = 1 << 15

  private let checks = UnitChecks()
  private var buffer: [UInt8] = []
  /// First byte that wasn't handed over or passed.
  private var place = 0
  /// Bytes passed since the last unit that belong to nothing.
  private var skipped = 0
  /// Bytes of the frames of AC-3 that the stream begins with.
  private var leading = 0
  /// Place of the last unit.
  private var last = 0..<0
  /// Bytes that are no longer kept.
  private var dropped: Int64 = 0
  private var isEnded = false
  /// Whether a unit or a frame of AC-3 is expected at ``place``.
  private var isInStep = false
  /// Substreams of the last major sync; 0 before any.
  private var substreams = 0

  /// Number of the first byte of the last unit, from the first of the stream.
  package var offset: Int64 { dropped + Int64(last.lowerBound) }

  /// A stream of no bytes yet.
  package init() {}

  /// Takes the next bytes of the stream. The last unit's are gone then.
  package mutating func push(_ bytes: some Collection<UInt8>) {
    if place > RawUnits.leastRoom {
      buffer.removeFirst(place)
      dropped += Int64(place)
      place = 0
    }
    last = 0..<0
    buffer.append(contentsOf: bytes)
  }

  /// Says that no bytes follow.
  package mutating func finish() { isEnded = true }

  /// Hands over the bytes of the last unit.
  package func withUnit<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    try buffer.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[last])) }
  }

  /// The next unit, or what is left at the stream's end; `nil` where bytes have to come first, and after the end.
  package mutating func next() -> Item? {
    while place < buffer.count {
      guard isInStep else {
        guard seek() else { break }
        continue
      }
      switch unit(at: place) {
      case .found(let unit): return take(unit)
      case .needsMore: return nil
      case .none: break
      }
      switch core(at: place) {
      case .found(let size): place += size
      case .needsMore: return nil
      case .none:
        isInStep = false
        pass()
      }
    }
    guard isEnded, place == buffer.count, skipped > 0 else { return nil }
    defer { skipped = 0 }
    return .rest(skipped)
  }

  private mutating func pass() {
    place += 1
    skipped += 1
  }

  /// Moves on to the next unit with a major sync; answers whether there is one.
  private mutating func seek() -> Bool {
    guard substreams > 0 || skipped > leading || passLeadingFrames() else { return false }
    while place < buffer.count {
      switch start(at: place) {
      case .found:
        isInStep = true
        return true
      case .needsMore: return false
      case .none: pass()
      }
    }
    return false
  }

  /// Counts the frames of AC-3 that a stream begins with: they are no bytes that belong to nothing, if a unit follows them.
  /// Answers whether it can be told where they end.
  private mutating func passLeadingFrames() -> Bool {
    while !isEnded || place < buffer.count {
      guard place + CoreFrame.head <= buffer.count else { return isEnded }
      guard let size = bytes({ CoreFrame.length($0, at: place) }) else { return true }
      guard place + size <= buffer.count else { return isEnded }
      place += size
      skipped += size
      leading += size
    }
    return true
  }

  private mutating func take(_ unit: (size: Int, substreams: Int)) -> Item {
    let passed = substreams == 0 && skipped == leading ? 0 : skipped
    last = place..<place + unit.size
    (place, skipped) = (last.upperBound, 0)
    substreams = unit.substreams
    return .unit(count: unit.size, skipped: passed)
  }

  private func bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    buffer.withUnsafeBufferPointer(body)
  }

  /// The unit that begins at byte `start` behind another one.
  private func unit(at start: Int) -> Finding<(size: Int, substreams: Int)> {
    bytes { buffer in
      guard let size = AccessUnit.length(buffer, at: start), start + 8 <= buffer.count else {
        return isEnded ? .none : .needsMore
      }
      guard size >= AccessUnit.leastLength else { return .none }
      guard start + size <= buffer.count else { return isEnded ? .none : .needsMore }
      let unit = UnsafeBufferPointer(rebasing: buffer[start..<start + size])
      do throws(TrueHDError) {
        let parts = try AccessUnit(unit, substreams: substreams, checks)
        return .found((size, parts.count))
      } catch {
        // A stream of another form is handed over, so that the decoder can refuse it.
        if case .refused = error { return .found((size, substreams)) }
        return .none
      }
    }
  }

  /// Whether a unit with a right major sync begins at byte `start`.
  private func start(at start: Int) -> Finding<Bool> {
    let sign = bytes { buffer -> Finding<Bool> in
      guard start + 8 <= buffer.count else { return isEnded ? .none : .needsMore }
      let isSync = MajorSync.begins(UnsafeBufferPointer(rebasing: buffer[(start + 4)...]))
      return isSync ? .found(true) : .none
    }
    guard case .found = sign else { return sign }
    switch unit(at: start) {
    case .found: return .found(true)
    case .needsMore: return .needsMore
    case .none: return .none
    }
  }

  /// The frame of AC-3 at byte `start`, behind which a unit, another frame or the end must come.
  private func core(at start: Int) -> Finding<Int> {
    let found = bytes { CoreFrame.length($0, at: start) }
    guard let size = found else {
      let isShort = start + CoreFrame.head > buffer.count
      return isShort && !isEnded ? .needsMore : .none
    }
    let end = start + size
    guard end <= buffer.count else { return isEnded ? .none : .needsMore }
    if end == buffer.count { return isEnded ? .found(size) : .needsMore }
    if case .found = unit(at: end) { return .found(size) }
    if bytes({ CoreFrame.length($0, at: end) }) != nil { return .found(size) }
    return end + AccessUnit.mostLength > buffer.count && !isEnded ? .needsMore : .none
  }
}

extension RawUnits {
  /// Units in a row that tell a raw stream from a container that holds one.
  private static let least = 4

  /// Bytes of a file that tell whether it is a raw stream.
  package static let beginning = 1 << 16

  /// The format of the raw stream that begins with `beginning`, which should have ``RawUnits/beginning`` bytes: units in a row,
  /// perhaps behind something else, as of a stream that was cut. `nil` for anything else; containers may hold units in a row,
  /// too, so they have to be looked for first.
  package static func recognised(beginning: [UInt8]) -> MajorSync.Format? {
    var units = RawUnits()
    units.push(beginning)
    var inRow = 0
    var format: MajorSync.Format?
    func count(_ skipped: Int) {
      inRow = skipped == 0 ? inRow + 1 : 1
      format = format ?? units.withUnit { (try? TrueHDStream(firstUnit: $0))?.sync.format }
    }
    while case .unit(_, let skipped) = units.next() {
      count(skipped)
      if inRow >= least { return format }
    }
    // A stream of a few units ends where its bytes do.
    units.finish()
    while case .unit(_, let skipped) = units.next() { count(skipped) }
    return inRow > 0 && units.last.upperBound == beginning.count ? format : nil
  }
}

/// Frames of AC-3, which dumps of discs carry between the units of TrueHD.
enum CoreFrame {
  /// Bytes of a frame's head that tell its length.
  static let head = 6
  private static let kilobits = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ]

  /// Bytes of the frame that begins at byte `start`; `nil` where none does (ETSI TS 102 366, 4.4.1).
  static func length(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
    guard start + head <= bytes.count, bytes[start] == 0x0B, bytes[start + 1] == 0x77 else {
      return nil
    }
    let (rate, size) = (Int(bytes[start + 4]) >> 6, Int(bytes[start + 4]) & 63)
    guard rate < 3, size < 2 * kilobits.count, bytes[start + 5] >> 3 <= 10 else { return nil }
    let kilobit = kilobits[size / 2]
    switch rate {
    case 0: return 4 * kilobit
    case 1: return 2 * (kilobit * 96_000 / 44_100 + size % 2)
    default: return 6 * kilobit
    }
  }
}
