import AudioCore
import Loudness
import Timeline

/// What a run will do, compiled from a ``RenderRequest`` once its input has been opened.
///
/// The plan is a value: a dry run prints it as JSON and stops there, and the runner does nothing that
/// isn't in it.
public struct RenderPlan: Sendable, Hashable, Codable {
  /// Version of the value's JSON.
  public static let version = 1

  /// Where the sound of one clip comes from.
  public struct Source: Sendable, Hashable, Codable {
    /// The input, without user and password.
    public var path: String
    /// Name of the container.
    public var container: String
    /// Number of the stream in its container.
    public var stream: Int
    /// Name of the codec.
    public var codec: String
    /// The decoded sound: its rate, what its planes hold, and its properties.
    public var programme: Programme
    /// Start-up samples that are trimmed, according to the headers.
    public var priming: Int64
    /// Where ``priming`` comes from; `nil` when it isn't known.
    public var primingSource: PrimingSource?
    /// Presentation time of the first output sample, in samples of the source.
    public var start: Int64
    /// Samples that the range asks for; `nil` without an end.
    public var length: Int64?
    /// Samples that will probably come out; `nil` when the input doesn't state it.
    public var expected: Int64?
  }

  /// The processing of the sound for one output.
  public struct Branch: Sendable, Hashable, Codable {
    /// The output's name.
    public var path: String
    /// What the output is for.
    public var endpoint: Endpoint.Kind
    /// How its channels are made.
    public var renderer: RendererPlan
    /// Whether what filters put before the first sample is kept.
    public var keepsHead: Bool
    /// Whether the filter tail is kept.
    public var keepsTail: Bool
    /// The user's own processing, in the order in which the sound passes it.
    public var taps: [PlannedTap]
    /// Output rate in Hz; `nil` keeps the source's.
    public var rate: Int?
    /// Samples of silence in front of what is rendered.
    public var lead: Int64
    /// Loudness target; `nil` leaves the level alone.
    public var level: LoudnessTarget?
    /// What the input states of the loudness; `nil` where it states nothing that can be used for this output.
    public var stated: StatedLevel?
    /// Whether a mono programme counts as two equal channels.
    public var isDualMono: Bool
    /// Whether a downmix uses the standard's gains or the programme's own.
    public var downmix: DownmixGains
    /// Name of the HRTF set; `nil` when nothing is virtualised.
    public var hrtfID: String?
    /// Where the sound is stored.
    public var container: Container
    /// The files that are written, except those whose names depend on the input's content.
    public var files: [String]
  }

  /// One source for each clip.
  public var sources: [Source]
  /// One branch for each output.
  public var branches: [Branch]
}
