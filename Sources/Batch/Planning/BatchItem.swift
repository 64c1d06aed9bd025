import AudioCore
import Report

/// One thing to do: an input and everything that is made of it.
public struct BatchItem: Sendable, Codable, Equatable {
  /// One decode of the input, and the outputs made of it.
  public struct Render: Sendable, Codable, Equatable {
    /// Options of `pinna render` for each output, without input and output.
    public var options: [[String]]
    /// Outputs, relative to the batch's output folder.
    public var outputs: [String]
    /// Endpoints of the outputs.
    public var endpoints: [String]
    /// All files that the outputs may consist of.
    public var files: [String]

    /// Arguments of `pinna render` for the input `source`, one list for each output.
    public func arguments(source: String, spoolMemory: Int) -> [[String]] {
      zip(options, outputs).map { options, output in
        options + ["--output=\(Render.safe(output))", "--max-memory=\(spoolMemory)", "--", source]
      }
    }

    /// A name that can't be taken for the standard stream or an option.
    private static func safe(_ name: String) -> String {
      name.hasPrefix("-") ? "./" + name : name
    }
  }

  /// Its id.
  public var id: String
  /// The input as the manifest or folder names it.
  public var input: String
  /// Absolute path or URL of the input.
  public var source: String
  /// What is done with it.
  public var renders: [Render]
  /// Name of its album.
  public var album: String?
  /// Folder of the golden that its outputs must agree with.
  public var golden: String?
  /// Whether its samples must not depend on the processor.
  public var isDeterministic: Bool

  /// All files that its outputs may consist of.
  public var files: [String] { renders.flatMap(\.files) }

  /// Digest of what is asked for.
  public var job: String {
    var parts = [input, golden ?? "", album ?? ""]
    for render in renders {
      parts += ["render"]
      for (options, output) in zip(render.options, render.outputs) { parts += options + [output] }
    }
    return FileDigest.of(parts)
  }

  /// What decides its shard: albums stay together.
  var shardName: String { album.map { "album \($0)" } ?? id }
}
