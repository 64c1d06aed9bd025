// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaIn
import Platform
import PlayQueue

/// One stretch of an input: what is read, how it is decoded, and which part of it counts.
public struct Clip: Sendable, Hashable, Codable {
  /// The place of output sample 0.
  public enum Alignment: String, Sendable, CaseIterable, Codable {
    /// At the first valid audio sample.
    case audio
    /// At the start of the presentation: late audio begins with silence.
    case presentation
  }

  /// The part of an input that is used.
  public struct Range: Sendable, Hashable, Codable {
    /// The end of the part.
    public enum End: Sendable, Hashable, Codable {
      /// At this time of the input.
      case at(TimeSpec)
      /// This long after the start.
      case after(TimeSpec)
    }

    /// First sample; `nil` is the beginning.
    public var start: TimeSpec?
    /// The end; `nil` is the end of the input.
    public var end: End?

    /// The part from `start` to `end`; without both the whole input.
    public init(start: TimeSpec? = nil, end: End? = nil) {
      self.start = start
      self.end = end
    }

    /// The part in samples at `rate` Hz; an open end is `Int64.max`.
    /// - Throws: ``MediaError`` of kind `usage` when it is empty.
    package func samples(at rate: Int) throws -> Swift.Range<Int64> {
      let first = start?.samples(at: rate) ?? 0
      let last: Int64
      switch end {
      case .at(let time): last = time.samples(at: rate)
      case .after(let length): last = first + length.samples(at: rate)
      case nil: last = .max
      }
      guard last > first else {
        throw MediaError(
          .usage,
          "\(setting: .rangeStart) and \(setting: .rangeEnd): the range is empty; let it end after it starts"
        )
      }
      return first..<last
    }
  }

  /// The input.
  public var input: MediaLocation
  /// How the input is opened and decoded.
  public var decoding = InputOptions()
  /// Start-up samples that are trimmed.
  public var priming = PrimingOption.automatic
  /// Treatment of jumps in timestamps.
  public var gaps = GapPolicy.fill
  /// The part that is used.
  public var range = Range()
  /// Place of output sample 0.
  public var alignment = Alignment.audio
  /// How items follow each other, where the input is a queue.
  public var joining = Joining()
  /// Mix of the channels to others before anything else is done with them; `nil` leaves them as they are.
  public var matrix: ChannelMatrix?
  /// Gain of the dialogue against the rest, −20…20 dB; `nil` leaves it alone.
  public var dialogueGain: Double?

  /// All of `input`, decoded with the default settings.
  public init(_ input: MediaLocation) { self.input = input }
}

/// How the items of a queue follow each other where the queue doesn't say so, and how lists are read.
public struct Joining: Sendable, Hashable, Codable {
  /// By how much each item overlaps the one before; `nil` for what the queue says.
  public var crossfade: TimeSpec?
  /// Curve of these crossfades.
  public var curve = FadeCurve.equalPower
  /// Silence between items; `nil` for what the queue says.
  public var gap: TimeSpec?
  /// Scope of the loudness target; `nil` for what the queue says.
  public var loudness: PlayQueue.LoudnessScope?
  /// Chapters of the programme; `nil` for what the queue says.
  public var chapters: PlayQueue.ChapterMode?
  /// Whether items pass the taps that the queue gives them.
  public var keepsTaps = true
  /// How the delays of these taps are known.
  public var tapLatency = Tap.Latency.automatic
  /// The taps of these that failed before and are left out.
  package var leftOut: [Tap] = []
  /// Treatment of a cue sheet's gaps.
  public var cueGaps = CueGaps.append
  /// How the bytes of a list become characters; `nil` for UTF-8, and where it isn't, for Windows-1252.
  public var textEncoding: TextEncoding?

  /// Joining as the queue itself says.
  public init() {}
}

/// The source of an input or the destination of an output.
public enum MediaLocation: Sendable, Hashable, Codable {
  /// A local file; as an input also an http or https URL.
  case file(String)
  /// Standard input or output.
  case standardStream
  /// Silence, as an input only.
  case silence(Silence)
  /// Items that are joined on one timeline, as an input only.
  case queue(PlayQueue)

  /// The file at `text`; `-` means the standard stream, and `silence:10s` means silence, optionally
  /// with a layout and a rate after further colons.
  public init(_ text: String) {
    if let silence = Silence(text) {
      self = .silence(silence)
    } else {
      self = text == "-" ? .standardStream : .file(text)
    }
  }

  /// Whether both are the same. A path is bytes: names of the same letters in other bytes are two files.
  public static func == (one: MediaLocation, other: MediaLocation) -> Bool {
    switch (one, other) {
    case (.file(let path), .file(let otherPath)): return PathName(path) == PathName(otherPath)
    case (.standardStream, .standardStream): return true
    case (.silence(let silence), .silence(let otherSilence)): return silence == otherSilence
    case (.queue(let queue), .queue(let otherQueue)): return queue == otherQueue
    default: return false
    }
  }

  /// Hashes the bytes that are compared.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .file(let path): hasher.combine(PathName(path))
    case .standardStream: hasher.combine("-")
    case .silence(let silence): hasher.combine(silence)
    case .queue(let queue): hasher.combine(queue)
    }
  }

  /// Whether this is the file at `path`, independent of the path's spelling and of links.
  package func isSameFile(as path: String) -> Bool {
    guard case .file(let own) = self else { return false }
    if FilePlace(own) == FilePlace(path) { return true }
    // Asked once: a file that appears, or can't be looked at, between two questions isn't another one.
    guard let identity = FilePlace.identity(own) else { return false }
    return identity == FilePlace.identity(path)
  }

  /// The path or URL, without user and password, or `-`.
  public var name: String {
    switch self {
    case .file(let path): return WebAddress.withoutCredentials(path)
    case .standardStream: return "-"
    case .silence(let silence): return "silence of \(silence.layout.name)"
    case .queue(let queue): return "queue of \(queue.items.count) items"
    }
  }
}
