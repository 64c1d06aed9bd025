// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A render in a folder of its own, with and without the sandbox.
struct SandboxedJob {
  let folder: TemporaryFolder
  /// Arguments of `render` behind the input, without output.
  var arguments: [String] = []
  var environment: [String: String] = [:]

  /// A folder with a short programme `in/in.wav`, and room for outputs.
  init(channels: Int = 2) throws {
    folder = try TemporaryFolder()
    for name in ["in", "plain", "kept", "tmp", "side"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: false)
    }
    try TestProgramme.wav(
      channels: channels, seconds: 1, mask: channels == 6 ? 0x3F : nil
    ).write(to: folder.url("in/in.wav"))
  }

  /// Renders `input` to `output` in the folder `place`.
  func run(
    _ place: String, _ output: String, of input: String? = nil, _ more: [String] = [],
    stdin: Data? = nil
  ) throws -> Tool.Result {
    let behind = arguments.firstIndex(of: "--") ?? arguments.endIndex
    let target = output == "-" ? "-" : folder.file("\(place)/\(output)")
    return try Product.run(
      ["render", input ?? folder.file("in/in.wav"), "-o", target]
        + arguments[..<behind].map { $0.replacing("PLACE", with: folder.file(place)) } + more
        + arguments[behind...],
      input: stdin, environment: environment.merging(["TMPDIR": folder.file("tmp")]) { $1 })
  }

  /// Names and bytes of all files in the folder `place`.
  func content(_ place: String) throws -> [String: Data] {
    var content: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.file(place)) {
      if let data = FileManager.default.contents(atPath: folder.file("\(place)/\(name)")) {
        content[name] = data
      }
    }
    return content
  }

  /// Differences between the outputs `output` of a render without and with the sandbox; empty when there are none.
  func differences(_ output: String, of input: String? = nil) throws -> [String] {
    let plain = try run("plain", output, of: input)
    let kept = try run("kept", output, of: input, ["--sandbox"])
    var faults: [String] = []
    for (name, result) in [("plain", plain), ("sandbox", kept)] where result.status != 0 {
      faults.append("\(name): exit \(result.status), \(result.errors)")
    }
    let (one, other) = (try content("plain"), try content("kept"))
    if one.isEmpty { faults.append("no output") }
    faults += Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }.sorted()
    if plain.output != kept.output { faults.append("standard output") }
    let left = try content("tmp").keys
    if !left.isEmpty || !leftFolders.isEmpty { faults.append("left \(left) \(leftFolders)") }
    return faults
  }

  /// Names in the folder for temporary files.
  var leftFolders: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.file("tmp"))) ?? []
  }
}
