import AudioCore

/// The most that a job's outputs may hold, so that a small file that unfolds to hours can't fill a
/// disk.
///
/// The samples count as the output stores them, before any codec. Headers may be wrong, so the
/// limit is checked while rendering.
struct OutputLimit {
  private let limit: Int64?
  private let name: String

  init(_ request: RenderRequest) {
    limit = request.policy.outputLimit
    name = request.name
  }

  /// Checks the samples of all outputs together, given as samples per channel and bytes that these
  /// take in all channels.
  /// - Throws: ``MediaError`` of kind `outputLimit`.
  func check(_ outputs: [(frames: Int64, frameBytes: Int)]) throws {
    guard let limit else { return }
    let size = outputs.reduce(Int64(0)) { $0 + $1.frames * Int64($1.frameBytes) }
    guard size > limit else { return }
    throw MediaError(
      .outputLimit, about: name,
      "its output would take more than \(limit) bytes of samples; raise \(setting: .largestOutput) or "
        + "render a part of it with \(setting: .rangeLength)")
  }
}
