// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The files with objects beside the checkout, and what is expected of them (`manifest.json`).
package enum ObjectCases {
  /// One file.
  package struct Case: Decodable, Sendable, CustomStringConvertible {
    /// One way to render it.
    package struct Rendering: Decodable, Sendable {
      /// The choices for it.
      package struct Options: Decodable, Sendable {
        package let programme: String?
        package let comp: [String]?
        package let importance: Int?
      }
      package let options: Options
      /// Expected sound by layout, e.g. `0+5+0`; of more than eight channels in two files.
      package let files: [String: [String]]
    }
    package let id: String
    /// Path of the file below the cases.
    package let input: String
    /// `render`, or what else may become of it.
    package let expect: String
    package let renders: [Rendering]?

    package var description: String { id }
    /// Whether the file is one of those that are broken on purpose.
    package var isHostile: Bool { expect != "render" }
  }

  private struct Manifest: Decodable {
    let cases: [Case]
  }

  /// Folder of cases and vectors, if it is here.
  package static let folder: String? = SharedMedia.beside("adm")

  /// Whether the files are here.
  package static var isPresent: Bool { folder != nil }

  /// Path of a file below the folder.
  package static func path(_ name: String) -> String { (folder ?? "/nowhere") + "/" + name }

  /// All of the manifest; none when the files aren't here.
  package static let all: [Case] = {
    guard let data = FileManager.default.contents(atPath: path("cases/manifest.json")),
      let manifest = try? JSONDecoder().decode(Manifest.self, from: data)
    else { return [] }
    return manifest.cases
  }()
}
