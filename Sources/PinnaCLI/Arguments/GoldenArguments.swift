import ArgumentParser
import AudioCore
import Inspection

/// Where goldens and their inputs are.
struct GoldenArguments: ParsableArguments {
  @Option(help: "Folder of the cases.") var cases = "Golden/Cases"
  @Option(help: "Folder that inputs are looked for in, before the case's own.") var media: String?

  /// The folder of the cases.
  var folder: GoldenFolder { GoldenFolder(path: cases) }

  /// `names`, or the names of all cases when there are none.
  /// - Throws: ``MediaError`` of kind `input-missing` when a case doesn't exist.
  func chosen(_ names: [String]) throws -> [String] {
    guard !names.isEmpty else { return try folder.ids() }
    let known = PathSet(try folder.ids())
    if let unknown = names.first(where: { !known.contains($0) }) {
      throw MediaError(
        .inputMissing, "\(unknown): no such golden in \(cases); pinna golden list shows all")
    }
    return names
  }

  /// A runner for the cases.
  func runner() -> GoldenRunner {
    GoldenRunner(folder: folder, media: media, environment: RenderCommand.environment) {
      try RenderCommand.requests($0)
    }
  }
}
