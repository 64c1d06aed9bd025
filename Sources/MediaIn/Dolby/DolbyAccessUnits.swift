import AudioCore

/// Puts the syncframes of AC-3 or E-AC-3 together to samples of MP4: all frames of all substreams
/// that make up 1536 samples (ETSI TS 102 366, F.2 and F.5).
struct DolbyAccessUnits {
  /// Samples per channel of an access unit.
  static let samples = 1536

  private var bytes: [UInt8] = []
  private var unit: [UInt8] = []
  private var held = 0
  /// Frames of the unit that was completed last.
  private(set) var frames: [DolbySyncframe] = []
  private var gathered: [DolbySyncframe] = []

  /// Takes bytes that follow those before and answers the units that are complete now. A unit is
  /// complete when the next one begins.
  /// - Throws: ``MediaError`` of kind `damaged` where no syncframe stands.
  mutating func push(_ more: [UInt8]) throws -> [[UInt8]] {
    bytes += more
    var done: [[UInt8]] = []
    while bytes.count >= 8 {
      guard let frame = DolbySyncframe(bytes) else {
        throw MediaError(.damaged, "no syncframe where one must begin")
      }
      guard bytes.count >= frame.size else { break }
      if frame.role == .independent, frame.substream == 0 {
        if held >= DolbyAccessUnits.samples { done += [finishUnit()] }
        held += frame.samples
      }
      gathered.append(frame)
      unit += bytes[..<frame.size]
      bytes.removeFirst(frame.size)
    }
    return done
  }

  /// The last unit; `nil` when nothing is left.
  /// - Throws: ``MediaError`` of kind `damaged` when bytes are left that make up no whole frame.
  mutating func finish() throws -> [UInt8]? {
    guard bytes.isEmpty else { throw MediaError(.damaged, "the last syncframe is cut") }
    return unit.isEmpty ? nil : finishUnit()
  }

  /// Samples of the unit that would come from ``finish()``.
  var pendingSamples: Int { held }

  private mutating func finishUnit() -> [UInt8] {
    defer {
      unit = []
      held = 0
      gathered = []
    }
    frames = gathered
    return unit
  }
}
