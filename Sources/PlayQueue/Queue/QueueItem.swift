// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// One item of a queue: what sounds, how loud, and how it follows the item before.
public struct QueueItem: Sendable, Hashable, Codable {
  /// Source of the sound.
  public var source: QueueSource
  /// Gain in decibels, −120…40; it acts at the sum, behind the renderer.
  public var gain: Double = 0
  /// Fade at the item's beginning; `nil` for none.
  public var fadeIn: Fade?
  /// Fade at the item's end; `nil` for none.
  public var fadeOut: Fade?
  /// Loudness in LUFS, −70…0, to which this item is brought before the programme; `nil` for none.
  public var loudness: Double?
  /// How it follows the item before; `nil` for what the queue says. The first item has none.
  public var transition: Transition?
  /// Processing that it passes before the renderer, each as `item:KIND=ARGUMENTS`, in this order. Silence has none.
  public var taps: [String] = []
  /// Its title, and that of its chapter; `nil` when it has none.
  public var title: String?
  /// Markers within the item.
  public var markers: [QueueMarker] = []
  /// Whether it belongs to the item before: it has no title, no tags, no chapter and no track of its own.
  ///
  /// A track of a cue sheet can consist of silence and of pieces of two files. The first item is never a part.
  public var isPart = false
  /// Further tags by name: artist, album, album_artist, composer, date, genre, track, disc, isrc, comment,
  /// copyright, description. No value is empty.
  public var tags: [String: String] = [:]

  /// An item of `source` as it is: no gain, no fades, no title.
  public init(_ source: QueueSource) { self.source = source }

  /// Path of its file; `nil` for silence.
  package var file: String? {
    guard case .file(let path, _, _) = source else { return nil }
    return path
  }
}

/// The source of an item's sound.
public enum QueueSource: Sendable, Hashable, Codable {
  /// A range of an audio track of the file at `path`; `track` counts from 0, `nil` for the file's default.
  case file(path: String, track: Int?, range: QueueRange)
  /// Silence of this length; samples count at the programme's rate.
  case silence(TimeSpec)

  /// Whether both are the same. A path is bytes: names of the same letters in other bytes are two files.
  public static func == (one: QueueSource, other: QueueSource) -> Bool {
    switch (one, other) {
    case (
      .file(let path, let track, let range), .file(let otherPath, let otherTrack, let otherRange)
    ):
      return PathName(path) == PathName(otherPath) && track == otherTrack && range == otherRange
    case (.silence(let length), .silence(let otherLength)): return length == otherLength
    case (.file, .silence), (.silence, .file): return false
    }
  }

  /// Hashes the bytes that are compared.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .file(let path, let track, let range):
      hasher.combine(PathName(path))
      hasher.combine(track)
      hasher.combine(range)
    case .silence(let length): hasher.combine(length)
    }
  }
}

/// A range of a track, from the track's first valid sample on.
public struct QueueRange: Sendable, Hashable, Codable {
  /// Its beginning; samples count at the track's rate.
  public var start: TimeSpec
  /// Its end, itself outside; `nil` for the track's end.
  public var end: TimeSpec?

  /// The range from `start` to `end`; without arguments the whole track.
  public init(start: TimeSpec = .samples(0), end: TimeSpec? = nil) {
    self.start = start
    self.end = end
  }

  /// Whether the end is known, without the track's rate, not to lie behind the beginning.
  package var isReversed: Bool {
    switch (start, end) {
    case (.samples(let first), .samples(let last)?): return last <= first
    case (.clock(let first), .clock(let last)?): return last <= first
    default: return false
    }
  }

  /// The samples of a track of `total` samples at `rate` Hz.
  /// - Throws: ``QueueFault`` with `rangeReversed` or `rangeBehindEnd` and the number `item`.
  package func samples(of total: Int64, at rate: Int, item: Int) throws(QueueFault) -> Range<Int64>
  {
    let first = start.samples(at: rate)
    let last = end?.samples(at: rate) ?? total
    // Both ends are tested against the track first, so that the message names what is really wrong.
    guard first < total || (first == 0 && total == 0), last <= total else {
      throw QueueFault(.rangeBehindEnd(samples: max(first, last), length: total), item: item)
    }
    guard first < last || total == 0 else { throw QueueFault(.rangeReversed, item: item) }
    return first..<last
  }
}

/// A named point within an item.
public struct QueueMarker: Sendable, Hashable, Codable {
  /// Place of the marker, from the item's first sample on; samples count at the track's rate.
  public var at: TimeSpec
  /// Its title.
  public var title: String

  /// A marker called `title`.
  public init(at: TimeSpec, title: String) {
    self.at = at
    self.title = title
  }
}

/// How an item follows the item before.
public enum Transition: Sendable, Hashable, Codable {
  /// The item begins where the one before ends.
  case cut
  /// Both overlap by `length`, and the programme is as much shorter; samples count at the programme's rate.
  case crossfade(length: TimeSpec, curve: FadeCurve)
  /// Silence of this length lies between them; samples count at the programme's rate.
  case gap(TimeSpec)
}

/// A fade at an item's beginning or end.
public struct Fade: Sendable, Hashable, Codable {
  /// Its length; samples count at the programme's rate.
  public var length: TimeSpec
  /// Its curve.
  public var curve: FadeCurve

  /// A fade of `length`.
  public init(_ length: TimeSpec, curve: FadeCurve = .equalPower) {
    self.length = length
    self.curve = curve
  }
}

/// The gain of a fade or crossfade over its length; its raw value is the word in queue files.
public enum FadeCurve: String, Sendable, Codable, CaseIterable {
  /// Quarter of a sine: both sides of a crossfade have constant power together. For sounds that have
  /// nothing in common.
  case equalPower = "equal-power"
  /// Straight line: both sides have the constant sum 1. For sounds that are alike.
  case equalGain = "equal-gain"
  /// Straight line in decibels from −60 dB on; the beginning itself is silent.
  case linearDecibels = "linear-db"

  /// Decibels below full gain in which a line in decibels begins.
  static let depth = 60.0

  /// Gain of what comes in at sample `index`, 0…`length`, of a fade of `length` samples: exactly 0 at the
  /// beginning and 1 at `length`, the first sample behind the fade. A function of the index alone, so that
  /// it doesn't depend on blocks; indices outside take the value of the nearer end.
  public func rising(at index: Int64, of length: Int64) -> Double {
    // A fade of no samples is over at once.
    guard length > 0, index < length else { return 1 }
    guard index > 0 else { return 0 }
    let part = Double(index) / Double(length)
    switch self {
    case .equalPower: return sin(part * (Double.pi / 2))
    case .equalGain: return part
    case .linearDecibels: return pow(10, (part - 1) * FadeCurve.depth / 20)
    }
  }

  /// Gain of what goes out at sample `index`, 0…`length`: ``rising(at:of:)`` mirrored, exactly 1 at the
  /// beginning and 0 at `length`.
  public func falling(at index: Int64, of length: Int64) -> Double {
    // A mirrored sine instead of a cosine, which isn't exactly 0 at the end. A fade of no samples is over.
    length > 0 ? rising(at: length - index, of: length) : 0
  }
}

/// The gain of an item over its samples in the programme: level, and a fade at each end.
package struct ItemEnvelope: Sendable, Hashable, Codable {
  /// One end's fade in samples of the programme.
  package struct Edge: Sendable, Hashable, Codable {
    /// Length in samples, at least 0.
    package var frames: Int64 = 0
    package var curve = FadeCurve.equalPower

    /// A fade of `frames` samples; without arguments none.
    package init(frames: Int64 = 0, curve: FadeCurve = .equalPower) {
      self.frames = frames
      self.curve = frames == 0 ? .equalPower : curve
    }
  }

  /// Length of the item in samples.
  package var frames: Int64
  /// Gain in decibels.
  package var decibels: Double = 0
  /// The fade or crossfade at the beginning.
  package var rise = Edge()
  /// The fade or crossfade at the end.
  package var fall = Edge()

  /// The linear gain at sample `index` of the item. Samples that a filter puts before the item take the first
  /// sample's gain, and its tail the last one's.
  package func gain(at index: Int64) -> Double {
    let inside = max(0, min(index, frames - 1))
    let level = decibels == 0 ? 1 : pow(10, decibels / 20)
    let rising = rise.curve.rising(at: inside, of: rise.frames)
    let falling =
      fall.frames == 0
      ? 1 : fall.curve.falling(at: inside - (frames - fall.frames), of: fall.frames)
    return level * rising * falling
  }
}
