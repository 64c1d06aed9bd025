import AudioCore
import Report

/// What a batch needs of whoever renders: the command line's own parser and the pipeline behind it.
package protocol BatchEngine: Sendable {
  /// A parsed render.
  associatedtype Job: Sendable

  /// Versions of everything that decides what an output is like.
  var versions: [String] { get }
  /// Version of Pinna.
  var version: String { get }

  /// What outputs with these options of `render` are like; `ending` is the extension that their name
  /// has, if it has one.
  /// - Throws: ``MediaError`` of kind `usage` or `unsupportedFeature`.
  func form(_ options: [String], ending: String?) throws -> RenderForm

  /// Parses arguments of `render` for one input, one list for each of the outputs that share a decode;
  /// opens nothing.
  /// - Throws: ``MediaError`` of kind `usage` or `unsupportedFeature` as `render` would.
  func prepare(_ arguments: [[String]]) throws -> PreparedRender<Job>

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

  /// Digest of what a golden expects.
  /// - Throws: ``MediaError`` when there is no such golden.
  func goldenDigest(_ folder: String) throws -> String

  /// Holds what was rendered from `source` against a golden.
  /// - Throws: ``MediaError`` when the golden or an output can't be read.
  func compare(
    _ reports: [RenderReport], source: String, golden folder: String
  ) throws -> ItemReport.Golden
}
