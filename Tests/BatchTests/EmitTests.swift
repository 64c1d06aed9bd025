// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Batch

/// Emitted files are well formed and pass every name on unchanged.
@Suite(.tags(.system), .fullRunOnly) struct EmitTests {
  /// A folder whose name holds characters that are special to shells, YAML, Slurm and Kubernetes.
  static let hostile = "/data/o'ne $(touch x) \"two\" %a \\ $HOME é✓ #:"
  private static let hasShellcheck = (try? Tool.run("shellcheck", ["--version"]))?.status == 0
  private static let hasYAML = (try? Tool.run("python3", ["-c", "import yaml"]))?.status == 0
  private static let hasParallel = (try? Tool.run("parallel", ["--version"]))?.status == 0

  private func order() -> EmitOrder {
    var order = EmitOrder(source: EmitTests.hostile + "/m.yaml", root: EmitTests.hostile + "/out")
    order.options = ["--on-damage", "conceal"]
    order.shards = 3
    order.minutes = 90
    order.image = "registry.example/pinna:1"
    order.queue = "main"
    return order
  }

  private func python(_ script: String, _ text: String) throws -> String {
    let result = try Tool.run("python3", ["-c", script], input: Data(text.utf8))
    #expect(result.status == 0, "\(result.errors)")
    return String(decoding: result.output, as: UTF8.self)
  }

  @Test(
    "shellcheck finds nothing in the emitted scripts",
    .enabled(if: hasShellcheck, "shellcheck isn't installed"),
    arguments: [EmitEngine.slurm, .gnuParallel, .awsBatch])
  func scriptsPassShellcheck(engine: EmitEngine) throws {
    let text = try order().text(for: engine)
    let result = try Tool.run(
      "shellcheck", ["-s", "bash", "-e", "SC2016,SC1003", "-"], input: Data(text.utf8))
    #expect(result.status == 0, "\(String(decoding: result.output, as: UTF8.self))")
  }

  @Test(
    "bash parses the emitted scripts", arguments: [EmitEngine.slurm, .gnuParallel, .awsBatch])
  func scriptsAreValidBash(engine: EmitEngine) throws {
    let text = try order().text(for: engine)
    #expect(try Tool.run("bash", ["-n"], input: Data(text.utf8)).status == 0)
  }

  /// The arguments that a stub in pinna's place gets for a shard.
  private func words(_ engine: EmitEngine, _ arguments: [String]) throws -> [[String]] {
    let folder = try TemporaryFolder()
    let stub = folder.file("pinna stub")
    let note = "#!/bin/sh\nprintf '%s\\0' \"$@\" >>\"$0.log\"; printf '\\n' >>\"$0.log\"\n"
    // A child process writes the stub. If this process did, another test's child might inherit the open
    // descriptor, and a file that is open for writing can't be run.
    let made = try Tool.run("install", ["-m", "755", "/dev/stdin", stub], input: Data(note.utf8))
    #expect(made.status == 0, "\(made.errors)")
    var order = self.order()
    order.program = stub
    try order.text(for: engine).write(
      toFile: folder.file("run.sh"), atomically: true, encoding: .utf8)
    let result = try Tool.run("bash", [folder.file("run.sh")] + arguments)
    #expect(result.status == 0, "\(result.errors)")
    return try String(contentsOfFile: stub + ".log", encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: "\0").map(String.init) }
  }

  @Test("Slurm's script passes special characters in names on unchanged")
  func slurmPassesNamesOn() throws {
    let shard = try words(.slurm, ["shard"])
    #expect(shard.count == 1)
    #expect(
      shard.first == [
        "batch", "-O", EmitTests.hostile + "/out", EmitTests.hostile + "/m.yaml", "--shards", "3",
        "-j", "1", "--progress", "none", "--job-memory", "1920M", "--on-damage", "conceal",
      ])
    let merge = try words(.slurm, ["merge"])
    #expect(merge.first?.starts(with: ["merge", "-O", EmitTests.hostile + "/out"]) == true)
    #expect(merge.first?.contains(EmitTests.hostile + "/out/.pinna/merged.json") == true)
  }

  @Test("Slurm's script escapes % in the names of logs")
  func slurmEscapesItsOwnPatterns() throws {
    let text = try order().text(for: .slurm)
    #expect(text.contains("%%a"))
    #expect(text.contains("--dependency=\"afterany:"))
    #expect(text.contains("--time=90"))
  }

  @Test(
    "GNU parallel runs each shard once, and then merge",
    .enabled(if: hasParallel, "GNU parallel isn't installed"))
  func parallelRunsEachShardOnceAndMerges() throws {
    let calls = try words(.gnuParallel, ["-j", "1"])
    let shards = calls.filter { $0.first == "batch" }.compactMap(\.last).sorted()
    #expect(shards == ["1/3", "2/3", "3/3"])
    #expect(calls.last?.first == "merge")
    #expect(calls.allSatisfy { $0[2] == EmitTests.hostile + "/out" })
  }

  @Test(
    "Kubernetes gets an indexed job and a suspended one for merge",
    .enabled(if: hasYAML, "python3-yaml isn't installed"))
  func kubernetesIsTwoJobs() throws {
    let script = """
      import json, sys, yaml
      print(json.dumps(list(yaml.safe_load_all(sys.stdin))))
      """
    let text = try python(script, order().text(for: .kubernetes))
    let jobs = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    #expect(jobs.count == 2)
    let spec = try #require(jobs[0]["spec"] as? [String: Any])
    #expect(spec["completionMode"] as? String == "Indexed")
    #expect(spec["completions"] as? Int == 3)
    #expect(spec["backoffLimitPerIndex"] as? Int == 3)
    #expect((jobs[1]["spec"] as? [String: Any])?["suspend"] as? Bool == true)
    let pod = (spec["template"] as? [String: Any])?["spec"] as? [String: Any]
    let container = (pod?["containers"] as? [[String: Any]])?.first
    let command = try #require(container?["command"] as? [String])
    // Kubernetes reads $$ as a dollar sign.
    #expect(command[3] == (EmitTests.hostile + "/out").replacing("$", with: "$$"))
  }

  /// An index is given up after every failure that another attempt can't mend: those of the reference
  /// but 75, and 10 of a batch whose items aren't all done. Signals aren't exit codes of failures.
  @Test("Kubernetes gives up after each exit code but 75 and those of signals")
  func kubernetesGivesUpAfterEveryLastingFailure() {
    let lasting = MediaError.Kind.allCases.map { Int(MediaError($0, "").exitCode) }
      .filter { $0 != 75 && $0 < 128 }
    #expect(Set(EmitKubernetes.permanent) == Set(lasting + [10]))
  }

  @Test("AWS Batch gets definitions that are JSON")
  func awsDefinitionsAreJSON() throws {
    let text = try order().text(for: .awsBatch)
    let folder = try TemporaryFolder()
    // A stub of aws keeps what it is given as JSON.
    let stub = """
      aws() { while [ $# -gt 1 ]; do if [ "$1" = --cli-input-json ]; then printf '%s' "$2" \
      | python3 -c 'import json, sys; json.load(sys.stdin)' || exit 9; fi; shift; done; echo id; }

      """
    try (stub + text).write(toFile: folder.file("a.sh"), atomically: true, encoding: .utf8)
    let result = try Tool.run("bash", [folder.file("a.sh")])
    #expect(result.status == 0, "\(result.errors)")
    #expect(String(decoding: result.output, as: UTF8.self).contains("shards: job id"))
  }

  @Test("Snakemake's file holds names that Python reads back unchanged")
  func snakefilesHoldNamesAsPythonReadsThem() throws {
    let text = try order().text(for: .snakemake)
    let line = try #require(text.split(separator: "\n").first { $0.contains("lambda") })
    let list = line.drop { $0 != "[" }
    let back = try python("import sys; print(eval(sys.stdin.read())[3])", String(list))
    #expect(back == EmitTests.hostile + "/out\n" || back == EmitTests.hostile + "/m.yaml\n")
  }

  @Test("an order without image or queue, or with a name that an engine can't take, is refused")
  func whatAnEngineCantTakeIsRefused() throws {
    var image = order()
    image.image = nil
    #expect(throws: MediaError.self) { try image.text(for: .kubernetes) }
    var queue = order()
    queue.queue = nil
    #expect(throws: MediaError.self) { try queue.text(for: .awsBatch) }
    var one = order()
    one.shards = 1
    #expect(throws: MediaError.self) { try one.text(for: .awsBatch) }
    #expect(throws: Never.self) { try one.text(for: .slurm) }
    var outside = order()
    outside.root = "/elsewhere/out"
    #expect(throws: MediaError.self) { try outside.text(for: .kubernetes) }
    var line = order()
    line.root = "a\nb"
    #expect(throws: MediaError.self) { try line.text(for: .slurm) }
    var braces = order()
    braces.root = "/data/{x}"
    #expect(throws: MediaError.self) { try braces.text(for: .snakemake) }
    var name = order()
    name.name = "Not A Name"
    #expect(throws: MediaError.self) { try name.text(for: .kubernetes) }
  }

  @Test("relative paths of an order become absolute")
  func relativePathsAreMadeAbsolute() throws {
    var order = EmitOrder(source: "m.yaml", root: "out")
    order.image = "pinna"
    #expect(try order.text(for: .kubernetes).contains("\"/data/m.yaml\""))
    let here = FileManager.default.currentDirectoryPath
    #expect(try order.text(for: .slurm).contains(here + "/m.yaml"))
  }
}
