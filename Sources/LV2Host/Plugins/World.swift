import AudioCore
import CLilv

/// The descriptions of plugins that lilv has read.
final class World {
  let raw: OpaquePointer
  private var known: [String: Node] = [:]

  /// A world of nothing yet.
  /// - Throws: ``MediaError`` of kind `outOfResources`.
  init() throws {
    guard let raw = lilv_world_new() else {
      throw MediaError(.outOfResources, "lilv has no memory; try again")
    }
    self.raw = raw
  }

  deinit {
    known.removeAll()
    lilv_world_free(raw)
  }

  /// Reads the descriptions of all plugins that are installed.
  func loadAll() { lilv_world_load_all(raw) }

  /// Reads the descriptions in the folders `bundles` only.
  func load(_ bundles: [String]) {
    lilv_world_load_specifications(raw)
    for bundle in bundles {
      let path = bundle.hasSuffix("/") ? bundle : bundle + "/"
      Node(lilv_new_file_uri(raw, nil, path))?.with { lilv_world_load_bundle(raw, $0) }
    }
  }

  /// All plugins, by address.
  var plugins: [OpaquePointer] {
    let list = lilv_world_get_all_plugins(raw)
    var found: [OpaquePointer] = []
    var place = lilv_plugins_begin(list)
    while !lilv_plugins_is_end(list, place) {
      if let plugin = lilv_plugins_get(list, place) { found.append(plugin) }
      place = lilv_plugins_next(list, place)
    }
    return found
  }

  /// The plugin at `uri`.
  /// - Throws: ``MediaError`` of kind `usage` where none is installed, of kind `unsupportedFeature` where its
  ///   description is broken.
  func plugin(_ uri: String) throws -> OpaquePointer {
    guard let node = Node(lilv_new_uri(raw, uri)) else {
      throw MediaError(
        .usage, about: uri, "is no address of a plugin; pinna taps list --lv2 names all")
    }
    let found = node.with { lilv_plugins_get_by_uri(lilv_world_get_all_plugins(raw), $0) }
    guard let plugin = found else {
      throw MediaError(
        .usage, about: uri,
        "isn't installed; pinna taps list --lv2 names the plugins that are, and LV2_PATH the folders they are in"
      )
    }
    guard lilv_plugin_verify(plugin) else {
      throw MediaError(
        .unsupportedFeature, about: uri, "has a description that isn't complete; install it anew")
    }
    return plugin
  }

  /// The node of an address, made once.
  func node(_ uri: String) -> OpaquePointer? {
    if known[uri] == nil { known[uri] = Node(lilv_new_uri(raw, uri)) }
    // The dictionary keeps the node.
    return known[uri]?.with { $0 }
  }

  /// What the graph says of `predicate` about `subject`.
  func values(_ subject: OpaquePointer?, _ predicate: String) -> Nodes {
    Nodes(lilv_world_find_nodes(raw, subject, node(predicate), nil))
  }

  /// The first of them.
  func value(_ subject: OpaquePointer?, _ predicate: String) -> Node? {
    Node(lilv_world_get(raw, subject, node(predicate), nil))
  }
}
