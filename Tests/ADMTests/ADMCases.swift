import Foundation

@testable import ADM

/// The files beside the checkout that hold definition metadata, and what is expected of them.
enum ADMCases {
  /// One file.
  struct Case: Decodable, Sendable, CustomStringConvertible {
    struct Rendering: Decodable, Sendable {
      struct Options: Decodable, Sendable {
        let programme: String?
        let comp: [String]?
        let importance: Int?
      }
      let options: Options
    }
    let id: String
    let input: String
    let expect: String
    let renders: [Rendering]?

    var description: String { id }
    /// Whether the file is one of those that are broken on purpose.
    var isHostile: Bool { expect != "render" }
  }

  private struct Manifest: Decodable {
    let cases: [Case]
  }

  /// Their folder, if it is here.
  static let folder: String? = ["../../../shared/adm", "../../../../shared/adm"]
    .map { URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: $0) }
    .map(\.standardizedFileURL.path)
    .first { FileManager.default.fileExists(atPath: $0 + "/cases/manifest.json") }

  /// Whether the files are here.
  static var isPresent: Bool { folder != nil }

  /// All of the manifest; none when the files aren't here.
  static let all: [Case] = {
    guard let folder,
      let data = FileManager.default.contents(atPath: folder + "/cases/manifest.json"),
      let manifest = try? JSONDecoder().decode(Manifest.self, from: data)
    else { return [] }
    return manifest.cases
  }()

  /// The bytes of one file below the folder.
  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: (folder ?? "/nowhere") + "/" + path)))
  }

  /// The container of one case.
  static func container(_ id: String, findings: FindingLog = FindingLog()) throws -> ADMContainer {
    try ADMContainer(WAVFile.source(bytes("cases/\(id)/input.wav")), findings: findings)
  }
}
