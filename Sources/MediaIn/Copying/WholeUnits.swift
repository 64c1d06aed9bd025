import AudioCore

/// The whole frames of a track that is copied. Damage is judged as it is in a decode: what is damaged before the first whole
/// frame or behind the last one is left out and reported, and damage between two of them is an error, because a copy
/// can't repair it.
struct WholeUnits {
  private let source: any AccessUnitSource
  private let path: String
  /// Whether a damaged frame is an error wherever it lies, as it is for the decoders of AC-4 and IAMF.
  private let refusesAll: Bool
  private var damage: DamageLedger
  private var end: Int64?
  /// Frames before the first whole one.
  private(set) var skipped = 0

  /// What users can do about damage.
  static var remedy: String {
    "a copy can't repair it, render it with another \(setting: .codec) and \(setting: .damage) conceal"
  }

  /// The frames of `source`, which `choice` made.
  init(_ source: any AccessUnitSource, _ choice: CopyChoice, log: DiagnosticLog) {
    self.source = source
    path = choice.media.file.path
    refusesAll = choice.stream.codecTraits.hasOwnDecoder
    damage = DamageLedger(policy: .fail, path: path, log: log, remedy: WholeUnits.remedy)
  }

  /// The next whole frame; `nil` behind the last.
  /// - Throws: ``MediaError`` of kind `damaged`, and as the source does.
  mutating func next() throws -> AccessUnit? {
    while let unit = try source.next() {
      guard unit.isDamaged else {
        try damage.good()
        noteJump(to: unit)
        return unit
      }
      try note(unit)
    }
    // A second of lost sound, as in a decode, is the end of a file that was cut.
    if damage.hasGoodFrame || skipped > 0 { try damage.close(longestEnd: source.timescale) }
    return nil
  }

  private mutating func note(_ unit: AccessUnit) throws {
    let time = "\(MediaTime(ticks: unit.time, rate: source.timescale))"
    guard !refusesAll else {
      throw MediaError(
        .damaged, about: path, "the frame at \(time) is damaged; \(WholeUnits.remedy)")
    }
    if !damage.hasGoodFrame { skipped += 1 }
    damage.note(
      "it holds no whole frame with a right checksum", packet: nil, time: time, samples: 0,
      span: Int(clamping: unit.duration), position: nil)
  }

  /// Reports a jump of more than 20 ms, which is shorter than a frame of AC-3: the copy has it, too.
  private mutating func noteJump(to unit: AccessUnit) {
    defer { end = unit.time + unit.duration }
    guard let end, (unit.time - end).magnitude > source.timescale / 50 else { return }
    let jump = MediaTime.rescale(unit.time - end, by: 1000, over: source.timescale)
    damage.noteJump(
      "timestamps jump by \(jump) ms at \(MediaTime(ticks: end, rate: source.timescale)); the copy keeps the jump"
    )
  }
}
