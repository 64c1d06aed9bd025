import AudioCore
import MediaIn
import Timeline

/// One stretch of an input: what is read, how it is decoded, and which part of it counts.
public struct Clip: Sendable, Hashable, Codable {
  /// Where output sample 0 lies.
  public enum Alignment: String, Sendable, CaseIterable, Codable {
    /// At the first valid audio sample.
    case audio
    /// At the start of the presentation: late audio begins with silence.
    case presentation
  }

  /// The part of an input that is used.
  public struct Range: Sendable, Hashable, Codable {
    /// Where the part ends.
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
  /// Which start-up samples are trimmed.
  public var priming = PrimingOption.automatic
  /// What happens where timestamps jump.
  public var gaps = GapPolicy.fill
  /// The part that is used.
  public var range = Range()
  /// Where output sample 0 lies.
  public var alignment = Alignment.audio
  /// How items follow each other, where the input is a queue.
  public var joining = Joining()

  /// All of `input`, decoded with the default settings.
  public init(_ input: MediaLocation) { self.input = input }
}
