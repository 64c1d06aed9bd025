import AudioCore
import MediaIn
import Report

/// An input before its tracks are chosen: enough to keep outputs from being written over it.
protocol RenderInput {
  /// Whether the file at `path` is the input itself, whatever path leads there.
  func isInput(_ path: String) -> Bool

  /// All local files that the input is read from.
  var localFiles: [String] { get }

  /// The input for copying its coded frames; `nil` where it has none.
  var coded: MediaInput? { get }

  /// Opens the sound that `request` asks for; `taps` makes and closes the taps of the run.
  /// - Throws: ``MediaError`` when it can't be read.
  func openSound(
    for request: RenderRequest, in environment: RenderEnvironment, taps: TapLedger,
    log: DiagnosticLog
  ) throws -> any OpenedSound
}

/// The sound of a request, opened: one clip, or the items of a queue.
protocol OpenedSound: AnyObject {
  /// What was opened, with what the timeline did so far.
  /// - Throws: ``MediaError`` for objects whose times can't be read.
  func inputs() throws -> [RenderReport.Input]
  /// The items and where they lie; `nil` for one clip.
  var queue: QueueReport? { get }
  /// Seconds of sound that were rendered so far.
  var seconds: Double { get }
  /// Dialnorm of the whole programme in dB; `nil` where it has none.
  var dialnorm: Double? { get }
  /// What the delivery of output number `index` writes about the input.
  func delivery(_ index: Int) -> DeliverySource

  /// Compiles the plan of all outputs; asked once, before the rest.
  /// - Throws: ``MediaError`` when an output can't be made of this input.
  func compile() throws -> PlanCompiler.Compiled

  /// The way of output number `index` through pass 1, by `compiled`, with `memory` bytes for its spool.
  /// - Throws: ``MediaError`` when a step can't take what it gets.
  func makeBranch(
    _ index: Int, _ compiled: PlanCompiler.Compiled, target: OutputTarget?, memory: Int
  ) throws -> Branch

  /// What a tap of output number `output` at `point` is told, where it gets sound of `format`.
  func tapContext(_ point: TapPoint, _ format: AudioFormat, _ output: Int) -> TapContext

  /// Pass 1: sends everything through `branches`; `seams` are those of the album that it belongs to.
  /// - Throws: ``MediaError`` when the source fails or the outputs grow too large.
  func render(into branches: [Branch], _ progress: RunProgress, seams: AlbumSeams?) throws

  /// Parts of output number `index` whose loudness is measured as it is delivered; asked after pass 1.
  func spans(_ index: Int) -> [SpanMeters.Span]

  /// Compares the loudness of these parts of `output`, which has this number, with what was meant.
  func judge(_ index: Int, _ output: RenderedOutput, _ log: DiagnosticLog)

  /// Whether output number `index` begins where the one before ends.
  func continues(_ index: Int) -> Bool

  /// Makes sure, before the outputs appear, that `levels`, one for each output, are those that were expected.
  /// - Throws: ``MediaError`` of kind `verificationFailed`.
  func check(_ levels: [QueueRecord.Level]) throws

  /// Notes what was made, once the outputs are where they belong.
  func remember(_ levels: [QueueRecord.Level])
}

extension OpenedSound {
  func spans(_ index: Int) -> [SpanMeters.Span] { [] }

  func judge(_ index: Int, _ output: RenderedOutput, _ log: DiagnosticLog) {}

  func continues(_ index: Int) -> Bool { false }

  func check(_ levels: [QueueRecord.Level]) throws {}

  func remember(_ levels: [QueueRecord.Level]) {}
}
