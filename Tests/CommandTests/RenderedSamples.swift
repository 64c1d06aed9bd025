import Foundation
import TestSupport

/// Samples and report of a `pinna render` that keeps the input's level and layout.
struct RenderedSamples {
  let planes: [[Float]]
  let report: [String: Any]

  /// Samples per channel.
  var count: Int { planes.first?.count ?? 0 }

  /// Codes of the degradations.
  var kinds: [String] { entries("degradations").compactMap { $0["code"] as? String } }

  /// Sentences of the degradations.
  var notes: String {
    entries("degradations").compactMap { $0["message"] as? String }.joined(separator: "\n")
  }

  /// Decisions by what they are about.
  func choice(_ what: String) -> String? {
    entries("decisions").first { $0["code"] as? String == what }?["chose"] as? String
  }

  /// The input's entry in the report.
  var input: [String: Any]? { entries("inputs").first }

  /// The report's section on the timeline.
  var timeline: [String: Any]? { input?["timeline"] as? [String: Any] }

  init(
    _ input: String, _ extra: [String] = [], environment: [String: String] = [:]
  ) throws {
    let folder = try TemporaryFolder()
    let result = try Product.run(
      RenderedSamples.arguments(input, folder) + extra + ["--json"], environment: environment)
    guard result.status == 0 else { throw ToolFailure(text: "\(result.status) \(result.errors)") }
    report = try JSONSerialization.jsonObject(with: result.output) as? [String: Any] ?? [:]
    let raw = try Tool.run(
      "ffmpeg", ["-v", "error", "-i", folder.file("o.wav"), "-f", "f32le", "-"])
    let outputs = report["outputs"] as? [[String: Any]]
    let samples = raw.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let frames = max(1, outputs?.first?["samples"] as? Int ?? 1)
    let channels = samples.count / frames
    planes = (0..<channels).map { channel in
      stride(from: channel, to: samples.count, by: channels).map { samples[$0] }
    }
  }

  /// How a render that should fail ends; nothing may be left behind.
  static func failure(
    _ input: String, _ extra: [String] = [], environment: [String: String] = [:]
  ) throws -> Tool.Result {
    let folder = try TemporaryFolder()
    let result = try Product.run(arguments(input, folder) + extra, environment: environment)
    guard folder.contents.isEmpty else { throw ToolFailure(text: "left \(folder.contents)") }
    return result
  }

  private static func arguments(_ input: String, _ folder: TemporaryFolder) -> [String] {
    ["render", input, "-o", folder.file("o.wav"), "-e", "none", "-l", "off", "-b", "32f"]
  }

  private func entries(_ key: String) -> [[String: Any]] { report[key] as? [[String: Any]] ?? [] }
}
