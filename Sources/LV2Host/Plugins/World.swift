// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CLilv
import Platform

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
      Node(lilv_new_file_uri(raw, nil, PathParts.start(of: bundle)))?.with {
        lilv_world_load_bundle(raw, $0)
      }
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

  /// Values of `predicate` for `subject` in the graph.
  func values(_ subject: OpaquePointer?, _ predicate: String) -> Nodes {
    Nodes(lilv_world_find_nodes(raw, subject, node(predicate), nil))
  }

  /// The first of them.
  func value(_ subject: OpaquePointer?, _ predicate: String) -> Node? {
    Node(lilv_world_get(raw, subject, node(predicate), nil))
  }
}

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

  /// Results of `body` for each node, which is valid during the call.
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

/// Addresses of what LV2 defines; Swift doesn't see the macros of its headers that are put together of parts.
enum LV2URI {
  private static let core = "http://lv2plug.in/ns/lv2core#"
  private static let ext = "http://lv2plug.in/ns/ext/"

  static let inputPort = core + "InputPort"
  static let outputPort = core + "OutputPort"
  static let audioPort = core + "AudioPort"
  static let controlPort = core + "ControlPort"
  static let cvPort = core + "CVPort"
  static let connectionOptional = core + "connectionOptional"
  static let integer = core + "integer"
  static let toggled = core + "toggled"
  static let enumeration = core + "enumeration"
  static let sampleRate = core + "sampleRate"
  static let isSideChain = core + "isSideChain"
  static let designation = core + "designation"
  static let control = core + "control"
  static let enabled = core + "enabled"
  static let freeWheeling = core + "freeWheeling"
  static let minorVersion = core + "minorVersion"
  static let microVersion = core + "microVersion"

  static let license = "http://usefulinc.com/ns/doap#license"
  static let label = "http://www.w3.org/2000/01/rdf-schema#label"
  static let range = "http://www.w3.org/2000/01/rdf-schema#range"

  static let group = ext + "port-groups#group"
  static let sideChainOf = ext + "port-groups#sideChainOf"
  static let minimumSize = ext + "resize-port#minimumSize"
  static let preset = ext + "presets#Preset"
  static let patchSet = ext + "patch#Set"
  static let patchProperty = ext + "patch#property"
  static let patchValue = ext + "patch#value"
  static let patchWritable = ext + "patch#writable"

  static let atomPort = ext + "atom#AtomPort"
  static let atomSequence = ext + "atom#Sequence"
  static let atomChunk = ext + "atom#Chunk"
  static let atomObject = ext + "atom#Object"
  static let atomURID = ext + "atom#URID"
  static let atomFloat = ext + "atom#Float"
  static let atomDouble = ext + "atom#Double"
  static let atomInt = ext + "atom#Int"
  static let atomLong = ext + "atom#Long"
  static let atomBool = ext + "atom#Bool"
  static let atomPath = ext + "atom#Path"
  static let atomString = ext + "atom#String"

  static let map = ext + "urid#map"
  static let unmap = ext + "urid#unmap"
  static let options = "http://lv2plug.in/ns/ext/options#options"
  static let boundedBlock = ext + "buf-size#boundedBlockLength"
  static let fixedBlock = ext + "buf-size#fixedBlockLength"
  static let powerOf2Block = ext + "buf-size#powerOf2BlockLength"
  static let coarseBlock = ext + "buf-size#coarseBlockLength"
  static let maxBlock = ext + "buf-size#maxBlockLength"
  static let minBlock = ext + "buf-size#minBlockLength"
  static let nominalBlock = ext + "buf-size#nominalBlockLength"
  static let sequenceSize = ext + "buf-size#sequenceSize"
  static let parameterRate = ext + "parameters#sampleRate"
  static let log = ext + "log#log"
  static let schedule = ext + "worker#schedule"
  static let worker = ext + "worker#interface"
  static let state = ext + "state#interface"
  static let defaultState = ext + "state#loadDefaultState"
  static let mapPath = ext + "state#mapPath"
  static let makePath = ext + "state#makePath"
  static let freePath = ext + "state#freePath"
  static let threadSafeRestore = ext + "state#threadSafeRestore"
}
