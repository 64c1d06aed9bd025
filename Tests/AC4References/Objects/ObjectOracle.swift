// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

@testable import AC4

/// Facts about the shared object stream.
enum ObjectOracle {
  /// Folder of its files, if it is here.
  static let folder: String? = Oracle.folder.map { $0 + "2" }.flatMap {
    FileManager.default.fileExists(atPath: $0 + "/README.md") ? $0 : nil
  }

  static var isPresent: Bool { folder != nil && SharedMedia.isPresent }

  static func path(_ name: String) -> String { (folder ?? "/nowhere") + "/" + name }

  /// The frames of the stream.
  static func frames() throws -> [[UInt8]] { try MovieSamples("sample_ac4_level4.mp4").samples }

  /// The content of a gzip file.
  static func unpacked(_ name: String) throws -> Data {
    try Tool.run("gzip", ["-dc", path(name)]).output
  }

  /// The described fields of each frame.
  static func described() throws -> [Described] {
    try unpacked("level4.sideinfo.jsonl.gz").split(separator: UInt8(ascii: "\n")).map {
      Described(try JSONSerialization.jsonObject(with: Data($0)))
    }
  }

  /// Samples of a one-channel file.
  static func samples(_ name: String) throws -> [Float] {
    let result = try Tool.run(
      "ffmpeg", ["-v", "error", "-i", path(name), "-f", "f32le", "-"])
    return Signals.floats(result.output)
  }

  /// A value of a JSON file, read by names.
  struct Described {
    private let value: Any?

    init(_ value: Any?) { self.value = value }

    subscript(_ name: String) -> Described { Described((value as? [String: Any])?[name]) }
    subscript(_ index: Int) -> Described {
      Described(list.indices.contains(index) ? list[index].value : nil)
    }

    var list: [Described] { (value as? [Any] ?? []).map(Described.init) }
    var int: Int? { (value as? NSNumber)?.intValue }
    var ints: [Int] { list.compactMap(\.int) }
    var string: String? { value as? String }
    var isNull: Bool { value == nil || value is NSNull }
  }
}
