// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// The contents of a file for another engine.
package struct EmitOrder: Sendable, Equatable {
  /// The manifest or folder; in containers relative to ``mount``, or below it.
  package var source: String
  /// The output folder, likewise.
  package var root: String
  /// Further options of `pinna batch` and `pinna merge`.
  package var options: [String] = []
  /// Time a file may take, as `pinna batch --job-timeout` takes it.
  package var jobTimeout: String?
  /// Number of shards.
  package var shards = 4
  /// How pinna is called.
  package var program = "pinna"
  /// Processors of a shard.
  package var cpus = 1
  /// Memory of a shard, MiB.
  package var memory = 2048
  /// Minutes a shard may take; `nil` leaves it to the engine.
  package var minutes: Int?
  /// Times a shard is started again after failures that may pass.
  package var retries = 3
  /// Container image.
  package var image: String?
  /// Name of the jobs.
  package var name = "pinna"
  /// Volume mounted in containers: a claim of Kubernetes, a file system of AWS.
  package var volume = "media"
  /// Path at which it is mounted.
  package var mount = "/data"
  /// Queue of AWS Batch.
  package var queue: String?

  /// Megabytes of the batch's own process, and the least a job gets.
  private static let ownMemory = 128
  private static let leastJobMemory = 128

  /// An order for this source and output folder.
  package init(source: String, root: String) {
    self.source = source
    self.root = root
  }

  /// Checks what the engines ask for.
  /// - Throws: ``MediaError`` of kind `usage`.
  package func check(_ engine: EmitEngine) throws {
    func refuse(_ sentence: String) -> MediaError { MediaError(.usage, sentence) }
    // AWS arrays have 2 to 10000 parts, Slurm's usual MaxArraySize is 1001, Kubernetes' limit 100000.
    let range = engine == .awsBatch ? 2...10_000 : 1...100_000
    guard range.contains(shards) else {
      throw refuse(
        "--shards \(shards): \(engine.rawValue) takes \(range.lowerBound) to \(range.upperBound)")
    }
    guard (1...4096).contains(cpus) else { throw refuse("--cpus \(cpus): give 1 to 4096") }
    let least = EmitOrder.ownMemory + cpus * EmitOrder.leastJobMemory
    guard (least...1 << 24).contains(memory) else {
      throw refuse("--memory \(memory)M: \(cpus) processors need \(least)M or more")
    }
    // AWS Batch makes at most 10 attempts.
    guard (0...9).contains(retries) else { throw refuse("--retries \(retries): give 0 to 9") }
    let isName =
      !name.isEmpty && name.utf8.count <= 50
      && name.allSatisfy {
        $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-")
      }
    guard isName, name.first != "-", name.last != "-" else {
      throw refuse("--job-name \(name): give lower-case letters, digits and dashes, at most 50")
    }
    let texts = [source, root, program, image ?? "", volume, mount, queue ?? ""] + options
    guard !texts.contains(where: { $0.utf8.contains(0) || $0.utf8.contains(10) }) else {
      throw refuse("a name holds a line break or a zero byte, which no engine passes on; rename it")
    }
    guard engine != .snakemake || !root.contains(where: { "{}".contains($0) }) else {
      throw refuse("-O \(root): Snakemake takes braces in names for its own; use another folder")
    }
    guard engine.usesImages else { return }
    guard image != nil else { throw refuse("--image: \(engine.rawValue) needs a container image") }
    guard engine != .awsBatch || queue != nil else { throw refuse("--queue: aws-batch needs one") }
    guard PathParts.isAbsolute(mount), mount != "/" else {
      throw refuse("--mount \(mount): give /folder")
    }
    for path in [source, root]
    where PathParts.isAbsolute(path) && PathParts.rest(of: path, below: mount) == nil {
      throw refuse("\(path): isn't below --mount \(mount), so that a container can't see it")
    }
  }

  /// Refuses inputs of `plan` that containers wouldn't find.
  /// - Throws: ``MediaError`` of kind `usage` that names the first of them.
  package func checkInputs(of plan: BatchPlan, for engine: EmitEngine) throws {
    guard engine.usesImages else { return }
    for item in plan.items where !item.source.contains("://") {
      let path = item.source
      let isSeen =
        PathParts.isAbsolute(path)
        ? PathParts.rest(of: path, below: mount) != nil : PathParts.normalized(path) != nil
      guard isSeen else {
        throw MediaError(
          .usage, about: path,
          "is an input that isn't below --mount \(mount), so that a container can't see it"
        )
      }
    }
  }

  /// The text of the file for `engine`. Relative paths are made absolute, in containers below
  /// ``mount``.
  /// - Throws: what ``check(_:)`` throws.
  package func text(for engine: EmitEngine) throws -> String {
    try check(engine)
    if engine.usesImages {
      for path in [source, root] where PathParts.of(path).contains("..") {
        throw MediaError(
          .usage, about: path, "leads out of --mount \(mount), so that a container can't see it")
      }
    }
    var order = self
    for place in [\EmitOrder.source, \.root] {
      order[keyPath: place] =
        engine.usesImages
        ? PathParts.joined(mount, self[keyPath: place]) : PathParts.absolute(self[keyPath: place])
    }
    switch engine {
    case .slurm: return EmitSlurm(order: order).text
    case .kubernetes: return EmitKubernetes(order: order).text
    case .awsBatch: return EmitAWSBatch(order: order).text
    case .snakemake: return EmitSnakemake(order: order).text
    case .gnuParallel: return EmitGNUParallel(order: order).text
    }
  }

  /// `pinna batch` for a shard that the environment names, as words.
  var batchWords: [String] { words("batch", ["--shards", "\(shards)"] + run) }

  /// `pinna merge` with a report of the whole, as words.
  var mergeWords: [String] {
    words(
      "merge",
      ["--shards", "\(shards)", "--report", report, "--junit", root + "/.pinna/merged.xml"])
  }

  /// `pinna batch` for the shard whose number a script fills in as `part`, a word for the shell.
  func batchLine(part: String) -> String {
    ShellText.line([program, "batch"] + call + run + options) + " --shard \(part)/\(shards)"
  }

  /// Path of the report of the whole.
  var report: String { root + "/.pinna/merged.json" }

  private var call: [String] { ["-O", root, source] }

  /// How the files of a shard are run.
  private var run: [String] {
    // A worker's limit, so that a greedy file fails alone and not its shard.
    ["-j", "\(cpus)", "--progress", "none", "--job-memory", "\(jobMemory)M"]
      + (jobTimeout.map { ["--job-timeout", $0] } ?? [])
  }

  /// Megabytes a job may take: a processor's share of what isn't the batch's own.
  private var jobMemory: Int { (memory - EmitOrder.ownMemory) / cpus }

  private func words(_ command: String, _ more: [String]) -> [String] {
    [program, command] + call + more + options
  }
}

/// A system that runs the shards of a batch on several machines, or several of them on one.
package enum EmitEngine: String, Sendable, CaseIterable {
  /// Slurm: a script that submits an array and a merge after it.
  case slurm
  /// Kubernetes: an indexed job and a suspended one that merges.
  case kubernetes
  /// AWS Batch: a script that registers and submits an array job and a merge after it.
  case awsBatch = "aws-batch"
  /// Snakemake: a Snakefile with a rule for shards and one that merges.
  case snakemake
  /// GNU parallel: a script.
  case gnuParallel = "gnu-parallel"

  /// Whether shards run in containers.
  package var usesImages: Bool { self == .kubernetes || self == .awsBatch }
}

/// Words of a POSIX shell.
package enum ShellText {
  /// `text` as one word, whatever is in it.
  package static func quoted(_ text: String) -> String {
    let plain = text.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || "_-./:,+@".utf8.contains(byte)
    }
    guard !plain || text.isEmpty else { return text }
    // Scalars are compared, because a quotation mark with a combining accent is another character.
    var result = "'"
    for scalar in text.unicodeScalars {
      if scalar == "'" { result += "'\\''" } else { result.unicodeScalars.append(scalar) }
    }
    return result + "'"
  }

  /// The words of a command line, parted by spaces where neither quotation marks nor a backslash keep them; `nil` where a mark isn't
  /// closed.
  package static func words(of text: String) -> [String]? {
    var words: [String] = []
    var (word, mark): (String?, Character?) = (nil, nil)
    var rest = text[...]
    while let letter = rest.popFirst() {
      switch (letter, mark) {
      case ("\\", nil), ("\\", "\""):
        word = (word ?? "") + (rest.popFirst().map { String($0) } ?? "")
      case ("'", nil), ("\"", nil):
        mark = letter
        word = word ?? ""
      case (let letter, let open?) where letter == open: mark = nil
      case (" ", nil):
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(letter)
      }
    }
    if let word { words.append(word) }
    return mark == nil ? words : nil
  }

  /// `words` as a command.
  static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }
}
