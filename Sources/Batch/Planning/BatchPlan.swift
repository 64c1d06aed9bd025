// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Report

/// Everything that a batch will do, determined before the first item is rendered.
package struct BatchPlan: Sendable {
  /// The output folder.
  package let root: String
  /// The manifest or folder, as it was named.
  package let source: String
  /// All items, in the order of the manifest, or sorted.
  package let items: [BatchItem]
  /// Files of the folder that are left out, with the reason.
  package let skipped: [String: String]
  /// Outputs that got a number because another job has their name, each with its job.
  package var renamed: [(id: String, path: String)] = []

  /// Digest of all ids and what is asked for.
  package var digest: String {
    FileDigest.of(items.flatMap { [$0.id, $0.job] })
  }

  /// The role of the file at `path` in this batch, such as `an input`; `nil` when it has none. With `isFolder` it
  /// is that of the files in the folder at `path`, too.
  package func role(of path: String, isFolder: Bool = false) -> String? {
    if let identity = FolderListing.identity(path) {
      if FolderListing.identity(source) == identity {
        return PathParts.isFolder(source) ? "the input folder" : "the manifest"
      }
      if items.contains(where: { FolderListing.identity($0.source) == identity }) {
        return "an input"
      }
    }
    let folder = PathParts.folder(of: PathParts.absolute(path))
    guard let above = PathParts.real(folder), let real = PathParts.real(root),
      let own = PathParts.rest(of: above + "/" + PathParts.split(path).name, below: real)
    else { return nil }
    let place = own.lowercased()
    let results = ResultStore.folderName
    if place.hasPrefix(results + "/items/") || place.hasPrefix(results + "/shards/")
      || isFolder && place == results
    {
      return "a result of the batch"
    }
    let isTaken = items.contains { item in
      item.files.contains {
        let file = $0.lowercased()
        return PathName(file) == PathName(place)
          || isFolder && PathParts.rest(of: file, below: place) != nil
      }
    }
    return isTaken ? "an output" : nil
  }

  /// The items of `shard`; all of them without one.
  package func items(of shard: Shard?) -> [BatchItem] {
    shard.map { shard in items.filter { shard.contains($0) } } ?? items
  }
}

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

  package var id: String
  /// The input as the manifest or folder names it.
  package var input: String
  /// Absolute path or URL of the input.
  package var source: String
  /// Renders of the input.
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

/// Arguments of `pinna render` for one output of one input: options, which many items share, and the two names.
package struct RenderWords: Sendable, Hashable {
  /// The options, without input and output.
  package var options: [String]
  package var output: String
  /// The input.
  package var source: String

  /// Arguments.
  package init(options: [String], output: String, source: String) {
    self.options = options
    self.output = output
    self.source = source
  }

  /// All arguments.
  package var all: [String] { options + ["--output=\(output)", "--", source] }
}

/// A part of a batch for one of several machines. The shard of an item depends on the item's
/// id alone, or on its album's name, so no item is rendered twice, whichever shards run.
package struct Shard: Sendable, Codable, Hashable {
  /// Number, from 1.
  package let index: Int
  /// Number of shards.
  package let count: Int

  /// Most shards a batch can have.
  private static let most = 1_000_000

  /// Shard `index` of `count`.
  /// - Throws: ``MediaError`` of kind `usage`.
  package init(index: Int, count: Int) throws {
    guard (1...Shard.most).contains(count), (1...count).contains(index) else {
      throw MediaError(
        .usage, "--shard \(index)/\(count): shards are numbered from 1, as 1/4 to 4/4")
    }
    self.index = index
    self.count = count
  }

  /// Reads `i/n`.
  /// - Throws: ``MediaError`` of kind `usage`.
  package init(_ text: String) throws {
    let parts = text.parts(at: "/").map { Int($0) }
    guard parts.count == 2, let index = parts[0], let count = parts[1] else {
      throw MediaError(.usage, "--shard \(text): give it as i/n, as 1/4 to 4/4")
    }
    try self.init(index: index, count: count)
  }

  /// Shard of `count` whose number a cluster's scheduler has put into the environment: that of a Slurm
  /// array task counted from its first (SLURM_ARRAY_TASK_MIN), of a Kubernetes indexed job
  /// (JOB_COMPLETION_INDEX, from 0) or of an AWS Batch array job (AWS_BATCH_JOB_ARRAY_INDEX, from 0).
  /// - Throws: ``MediaError`` of kind `usage` when there is none or it doesn't fit.
  package init(count: Int, environment: [String: String]) throws {
    let sources = [
      ("SLURM_ARRAY_TASK_ID", environment["SLURM_ARRAY_TASK_MIN"].flatMap { Int($0) } ?? 0),
      ("JOB_COMPLETION_INDEX", 0), ("AWS_BATCH_JOB_ARRAY_INDEX", 0),
    ]
    for (name, first) in sources {
      guard let text = environment[name] else { continue }
      guard let number = Int(text), number >= first, number - first < count else {
        throw MediaError(
          .usage,
          "--shards \(count): \(name) is \(text), which isn't \(first) to \(first + count - 1); make "
            + "the array as large as --shards")
      }
      try self.init(index: number - first + 1, count: count)
      return
    }
    throw MediaError(
      .usage,
      "--shards \(count): no scheduler says which shard this is ("
        + sources.map(\.0).joined(separator: ", ") + "); give --shard i/\(count)")
  }

  /// `i/n`.
  package var text: String { "\(index)/\(count)" }

  /// Name of its files.
  var fileName: String { "\(index)-of-\(count)" }

  /// Whether `item` belongs to it.
  func contains(_ item: BatchItem) -> Bool {
    FileDigest.number(item.shardName) % UInt64(count) == UInt64(index - 1)
  }
}

/// SHA-256 as 64 hexadecimal digits.
package enum FileDigest {
  /// The digest of `texts`; their boundaries count.
  package static func of(_ texts: [String]) -> String {
    var digest = Digest(.sha256)
    for text in texts {
      digest.update(Array("\(text.utf8.count):".utf8))
      digest.update(Array(text.utf8))
    }
    return digest.hexadecimal
  }

  /// The digest of the file at `path`, and its size in bytes.
  /// - Throws: ``MediaError`` of kind `inputMissing` or `inputUnreadable`.
  package static func ofFile(_ path: String) throws -> (sha256: String, bytes: Int64) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code = errno
      let text = String(cString: strerror(code))
      let kind: MediaError.Kind = code == ENOENT ? .inputMissing : .inputUnreadable
      throw MediaError(
        kind, about: path,
        Sandbox.readRefusal(path, code) ?? "can't be read (\(text)); check the path")
    }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw MediaError(.inputUnreadable, about: path, "not a regular file; give a file")
    }
    var digest = Digest(.sha256)
    var size: Int64 = 0
    // Most files of a large batch are small; one byte more finds the end.
    let room = min(1 << 18, max(1 << 12, Int(facts.st_size) + 1))
    let code = Descriptor.readToEnd(descriptor, size: room) {
      $0.withUnsafeBytes { digest.update($0) }
      size += Int64($0.count)
    }
    guard code == 0 else {
      throw MediaError(
        .inputUnreadable, about: path, "can't be read (\(String(cString: strerror(code))))")
    }
    return (digest.hexadecimal, size)
  }

  /// The first eight bytes of the digest of `text` as a number.
  static func number(_ text: String) -> UInt64 {
    var digest = Digest(.sha256)
    digest.update(Array(text.utf8))
    return digest.bytes.prefix(8).bigEndian()
  }
}
