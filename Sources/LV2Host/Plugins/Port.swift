// SPDX-License-Identifier: Apache-2.0
import CLilv

/// A port of a plugin.
struct Port {
  /// The kind of data that passes a port.
  enum Kind {
    case audio
    case control
    case cv
    case atom
    case unknown
  }

  let index: UInt32
  let symbol: String
  let name: String
  let kind: Kind
  let isInput: Bool
  /// Whether it may be left unconnected.
  let isOptional: Bool
  /// Whether its sound only steers what happens to other sound.
  let isSideChain: Bool
  /// The meaning of its values; empty where it has no special one.
  let designation: String
  let isInteger: Bool
  let isToggled: Bool
  let isEnumeration: Bool
  /// Its value without a setting, and its bounds; `nil` where it states none.
  let range: (standard: Double?, least: Double?, greatest: Double?)
  /// Values with names.
  let points: [(label: String, value: Double)]
  /// Least bytes of its buffer.
  let minimumSize: Int

  /// The value that it has without a setting.
  var start: Double {
    switch designation {
    // Nobody waits for the result, and the plugin isn't to pass the sound by.
    case LV2URI.freeWheeling, LV2URI.enabled: return 1
    default: return range.standard ?? range.least ?? 0
    }
  }

  /// All ports of `plugin`, in their order, with values for sound of `rate`.
  static func all(of plugin: OpaquePointer, _ world: World, rate: Double) -> [Port] {
    (0..<lilv_plugin_get_num_ports(plugin)).compactMap { index in
      lilv_plugin_get_port_by_index(plugin, index).map {
        Port(PortNode(plugin: plugin, port: $0, world: world), index, rate: rate)
      }
    }
  }

  private init(_ node: PortNode, _ index: UInt32, rate: Double) {
    self.index = index
    symbol = Node.text(lilv_port_get_symbol(node.plugin, node.port))
    name = Node(lilv_port_get_name(node.plugin, node.port))?.text ?? symbol
    let kinds: [(String, Kind)] = [
      (LV2URI.audioPort, .audio), (LV2URI.controlPort, .control), (LV2URI.cvPort, .cv),
      (LV2URI.atomPort, .atom),
    ]
    kind = kinds.first { node.isA($0.0) }?.1 ?? .unknown
    isInput = node.isA(LV2URI.inputPort)
    isOptional = node.has(LV2URI.connectionOptional)
    isSideChain = node.has(LV2URI.isSideChain) || node.isInSideChain
    designation = node.value(LV2URI.designation)?.text ?? ""
    isInteger = node.has(LV2URI.integer)
    isToggled = node.has(LV2URI.toggled)
    isEnumeration = node.has(LV2URI.enumeration)
    let scale = node.has(LV2URI.sampleRate) ? rate : 1
    let range = node.range
    self.range = (
      range.standard.map { $0 * scale }, range.least.map { $0 * scale },
      range.greatest.map { $0 * scale }
    )
    points = node.points
    minimumSize = Int(node.value(LV2URI.minimumSize)?.number ?? 0)
  }
}

/// A port as lilv knows it.
private struct PortNode {
  let plugin: OpaquePointer
  let port: OpaquePointer
  let world: World

  func isA(_ uri: String) -> Bool {
    world.node(uri).map { lilv_port_is_a(plugin, port, $0) } ?? false
  }

  func has(_ uri: String) -> Bool {
    world.node(uri).map { lilv_port_has_property(plugin, port, $0) } ?? false
  }

  func value(_ uri: String) -> Node? {
    world.node(uri).flatMap { Node(lilv_port_get(plugin, port, $0)) }
  }

  /// Whether its group is the side chain of another.
  var isInSideChain: Bool {
    guard let group = value(LV2URI.group) else { return false }
    return group.with { world.value($0, LV2URI.sideChainOf) } != nil
  }

  var range: (standard: Double?, least: Double?, greatest: Double?) {
    var (standard, least, greatest): (OpaquePointer?, OpaquePointer?, OpaquePointer?) = (
      nil, nil, nil
    )
    lilv_port_get_range(plugin, port, &standard, &least, &greatest)
    return (Node(standard)?.number, Node(least)?.number, Node(greatest)?.number)
  }

  var points: [(label: String, value: Double)] {
    guard let list = lilv_port_get_scale_points(plugin, port) else { return [] }
    defer { lilv_scale_points_free(list) }
    var found: [(String, Double)] = []
    var place = lilv_scale_points_begin(list)
    while !lilv_scale_points_is_end(list, place) {
      if let point = lilv_scale_points_get(list, place),
        let value = Node.number(lilv_scale_point_get_value(point))
      {
        found.append((Node.text(lilv_scale_point_get_label(point)), value))
      }
      place = lilv_scale_points_next(list, place)
    }
    return found.sorted { $0.1 < $1.1 }
  }
}

/// A value of a plugin that messages set, instead of a control port.
struct Parameter {
  let uri: String
  let label: String
  /// The address of its type.
  let type: String

  /// Short name in settings, besides its address: the last part of that.
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
