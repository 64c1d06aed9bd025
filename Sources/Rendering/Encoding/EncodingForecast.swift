// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import MediaOut

/// The changes that a lossy encoding will make to loudness and peaks of an output, as short spans of it show, spread evenly. An output
/// whose gain and ceiling allow for it needs to be encoded only once.
struct EncodingForecast {
  /// Seconds of an output below which encoding it twice costs nothing that matters.
  private static let least = 20.0
  /// Seconds of an output for each span, and spans at least: about 3 % of ten minutes, and 9 % of one.
  private static let distance = 20.0
  private static let fewest = 8
  private static let length = 0.5
  /// Packets of lead for a codec whose packets can't be replaced.
  private static let usualLead = 12

  /// LU by which the encoding moves the loudness; 0 where that can't be foreseen.
  let drift: Double
  /// dB by which it lifts more peaks above the ceiling than can be lowered in single packets.
  let excess: Double

  /// The forecast for `output` as `settings` state; peaks are looked at under a `ceiling` in dBTP. `nil` for short and for silent
  /// outputs. Of encoders that settle slowly only peaks are foreseen: their noise is about the same from the beginning, but the
  /// loudness isn't.
  /// - Throws: ``MediaError`` or ``LibAVError`` when it can't be encoded or decoded.
  init?(of output: RenderedOutput, _ settings: SoundSettings, ceiling: Double?) throws {
    let seconds = Double(settings.frames) / Double(settings.format.sampleRate)
    let settlesSlowly = settings.coding.codec.traits.settlesSlowly
    guard seconds >= EncodingForecast.least, !settlesSlowly || ceiling != nil
    else { return nil }
    let trial = try EncodingTrial(output, settings, ceiling.map(HeldEncoding.limit))
    let count = max(
      EncodingForecast.fewest, Int(seconds / EncodingForecast.distance))
    var places = (0..<count).map {
      Int64((Double($0) + 0.5) / Double(count) * Double(settings.frames))
    }[...]
    var window = SoundWindow(channels: settings.format.channels)
    try output.replay { block in
      // Whoever wants to stop the job is heard here.
      try output.show(.finish, 0)
      window.append(block, from: places.first.map { trial.sound(at: $0).lowerBound } ?? .max)
      while let place = places.first, trial.sound(at: place).upperBound <= window.end {
        try trial.encode(at: place, window)
        places.removeFirst()
      }
    }
    guard let meant = trial.meant.measurement().integrated,
      let heard = trial.heard.measurement().integrated
    else { return nil }
    drift = settlesSlowly ? 0 : heard - meant
    excess = trial.excess
  }

  /// Encodes spans one after the other, and measures what goes in and what is heard.
  private final class EncodingTrial {
    let meant: LoudnessMeter
    let heard: LoudnessMeter
    private let settings: SoundSettings
    private let limit: Float?
    private let grid: PacketGrid
    private let decoder: SpanDecoder
    private let lead: Int
    private let count: Int
    private var packets = 0
    private var peaks: [Float] = []

    init(_ output: RenderedOutput, _ settings: SoundSettings, _ limit: Float?) throws {
      self.settings = settings
      self.limit = limit
      let format = settings.format
      func meter() throws -> LoudnessMeter {
        try LoudnessMeter(
          format: format, measuresTruePeak: false, dualMono: output.branch.plan.isDualMono)
      }
      (meant, heard) = (try meter(), try meter())
      let encoder = try FrameEncoder(settings.coding, format: format)
      grid = PacketGrid(
        frame: encoder.frameSize, padding: encoder.encoder.initialPadding, packets: .max)
      decoder = try SpanDecoder(of: encoder.encoder, format: format, grid: grid)
      lead = settings.coding.codec.traits.replacement?.lead ?? usualLead
      count = max(1, Int(length * Double(format.sampleRate)) / grid.frame)
    }

    /// The samples that a span at `place` needs.
    func sound(at place: Int64) -> Range<Int64> {
      let start = place / Int64(grid.frame) * Int64(grid.frame)
      // Encoders keep up to two frames back.
      let end = start + Int64((lead + count + 3) * grid.frame)
      return start..<min(settings.frames, end)
    }

    func encode(at place: Int64, _ window: SoundWindow) throws {
      let range = sound(at: place)
      let none = GainDips(sampleRate: settings.format.sampleRate)
      let encoder = try FrameEncoder(settings.coding, format: settings.format)
      let coded = try encoder.encode(window.sound(range, with: none))
      let first = Int(range.lowerBound) / grid.frame
      guard coded.count > lead + count else { return }
      let sound = try decoder.sound(of: first...first + lead + count) { coded[$0 - first] }
      let start = grid.start(of: first + lead)
      let span = start..<start + Int64(count * grid.frame)
      guard let part = sound.part(span) else { return }
      try heard.add(part)
      try meant.add(window.sound(span, with: none))
      packets += count
      guard let limit else { return }
      let found = decoder.peaks(in: sound, from: first + lead, above: limit)
        .filter { $0.position < span.upperBound }
      let places = Dictionary(grouping: found) { grid.packet(of: $0.position) }
      peaks += places.values.compactMap { $0.map(\.level).max() }
    }

    var excess: Double {
      limit.map { HeldEncoding.excess(peaks, packets: packets, limit: $0) } ?? 0
    }
  }
}
