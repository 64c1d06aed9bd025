import AudioCore
import Report

/// What a batch needs for rendering: the parser of `render`'s arguments, and the pipeline.
package protocol BatchEngine: Sendable {
  /// A parsed render.
  associatedtype Job: Sendable

  /// Versions of all software that an output's content depends on.
  var versions: [String] { get }
  /// Version of Pinna.
  var version: String { get }

  /// Properties of outputs with these options of `render`; `ending` is the extension of their name,
  /// `nil` when the name is open and its container follows that of `input`.
  /// - Throws: ``MediaError`` of kind `usage` or `unsupportedFeature`.
  func form(_ options: [String], ending: String?, input: String) throws -> RenderForm

  /// Parses arguments of `render` for one input, one value for each of the outputs that share a decode;
  /// opens nothing.
  /// - Throws: ``MediaError`` of kind `usage` or `unsupportedFeature` as `render` would.
  func prepare(_ arguments: [RenderWords]) throws -> PreparedRender<Job>

  /// Digest of the input at `source` and everything it is read from.
  /// - Throws: ``MediaError`` when it can't be read.
  func digest(source: String) throws -> SourceDigest

  /// Renders; existing outputs are replaced when `overwrite`.
  /// - Throws: ``EngineFailure``.
  func render(
    _ job: Job, overwrite: Bool, progress: @escaping @Sendable (WorkProgress) -> Void
  ) async throws(EngineFailure) -> RenderReport

  /// Renders several under one gain; all outputs appear or none.
  /// - Throws: ``EngineFailure``.
  func renderAlbum(
    _ jobs: [Job], overwrite: Bool, progress: @escaping @Sendable (WorkProgress) -> Void
  ) async throws(EngineFailure) -> [RenderReport]

  /// Digest of a golden's case and expected values.
  /// - Throws: ``MediaError`` when there is no such golden.
  func goldenDigest(_ folder: String) throws -> String

  /// Compares what was rendered from `source` with a golden.
  /// - Throws: ``MediaError`` when the golden or an output can't be read.
  func compare(
    _ reports: [RenderReport], source: String, golden folder: String
  ) throws -> ItemReport.Golden
}
