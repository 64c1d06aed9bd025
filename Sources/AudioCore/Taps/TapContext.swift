/// What a tap is told of the sound that it will get.
public struct TapContext: Sendable, Hashable {
  /// Where it sits.
  public var point: TapPoint
  /// Rate and channels of what it gets.
  public var format: AudioFormat
  /// Number of the output, from 0.
  public var output: Int
  /// Number of the item, from 0; `nil` for the whole programme.
  public var item: Int?
  /// Number of items; 1 for a single input.
  public var items: Int
  /// Title of the item or programme; `nil` where none is known.
  public var title: String?
  /// The input's path or address, without user and password.
  public var source: String
  /// Number of the track in its container; `nil` for a whole queue.
  public var track: Int?
  /// Language tag of the track; `nil` where it states none.
  public var language: String?
  /// Samples that will probably come; `nil` where the input doesn't state them.
  public var expectedFrames: Int64?
  /// Whether the tap is only tried with a test signal before the run.
  public var isProbe: Bool

  /// A context at `point` for sound of `format`; everything else is unknown.
  public init(point: TapPoint, format: AudioFormat) {
    self.point = point
    self.format = format
    output = 0
    item = nil
    items = 1
    title = nil
    source = ""
    track = nil
    language = nil
    expectedFrames = nil
    isProbe = false
  }
}
