import AudioCore

/// Joins the syncframes of AC-3 or E-AC-3 to samples of MP4. Each holds the frames of all substreams for
/// 1536 samples of sound (ETSI TS 102 366, F.2 and F.5).
struct DolbyAccessUnits {
  /// Samples per channel of an access unit.
  static let samples = 1536

  private var bytes: [UInt8] = []
  private var unit: [UInt8] = []
  private var held = 0
  /// Frames of the unit that was completed last.
  private(set) var frames: [DolbySyncframe] = []
  private var gathered: [DolbySyncframe] = []

  /// Takes the next bytes of the stream and answers the units that are now complete. A unit is complete
  /// when the next one begins.
  /// - Throws: ``MediaError`` of kind `damaged` when no syncframe begins where one must.
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
