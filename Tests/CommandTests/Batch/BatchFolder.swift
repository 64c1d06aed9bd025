// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A folder with short programmes in `in` and room for outputs.
struct BatchFolder {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("in"), withIntermediateDirectories: false)
  }

  /// Makes a programme that differs from all others.
  func programme(_ name: String, seconds: Double = 0.4, level: Float = 0.1) throws {
    let url = folder.url("in/" + name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try TestProgramme.wav(channels: 2, seconds: seconds, level: level).write(to: url)
  }

  /// Hours of silence that take no disk space, but a while to render.
  func long(_ name: String, hours: Int = 1) throws {
    try LongProgramme.make(folder.file("in/" + name), samples: hours * 3600 * 48_000)
  }

  /// Saves a manifest and gives its path.
  func manifest(_ lines: [String], name: String = "m.yaml") throws -> String {
    try Data((["schema: pinna.manifest/1"] + lines).joined(separator: "\n").utf8)
      .write(to: folder.url(name))
    return folder.file(name)
  }

  /// Runs `pinna batch SOURCE -O OUT`.
  func batch(
    _ source: String? = nil, to output: String = "out", _ extra: [String] = []
  ) throws -> Tool.Result {
    try Product.run(
      ["batch", source ?? folder.file("in"), "-O", folder.file(output)] + extra)
  }

  /// Refusal by `pinna batch SOURCE -O OUT` before any worker starts.
  func refusal(
    _ source: String? = nil, to output: String = "out", _ extra: [String] = []
  ) async throws -> Tool.Result {
    try await InProcess.run(
      ["batch", source ?? folder.file("in"), "-O", folder.file(output)] + extra)
  }

  /// Runs it and reads its report.
  func report(
    _ source: String? = nil, to output: String = "out", _ extra: [String] = []
  ) throws -> BatchOutcome {
    BatchOutcome(try batch(source, to: output, extra + ["--json"]))
  }

  /// Runs `script`, in which `$0` is the product and `$1` the folder.
  func bash(_ script: String, _ more: [String] = []) throws -> Tool.Result {
    try Tool.run(
      "bash", ["-c", script, Product.path, folder.path] + more, environment: ["PINNA_CACHE": "off"])
  }

  /// Everything in a folder: files with their bytes, results without their cost.
  func content(_ name: String = "out") throws -> [String: Data] {
    let root = folder.file(name)
    var content: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: root) {
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: root + "/" + path, isDirectory: &isFolder)
      if isFolder.boolValue { continue }
      let data = try Data(contentsOf: URL(fileURLWithPath: root + "/" + path))
      // A killed run may have left a part of a file.
      let isResult = path.hasPrefix(".pinna/items/") && path.hasSuffix(".json")
      content[path] = isResult ? try BatchFolder.timeless(data) : data
    }
    return content
  }

  private static func timeless(_ data: Data) throws -> Data {
    guard var result = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
      return data
    }
    result["performance"] = nil
    return try JSONSerialization.data(withJSONObject: result, options: .sortedKeys)
  }
}
