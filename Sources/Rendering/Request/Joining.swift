import AudioCore
import PlayQueue

/// How the items of a queue follow each other where the queue doesn't say so, and how lists are read.
public struct Joining: Sendable, Hashable, Codable {
  /// By how much each item overlaps the one before; `nil` for what the queue says.
  public var crossfade: TimeSpec?
  /// Curve of these crossfades.
  public var curve = FadeCurve.equalPower
  /// Silence between items; `nil` for what the queue says.
  public var gap: TimeSpec?
  /// What the loudness target refers to; `nil` for what the queue says.
  public var loudness: PlayQueue.LoudnessScope?
  /// Which chapters the programme has; `nil` for what the queue says.
  public var chapters: PlayQueue.ChapterMode?
  /// Whether items pass the taps that the queue gives them.
  public var keepsTaps = true
  /// How the delays of these taps are known.
  public var tapLatency = Tap.Latency.automatic
  /// Those of these taps that failed before and are left out.
  package var leftOut: [Tap] = []
  /// Where the gaps of a cue sheet go.
  public var cueGaps = CueGaps.append
  /// How the bytes of a list become characters; `nil` for UTF-8, and where it isn't, for Windows-1252.
  public var textEncoding: TextEncoding?

  /// What the queue itself says.
  public init() {}
}
