import AudioCore
import LibAV
import MediaIn
import Report

/// A clip that has been opened: where its sound comes from, and what is known about it.
struct OpenedClip {
  /// The way from the file to the range.
  let chain: SourceChain
  /// The input as reports list it.
  var facts: RenderReport.Input
  /// Tags of the container and the track.
  let metadata: [String: String]

  /// Opens what `clip` asks for; `input` is its file.
  /// - Throws: ``MediaError``.
  init(_ clip: Clip, input: MediaInput, log: DiagnosticLog) throws {
    chain = try SourceChain(clip: clip, input: input, log: log)
    metadata = chain.track.first.metadata
    facts = InputFacts.report(chain.track, of: input)
  }

  /// What the renderers get.
  var programme: Programme { chain.programme }

  /// The track's language; empty when unknown.
  var language: String { chain.programme.facts.language ?? "" }
}
