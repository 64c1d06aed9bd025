// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The items of a queue and where they lie in the programme of the first output.
public struct QueueReport: Sendable, Codable, Equatable {
  /// A part of a track.
  public struct Source: Sendable, Codable, Equatable {
    /// Index of its file in `inputs`.
    public var input: Int
    /// Its file.
    public var path: String
    /// First sample in the track.
    public var start: Int64
    /// Samples in the track.
    public var samples: Int64
    /// Samples that the whole track has.
    public var trackSamples: Int64
    /// Rate of the track in Hz.
    public var rate: Int
    /// Layout of the track, or its contents in words.
    public var layout: String
    /// Whether the track's length was found by decoding it, because its file doesn't state it to the sample.
    public var counted: Bool?
    /// Whether the rendered samples came from the cache; absent without one.
    public var reused: Bool?

    /// `samples` of the track at `rate` Hz in the file at `path`, from sample `start` on.
    public init(
      input: Int, path: String, start: Int64, samples: Int64, trackSamples: Int64, rate: Int,
      layout: String
    ) {
      self.trackSamples = trackSamples
      self.input = input
      self.path = path
      self.start = start
      self.samples = samples
      self.rate = rate
      self.layout = layout
    }
  }

  /// One item.
  public struct Item: Sendable, Codable, Equatable {
    /// Its number, from 1.
    public var number: Int
    /// Its title; absent when it has none.
    public var title: String?
    /// The part of a track that it is; absent for silence.
    public var source: Source?
    /// Line of the queue's file that it stands on; absent where there is none.
    public var line: Int?
    /// Its first sample in the programme.
    public var start: Int64
    /// Its samples in the programme, without what filters put before and behind it.
    public var samples: Int64
    /// Its own gain in dB; absent for 0.
    public var gainDB: Double?
    /// Its loudness in LUFS before it was brought to a target of its own; absent without one, and for silence.
    public var integrated: Double?
    /// The gain in dB that brought it there; absent without a target of its own.
    public var loudnessGainDB: Double?
    /// The loudness in LUFS that it is brought to, with its own gain; absent without a target of its own.
    public var loudnessTarget: Double?
    /// The work of its own limiter; absent when none was needed.
    public var limiter: RenderReport.Loudness.Limiter?
    /// Its loudness in LUFS as it is delivered, after the limiter and before any encoding, without its fades; absent
    /// without a target of its own, for silence, where fades leave less than 400 ms of it, and where no output holds all.
    public var outputIntegrated: Double?
    /// `dialogue` where its dialogue is brought to the target; absent where the whole item is.
    public var anchor: LoudnessAnchor?
    /// Figures of its dialogue before the gain, levelled where that is asked for; absent where none was looked for.
    public var dialogue: DialogueLoudness?
    /// Loudness of its dialogue in LUFS as it is delivered, in the manner of ``outputIntegrated``; absent without speech.
    public var outputDialogue: Double?
    /// Its own levelling; absent for none.
    public var level: Levelling?
    /// Samples of its fade at the beginning; absent for none.
    public var fadeIn: Int64?
    /// Samples of its fade at the end; absent for none.
    public var fadeOut: Int64?
    /// Samples by which it overlaps the item before; absent for none.
    public var crossfade: Int64?

    /// An item at a place.
    public init(number: Int, start: Int64, samples: Int64) {
      self.number = number
      self.start = start
      self.samples = samples
    }
  }

  /// A named point of the programme.
  public struct Chapter: Sendable, Codable, Equatable {
    /// Seconds from the programme's beginning.
    public var seconds: Double
    /// Its title.
    public var title: String

    /// A chapter.
    public init(seconds: Double, title: String) {
      self.seconds = seconds
      self.title = title
    }
  }

  /// Samples that may differ from another run or queue.
  public struct Change: Sendable, Codable, Equatable {
    /// The first sample.
    public var from: Int64
    /// The first sample behind them.
    public var to: Int64
    /// `version`, `setting`, `programme-gain`, `item-new`, `source-changed`, `item-changed`, `item-moved`,
    /// `item-removed` or `neighbour-tail`: where several hold, the first one of these; or `tap-varies`, where a tap
    /// makes something else in every run.
    public var why: String

    /// Samples from `from` to `to`.
    public init(from: Int64, to: Int64, why: String) {
      self.from = from
      self.to = to
      self.why = why
    }
  }

  /// The run before that wrote the first output, as the cache knows it, and what differs from it before gain and
  /// limiter.
  public struct Former: Sendable, Codable, Equatable {
    /// The gain in dB that the run before applied to the programme.
    public var gainDB: Double
    /// The first sample that may differ; absent when all are equal.
    public var firstChangedSample: Int64?
    /// The ranges in ascending order, none overlapping another.
    public var changes: [Change]

    /// A run with this gain, from which `changes` differ.
    public init(gainDB: Double, changes: [Change]) {
      self.gainDB = gainDB
      firstChangedSample = changes.first?.from
      self.changes = changes
    }
  }

  /// The queue's own name: the path of its file.
  public var name: String
  /// Rate of the programme in Hz.
  public var rate: Int
  /// Samples of the programme.
  public var samples: Int64
  /// The items in their order.
  public var items: [Item]
  /// Chapters of the programme.
  public var chapters: [Chapter]
  /// Changes since the run before; absent without a cache, and where it knows no such run.
  public var former: Former?

  /// The items of the queue `name` at `rate` Hz.
  public init(name: String, rate: Int, samples: Int64, items: [Item], chapters: [Chapter]) {
    self.name = name
    self.rate = rate
    self.samples = samples
    self.items = items
    self.chapters = chapters
  }
}

/// The places of a queue's items, found without rendering it (`pinna.queue-report/1`).
package struct QueueSurveyReport: Sendable, Codable, Equatable {
  /// The schema's name and version.
  package static let schemaName = "pinna.queue-report/1"

  /// Always `pinna.queue-report/1`.
  package var schema = QueueSurveyReport.schemaName
  /// The queue's file as given.
  package var path: String
  /// The tracks that the items are taken from.
  package var inputs: [RenderReport.Input]
  /// The items, the programme's rate and length, and its chapters.
  package var queue: QueueReport
  /// Doubts about what was found.
  package var degradations: [Diagnostic]
  /// Choices of what to assume or leave out.
  package var decisions: [Decision]

  /// The findings in the queue at `path`.
  package init(
    path: String, inputs: [RenderReport.Input], queue: QueueReport, degradations: [Diagnostic],
    decisions: [Decision]
  ) {
    self.path = path
    self.inputs = inputs
    self.queue = queue
    self.degradations = degradations
    self.decisions = decisions
  }
}

/// The samples of a programme that change from one queue to another (`pinna.queue-diff/1`).
///
/// Samples are compared before the programme's gain. A gain that isn't pinned may change the level of all samples.
package struct QueueDiffReport: Sendable, Codable, Equatable {
  /// One of the two queues.
  package struct Side: Sendable, Codable, Equatable {
    /// The queue's file as given.
    package var path: String
    /// Number of its items.
    package var items: Int
    /// Rate of its programme in Hz.
    package var rate: Int
    /// Samples of its programme.
    package var samples: Int64

    /// A queue at `path`.
    package init(path: String, items: Int, rate: Int, samples: Int64) {
      self.path = path
      self.items = items
      self.rate = rate
      self.samples = samples
    }
  }

  /// The schema's name and version.
  package static let schemaName = "pinna.queue-diff/1"

  /// Always `pinna.queue-diff/1`.
  package var schema = QueueDiffReport.schemaName
  /// The old queue.
  package var old: Side
  /// The new queue.
  package var new: Side
  /// How far filters are taken to reach over the borders of items, in samples of the new programme.
  package var reach: Int64
  /// Whether both queues pin the programme's gain.
  package var gainIsPinned: Bool
  /// The first sample that may differ; absent when all are equal.
  package var firstChangedSample: Int64?
  /// The ranges in ascending order, none overlapping another.
  package var changes: [QueueReport.Change]
  /// Doubts about what was found in the files.
  package var degradations: [Diagnostic]

  /// A comparison of `old` and `new`.
  package init(
    old: Side, new: Side, reach: Int64, gainIsPinned: Bool, changes: [QueueReport.Change],
    degradations: [Diagnostic]
  ) {
    self.old = old
    self.new = new
    self.reach = reach
    self.gainIsPinned = gainIsPinned
    firstChangedSample = changes.first?.from
    self.changes = changes
    self.degradations = degradations
  }
}
