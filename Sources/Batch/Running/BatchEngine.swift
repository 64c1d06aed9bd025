// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Report

/// The engine that renders for a batch: the parser of `render`'s arguments, and the pipeline.
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

/// Properties of a render's outputs.
package struct RenderForm: Sendable {
  /// Extension of the output.
  package var ending: String
  /// Endpoint of the output.
  package var endpoint: String
  /// Whether sound is copied, so that no other output can be made of the same decode.
  package var isCopy: Bool
  /// Whether the options ask for one gain for all.
  package var isAlbum: Bool
  /// The settings of input and run as text; outputs with equal text can share a decode.
  package var decodeKey: String
  /// The files an output of this name may consist of.
  package var files: @Sendable (String) -> [String]

  package init(
    ending: String, endpoint: String, isCopy: Bool, isAlbum: Bool, decodeKey: String,
    files: @escaping @Sendable (String) -> [String]
  ) {
    self.ending = ending
    self.endpoint = endpoint
    self.isCopy = isCopy
    self.isAlbum = isAlbum
    self.decodeKey = decodeKey
    self.files = files
  }
}

/// A parsed render.
package struct PreparedRender<Job: Sendable>: Sendable {
  /// The render.
  package var job: Job
  /// Every setting that decides what the outputs are like, as text that is the same for the same
  /// settings; without the input and the content of ``companions``.
  package var text: String
  /// Files read besides the input: HRTF sets, subtitles, head trajectories.
  package var companions: [String]

  /// A parsed render.
  package init(job: Job, text: String, companions: [String]) {
    self.job = job
    self.text = text
    self.companions = companions
  }
}

/// Digest of an input.
package struct SourceDigest: Sendable, Equatable {
  /// SHA-256 of the file; `nil` for a URL.
  package var file: String?
  /// SHA-256 of everything it is read from; `nil` when part of that has no fixed content, such as a
  /// URL.
  package var whole: String?

  package init(file: String?, whole: String?) {
    self.file = file
    self.whole = whole
  }
}

/// A render that failed.
package struct EngineFailure: Error, Sendable {
  /// Why it failed.
  package var error: MediaError
  /// How far it came.
  package var report: RenderReport?

  package init(_ error: MediaError, report: RenderReport? = nil) {
    self.error = error
    self.report = report
  }
}

/// How far a render is.
package struct WorkProgress: Sendable, Codable, Equatable {
  /// Its step.
  package var pass: RenderPass
  /// Samples done in this step.
  package var done: Int64
  /// Samples in all, when known.
  package var total: Int64?
  /// Rate of the samples counted, Hz.
  package var rate: Int
  /// Part of the whole job that is done, 0…1; `nil` while it can't be known.
  package var fraction: Double?

  package init(
    pass: RenderPass, done: Int64, total: Int64?, rate: Int, fraction: Double? = nil
  ) {
    self.fraction = fraction
    self.pass = pass
    self.done = done
    self.total = total
    self.rate = rate
  }
}
