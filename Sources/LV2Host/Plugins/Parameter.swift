import CLilv

/// A value of a plugin that messages set, instead of a control port.
struct Parameter {
  let uri: String
  let label: String
  /// The address of its type.
  let type: String

  /// What settings may call it besides its address: the last part of that.
  var symbol: String {
    uri.split(whereSeparator: { $0 == "#" || $0 == "/" || $0 == ":" }).last.map(String.init) ?? uri
  }

  /// The parameters of `plugin` that can be set.
  static func all(of plugin: OpaquePointer, _ world: World) -> [Parameter] {
    world.values(lilv_plugin_get_uri(plugin), LV2URI.patchWritable).map { node in
      Parameter(
        uri: Node.text(node), label: world.value(node, LV2URI.label)?.text ?? Node.text(node),
        type: world.value(node, LV2URI.range)?.text ?? "")
    }.sorted { $0.uri < $1.uri }
  }

  /// How the report calls its type.
  var kind: String {
    switch type {
    case LV2URI.atomPath: return "path"
    case LV2URI.atomInt, LV2URI.atomLong: return "integer"
    case LV2URI.atomBool: return "switch"
    case LV2URI.atomFloat, LV2URI.atomDouble: return "number"
    default: return "text"
    }
  }
}
