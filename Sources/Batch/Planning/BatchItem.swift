import AudioCore
import Report

/// An input and all outputs that are made from it.
package struct BatchItem: Sendable, Codable, Equatable {
  /// One decode of the input, and the outputs made of it.
  package struct Render: Sendable, Codable, Equatable {
    /// Options of `pinna render` for each output, without input and output.
    package var options: [[String]]
    /// Outputs, relative to the batch's output folder.
    package var outputs: [String]
    /// Endpoints of the outputs.
    package var endpoints: [String]
    /// All files that the outputs may consist of.
    package var files: [String]

    /// Arguments of `pinna render` for the input `source`, one value for each output. Each job has one
    /// thread, because the batch keeps the processors busy.
    package func arguments(source: String, spoolMemory: Int) -> [RenderWords] {
      zip(options, outputs).map { options, output in
        RenderWords(
          options: options + ["--max-memory=\(spoolMemory)", "--threads=1"],
          output: Render.safe(output), source: source)
      }
    }

    /// The name in a form that can't be read as the standard stream or an option.
    private static func safe(_ name: String) -> String {
      name.hasPrefix("-") ? "./" + name : name
    }
  }

  /// Its id.
  package var id: String
  /// The input as the manifest or folder names it.
  package var input: String
  /// Absolute path or URL of the input.
  package var source: String
  /// What is done with it.
  package var renders: [Render]
  /// Name of its album.
  package var album: String?
  /// Folder of the golden that its outputs must agree with.
  package var golden: String?
  /// Whether its samples must not depend on the processor.
  package var isDeterministic: Bool

  /// All files that its outputs may consist of.
  package var files: [String] { renders.flatMap(\.files) }

  /// Digest of what is asked for.
  package var job: String {
    var parts = [input, golden ?? "", album ?? ""]
    for render in renders {
      parts += ["render"]
      for (options, output) in zip(render.options, render.outputs) { parts += options + [output] }
    }
    return FileDigest.of(parts)
  }

  /// The text that decides its shard; it is the same for all items of an album, so that they stay
  /// together.
  var shardName: String { album.map { "album \($0)" } ?? id }
}
