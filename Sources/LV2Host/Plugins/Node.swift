import CLilv

/// A node of lilv's, freed with its owner.
final class Node {
  private let raw: OpaquePointer

  /// Takes over `raw`; `nil` where there is none.
  init?(_ raw: OpaquePointer?) {
    guard let raw else { return nil }
    self.raw = raw
  }

  deinit { lilv_node_free(raw) }

  /// Lets `body` use what lilv takes; Swift could otherwise free the node as soon as nobody names it any more.
  func with<Value>(_ body: (OpaquePointer) throws -> Value) rethrows -> Value {
    try withExtendedLifetime(self) { try body(raw) }
  }

  /// Its text, whatever its type.
  var text: String { with { Node.text($0) } }

  /// The number in it; `nil` where it holds none.
  var number: Double? { with { Node.number($0) } }

  /// The text of a node that somebody else owns; empty where there is none.
  static func text(_ raw: OpaquePointer?) -> String {
    guard let raw, let text = lilv_node_as_string(raw) else { return "" }
    return String(cString: text)
  }

  /// The number in a node that somebody else owns; `nil` where it holds none.
  static func number(_ raw: OpaquePointer?) -> Double? {
    guard let raw, lilv_node_is_float(raw) || lilv_node_is_int(raw) || lilv_node_is_bool(raw)
    else { return nil }
    if lilv_node_is_bool(raw) { return lilv_node_as_bool(raw) ? 1 : 0 }
    let value = Double(lilv_node_as_float(raw))
    return value.isNaN ? nil : value
  }

  /// The path that a node with the address of a file names; empty for others.
  static func path(_ raw: OpaquePointer?) -> String {
    guard let raw, let path = lilv_node_get_path(raw, nil) else { return "" }
    defer { lilv_free(path) }
    return String(cString: path)
  }
}

/// Nodes of lilv's, freed with their owner.
final class Nodes {
  private let raw: UnsafeMutableRawPointer?

  /// Takes over `raw`.
  init(_ raw: UnsafeMutableRawPointer?) { self.raw = raw }

  deinit { if let raw { lilv_nodes_free(raw) } }

  /// What `body` makes of each node, which is valid during the call.
  func map<Value>(_ body: (OpaquePointer) throws -> Value) rethrows -> [Value] {
    try withExtendedLifetime(self) {
      guard let raw else { return [] }
      var found: [Value] = []
      var place = lilv_nodes_begin(raw)
      while !lilv_nodes_is_end(raw, place) {
        if let node = lilv_nodes_get(raw, place) { found.append(try body(node)) }
        place = lilv_nodes_next(raw, place)
      }
      return found
    }
  }
}
