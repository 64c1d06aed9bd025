import Report

/// JSON schema (draft 2020-12) of manifests, made from ``RenderOption/all``.
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
    RenderOption.all.map { optional($0.name, value($0.form)) }
  }

  private static func object(_ name: String, _ properties: [SchemaObject.Property]) -> Schema {
    .object(SchemaObject(name: name, properties: properties))
  }

  private static func optional(
    _ name: String, _ schema: Schema = .text()
  ) -> SchemaObject.Property {
    SchemaObject.Property(name: name, schema: schema, isRequired: false)
  }

  private static func value(_ form: RenderOption.Form) -> Schema {
    switch form {
    case .value: return .either([.text(), .number])
    case .file: return .text()
    case .values, .files: return .either([.text(), .list(.text())])
    case .flag, .toggle: return .flag
    case .classes: return .either([.text(), .flag])
    }
  }
}
