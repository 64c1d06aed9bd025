import AudioCore
import MediaIn
import Report

/// Silence of a given length as an input.
public struct Silence: Sendable, Hashable, Codable {
  /// Length.
  public var length: TimeSpec
  /// Rate in Hz, 8000…384,000.
  public var sampleRate: Int
  /// Channels.
  public var layout: ChannelLayout

  /// Silence; by default stereo at 48 kHz.
  public init(_ length: TimeSpec, sampleRate: Int = 48_000, layout: ChannelLayout = .stereo) {
    self.length = length
    self.sampleRate = sampleRate
    self.layout = layout
  }

  /// Silence as text names it: `silence:10s`, `silence:10s:5.1` or `silence:10s:5.1:96000`; `nil` for
  /// any other text.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard (2...4).contains(parts.count), parts[0] == "silence",
      let length = try? TimeSpec(parts[1], option: "silence")
    else { return nil }
    self.init(length)
    if parts.count > 2 {
      guard let layout = ChannelLayout(name: parts[2]) else { return nil }
      self.layout = layout
    }
    if parts.count > 3 {
      guard let rate = Int(parts[3]), (8_000...384_000).contains(rate) else { return nil }
      sampleRate = rate
    }
  }
}

/// Silence is the input and the opened clip in one, because nothing has to be opened.
final class SilenceClip: ClipInput, OpenedClip {
  private let silence: Silence
  private let plan: TrimPlan
  private let frames: Int64
  let facts: RenderReport.Input
  let source: any ProgrammeSource
  let start: Int64
  let asked: Int64?

  let localFiles: [String] = []
  let tags = MediaTags()
  let coded: MediaInput? = nil
  let beside: ClipMedia? = nil
  let downmixChange: Int64? = nil
  let missing: Int64 = 0

  func scene() -> [ObjectReport]? { nil }

  /// The range that `clip` asks for of `silence`.
  /// - Throws: ``MediaError`` of kind `usage` for an empty range.
  init(_ silence: Silence, clip: Clip, log: DiagnosticLog) throws {
    self.silence = silence
    let rate = silence.sampleRate
    let range = try clip.range.samples(at: rate)
    let length = silence.length.samples(at: rate)
    frames = max(0, min(range.upperBound, length) - range.lowerBound)
    start = range.lowerBound
    asked = range.upperBound == .max ? nil : range.upperBound - range.lowerBound
    source = SilentSource(
      Programme(AudioFormat(sampleRate: rate, layout: silence.layout)), frames: frames)
    facts = RenderReport.Input(
      path: clip.input.name, container: "none", stream: 0, codec: "silence", profile: nil,
      layout: silence.layout.name, rate: rate, language: nil, dialnorm: nil, drc: nil,
      objects: ProgrammeFacts.Presence.no.rawValue)
    plan = try TrimPlan(
      facts: GaplessFacts(container: nil, codec: .named("pcm_f32le")), rate: rate,
      option: .automatic, first: TimedBlock(frames: 0, position: 0), log: log)
  }

  var absoluteStart: Int64 { start }

  var expected: Int64? { frames }

  var summary: TimelineSummary {
    TimelineSummary(
      plan: plan, decoded: frames, startTrim: 0, endTrim: 0, valid: frames, gaps: [])
  }

  func isInput(_ path: String) -> Bool { false }

  func open(_ clip: Clip, log: DiagnosticLog) -> any OpenedClip { self }
}

/// Delivers silence.
private final class SilentSource: ProgrammeSource {
  /// Samples appended at a time.
  private static let step: Int64 = 4096

  let programme: Programme
  private var left: Int64

  init(_ programme: Programme, frames: Int64) {
    self.programme = programme
    left = frames
  }

  func read(into block: ProgrammeBlock) -> Bool {
    let count = min(left, SilentSource.step)
    block.appendSilence(Int(count))
    left -= count
    return left > 0
  }
}
