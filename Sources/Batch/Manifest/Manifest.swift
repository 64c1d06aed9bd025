// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Report

/// The demands of a manifest (`pinna.manifest/1`), before globs are expanded and names worked out.
package struct Manifest: Sendable, Equatable {
  /// One output of a job.
  package struct Output: Sendable, Equatable {
    /// Options that differ from the job's; paths of files are absolute.
    package var options = OptionValues()
    /// Name, relative to the output folder.
    package var name: NameTemplate?
  }

  /// One job; a pattern as its input makes it several.
  package struct Job: Sendable, Equatable {
    /// Its id; `nil` takes the input's path.
    package var id: String?
    /// File, pattern or URL as it is written.
    package var input = ""
    /// Options that differ from the manifest's; paths of files are absolute.
    package var options = OptionValues()
    /// Outputs; empty means one.
    package var outputs: [Output] = []
    /// Name for outputs that have none of their own.
    package var name: NameTemplate?
    /// Name of the album it belongs to.
    package var album: String?
    /// Folder of the golden that the outputs must agree with.
    package var golden: String?
    /// Line in the manifest.
    package var line: Int?
  }

  /// Value of `schema`.
  package static let schema = "pinna.manifest/1"

  /// Folder that inputs are relative to.
  package var folder: String
  /// Options of all jobs; paths of files are absolute.
  package var defaults = OptionValues()
  /// Name for outputs that have none of their own.
  package var name: NameTemplate?
  package var jobs: [Job] = []

  /// A manifest without jobs.
  package init(folder: String) { self.folder = folder }
}

/// Reads a list of input files: one a line, or separated by zero bytes when there are any.
package enum InputList {
  /// The paths in `bytes`, which came from `name`; empty lines are left out.
  /// - Throws: ``MediaError`` of kind `usage` when it isn't UTF-8 or lists nothing.
  package static func paths(_ bytes: [UInt8], name: String) throws -> [String] {
    let zero = UInt8(0)
    let newline = UInt8(ascii: "\n")
    let isZeroed = bytes.contains(zero)
    let pieces = bytes.withoutByteOrderMark.split(separator: isZeroed ? zero : newline)
    let paths = try pieces.map { piece in
      let isDOS = !isZeroed && piece.last == UInt8(ascii: "\r")
      guard let path = String(validating: isDOS ? piece.dropLast() : piece, as: UTF8.self) else {
        throw MediaError(
          .usage, "--input-list \(name): has a path that isn't UTF-8; rename the file")
      }
      return path
    }.filter { !$0.isEmpty }
    guard !paths.isEmpty else {
      throw MediaError(.usage, "--input-list \(name): lists no files; give one path a line")
    }
    return paths
  }
}

/// JSON schema (draft 2020-12) of manifests, made from ``Setting/ofManifests``.
package enum ManifestSchema {
  /// Of `pinna.manifest/1`, as JSON text.
  /// - Throws: an error when it can't be written, which tests rule out.
  package static func text() throws -> String {
    let output = object("Output", [optional("name")] + options)
    let jobKeys = ["id", "name", "album", "expect"].map { optional($0) }
    let job = object(
      "Job",
      [SchemaObject.Property(name: "input", schema: .text(), isRequired: true)] + jobKeys
        + [optional("outputs", .list(output, atLeast: 1))] + options)
    let root = object(
      "Manifest",
      [
        SchemaObject.Property(name: "schema", schema: .constant(Manifest.schema), isRequired: true),
        optional("extends"), optional("defaults", object("Defaults", [optional("name")] + options)),
        SchemaObject.Property(name: "jobs", schema: .list(job, atLeast: 1), isRequired: true),
      ])
    return try SchemaText.text(root, title: Manifest.schema)
  }

  private static var options: [SchemaObject.Property] {
    Setting.ofManifests.map(\.row).map { optional($0.key, schema(of: $0.value)) }
  }

  private static func object(_ name: String, _ properties: [SchemaObject.Property]) -> Schema {
    .object(SchemaObject(name: name, properties: properties))
  }

  private static func optional(
    _ name: String, _ schema: Schema = .text()
  ) -> SchemaObject.Property {
    SchemaObject.Property(name: name, schema: schema, isRequired: false)
  }

  private static func schema(of value: SettingValue) -> Schema {
    switch value {
    case .file: return .text()
    case .texts, .files: return .either([.text(), .list(.text())])
    case .flag, .toggle: return .flag
    case .classes: return .either([.text(), .flag])
    default: return .either([.text(), .number])
    }
  }
}
