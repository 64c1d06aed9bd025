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
    metadata = chain.media.metadata.merging(chain.stream.metadata) { first, _ in first }
    facts = InputFacts.report(chain.track, of: input)
  }

  /// Format of the decoded sound.
  var format: AudioFormat { chain.reader.format }

  /// What the programme says about its own mix to two channels.
  var downmix: CarriedDownmix? { chain.reader.downmix }

  /// What the programme was virtualised for: by its decoder's word, else by its tags.
  var virtualizedBefore: Virtualization? {
    chain.reader.isPreVirtualized ? .binaural : SourceTags.virtualization(metadata)
  }

  /// The track's language; empty when unknown.
  var language: String { chain.stream.language ?? "" }
}
