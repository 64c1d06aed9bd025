import Foundation
import TestSupport

/// Planes of a media file as ffmpeg decodes it, to check files that Pinna wrote.
struct Decoded {
  let planes: [[Float]]
  let rate: Int

  /// Planes at `rate` Hz that were never in a file.
  init(rate: Int, planes: [[Float]]) { (self.rate, self.planes) = (rate, planes) }

  init(_ path: String) throws {
    let probe = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "a:0", "-show_entries", "stream=channels,sample_rate",
        "-of", "csv=p=0", path,
      ])
    let fields = String(decoding: probe.output, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines).split(separator: ",").compactMap { Int($0) }
    guard fields.count == 2 else { throw ToolFailure(text: "ffprobe \(path): \(probe.errors)") }
    rate = fields[0]
    let channels = fields[1]
    let result = try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-f", "f32le", "-"])
    guard result.status == 0 else { throw ToolFailure(text: result.errors) }
    planes = result.output.withUnsafeBytes { raw in
      let samples = raw.bindMemory(to: Float.self)
      return (0..<channels).map { channel in
        stride(from: channel, to: samples.count, by: channels).map { samples[$0] }
      }
    }
  }
}
