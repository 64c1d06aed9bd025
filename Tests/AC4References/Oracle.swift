// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Results of other implementations for the streams; beside the checkout, not part of it.
enum Oracle {
  /// Folder of the oracle's files, if it is here.
  static let folder: String? = ["../../..", "../../../.."]
    .map { up in
      URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: up + "/shared/ac4/oracle").standardizedFileURL.path
    }
    .first { FileManager.default.fileExists(atPath: $0 + "/README.md") }

  static var isPresent: Bool { folder != nil }

  static func path(_ name: String) -> String { (folder ?? "/nowhere") + "/" + name }

  /// The content of a gzip file.
  static func unpacked(_ name: String) throws -> Data {
    try Tool.run("gzip", ["-dc", path(name)]).output
  }

  /// The frames described field by field.
  static func describedFrames(_ stream: RealStream) throws -> [DescribedFrame] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path(stream.rawValue + ".toc.json")))
    let file = try JSONDecoder().decode(DescribedFile.self, from: data)
    return [file.first_frame_fields] + file.other_frames
  }

  /// One entry for each frame of the stream.
  static func control(_ stream: RealStream) throws -> [ControlFrame] {
    let data = try unpacked(stream.rawValue + ".ctl.jsonl.gz")
    let decoder = JSONDecoder()
    return try data.split(separator: UInt8(ascii: "\n")).map {
      try decoder.decode(ControlFrame.self, from: Data($0))
    }
  }
}
