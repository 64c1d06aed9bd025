/// JSON schema (draft 2020-12) of manifests.
public enum ManifestSchema {
  /// Of `pinna.manifest/1`, as JSON text.
  public static var text: String {
    let options = RenderOption.all.map { "\"\($0.name)\":\(type($0.form))" }.joined(
      separator: ",\n      ")
    return """
      {"$schema":"https://json-schema.org/draft/2020-12/schema","title":"pinna.manifest/1",
        "type":"object","required":["schema","jobs"],"additionalProperties":false,"properties":{
        "schema":{"const":"pinna.manifest/1"},"extends":{"type":"string"},
        "defaults":{"type":"object","additionalProperties":false,
        "properties":{"name":{"type":"string"},
        \(options)}},
        "jobs":{"type":"array","minItems":1,"items":{"type":"object","required":["input"],
        "additionalProperties":false,"properties":{"id":{"type":"string"},
        "input":{"type":"string"},"name":{"type":"string"},"album":{"type":"string"},
        "expect":{"type":"string"},
        "outputs":{"type":"array","minItems":1,"items":{"type":"object",
        "additionalProperties":false,"properties":{"name":{"type":"string"},
        \(options)}}},
        \(options)}}}}}

      """
  }

  private static func type(_ form: RenderOption.Form) -> String {
    switch form {
    case .value: return "{\"type\":[\"string\",\"number\"]}"
    case .file: return "{\"type\":\"string\"}"
    case .values: return "{\"type\":[\"string\",\"array\"],\"items\":{\"type\":\"string\"}}"
    case .flag, .toggle: return "{\"type\":\"boolean\"}"
    }
  }
}
