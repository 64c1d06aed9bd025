// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CLilv

/// The settings of a session, found among a plugin's ports, parameters and presets.
struct Settings {
  private let session: PluginSession
  private let world: World
  private let map: URIDMap
  private var values: [(port: UInt32, value: Double)] = []
  private var messages: [[UInt8]] = []
  private let plugin: OpaquePointer
  private let ports: [Port]

  /// Finds the settings of `session`.
  /// - Throws: ``MediaError`` of kind `usage` for a setting that the plugin doesn't have or take.
  init(
    _ session: PluginSession, _ plugin: OpaquePointer, _ ports: [Port], _ world: World,
    _ map: URIDMap
  )
    throws
  {
    self.session = session
    self.plugin = plugin
    self.ports = ports
    self.world = world
    self.map = map
    let controls = ports.filter { $0.kind == .control && $0.isInput }
    let parameters = Parameter.all(of: plugin, world)
    for value in session.values {
      if let port = controls.first(where: { $0.symbol == value.name }) {
        values.append((port.index, try ControlText.value(value.text, port)))
      } else if let parameter = parameters.first(where: {
        $0.uri == value.name || $0.symbol == value.name
      }) {
        guard let body = PatchMessage(map).body(parameter, value.text) else {
          throw MediaError(
            .usage,
            "\(value.name)=\(value.text) can't be: it takes a value of kind \(parameter.kind)")
        }
        guard ports.contains(where: { $0.kind == .atom && $0.isInput }) else {
          throw MediaError(
            .usage, "\(value.name) can't be set: the plugin has no input for messages")
        }
        messages.append(body)
      } else {
        let names = controls.map(\.symbol) + parameters.map(\.symbol)
        throw MediaError(
          .usage,
          "has no control \(value.name); it has \(names.isEmpty ? "none" : names.joined(separator: ", "))"
        )
      }
    }
  }

  /// Applies preset, state and settings, in this order, to a fresh `instance`.
  /// - Throws: ``MediaError`` of kind `usage` for a preset or file that can't be read.
  func apply(to instance: Instance) throws {
    if hasDefaultState { try restore(stateNode: lilv_plugin_get_uri(plugin), instance) }
    if let preset = session.preset {
      guard let node = world.node(preset) else {
        throw MediaError(.usage, "has no preset \(preset)")
      }
      lilv_world_load_resource(world.raw, node)
      guard try restore(stateNode: node, instance) else {
        throw MediaError(.usage, "has no preset \(preset); pinna taps show names its presets")
      }
    }
    if let path = session.state {
      var map = self.map.map
      guard let state = lilv_state_new_from_file(world.raw, &map, nil, path) else {
        throw MediaError(
          .usage, about: path, "holds no state of a plugin; give a file that a host saved")
      }
      defer { lilv_state_free(state) }
      restore(state, instance)
    }
    for (port, value) in values { instance.set(port, value) }
    let patch = PatchMessage(map)
    for message in messages { instance.send(patch.type, message) }
  }

  /// Whether the plugin asks for its default state to be loaded.
  private var hasDefaultState: Bool {
    world.node(LV2URI.defaultState).map { lilv_plugin_has_feature(plugin, $0) } ?? false
  }

  @discardableResult
  private func restore(stateNode: OpaquePointer?, _ instance: Instance) throws -> Bool {
    var map = self.map.map
    guard let state = lilv_state_new_from_world(world.raw, &map, stateNode) else { return false }
    defer { lilv_state_free(state) }
    restore(state, instance)
    return true
  }

  private func restore(_ state: OpaquePointer, _ instance: Instance) {
    let target = PortTarget(instance, ports, map)
    instance.restore { raw, features in
      lilv_state_restore(
        state, raw,
        { symbol, target, value, size, type in
          guard let symbol, let target, let value else { return }
          Unmanaged<PortTarget>.fromOpaque(target).takeUnretainedValue()
            .set(String(cString: symbol), value, size: Int(size), type: type)
        }, Unmanaged.passUnretained(target).toOpaque(), 0, features)
    }
    withExtendedLifetime(target) {}
  }
}

/// The destination of a state's port values.
private final class PortTarget {
  private let instance: Instance
  private let ports: [Port]
  private let map: URIDMap

  init(_ instance: Instance, _ ports: [Port], _ map: URIDMap) {
    self.instance = instance
    self.ports = ports
    self.map = map
  }

  func set(_ symbol: String, _ value: UnsafeRawPointer, size: Int, type: UInt32) {
    guard
      let port = ports.first(where: { $0.symbol == symbol && $0.kind == .control && $0.isInput }),
      let number = number(value, size, type)
    else { return }
    instance.set(port.index, number)
  }

  private func number(_ value: UnsafeRawPointer, _ size: Int, _ type: UInt32) -> Double? {
    switch type {
    case map.number(LV2URI.atomFloat) where size == 4:
      return Double(value.loadUnaligned(as: Float.self))
    case map.number(LV2URI.atomDouble) where size == 8: return value.loadUnaligned(as: Double.self)
    case map.number(LV2URI.atomInt) where size == 4, map.number(LV2URI.atomBool) where size == 4:
      return Double(value.loadUnaligned(as: Int32.self))
    case map.number(LV2URI.atomLong) where size == 8:
      return Double(value.loadUnaligned(as: Int64.self))
    default: return nil
    }
  }
}

/// The meaning of a setting's text for a control port.
enum ControlText {
  /// Whether `text` is a word for on or off; `nil` for anything else.
  static func isOn(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "on", "yes", "true", "1": return true
    case "off", "no", "false", "0": return false
    default: return nil
    }
  }

  /// The value of `port` that `text` means.
  /// - Throws: ``MediaError`` of kind `usage` naming the port and what it takes.
  static func value(_ text: String, _ port: Port) throws -> Double {
    if let point = port.points.first(where: { $0.label.lowercased() == text.lowercased() }) {
      return point.value
    }
    if port.isToggled {
      guard let isOn = isOn(text) else { throw refusal(text, port, "on or off") }
      return isOn ? 1 : 0
    }
    let number = text.hasSuffix("dB") ? String(text.dropLast(2)) : text
    guard let value = Double(number.filter { $0 != " " }), value.isFinite else {
      throw refusal(
        text, port, port.points.isEmpty ? "a number" : "a number or one of \(names(port))")
    }
    if port.isEnumeration, !port.points.isEmpty {
      guard port.points.contains(where: { $0.value == value }) else {
        throw refusal(text, port, "one of \(names(port))")
      }
    }
    if port.isInteger, value != value.rounded() { throw refusal(text, port, "a whole number") }
    // Bounds are stated as single precision.
    if let least = port.range.least, Float(value) < Float(least) {
      throw refusal(text, port, bounds(port))
    }
    if let greatest = port.range.greatest, Float(value) > Float(greatest) {
      throw refusal(text, port, bounds(port))
    }
    return value
  }

  private static func names(_ port: Port) -> String {
    port.points.map { "'\($0.label)' (\(text($0.value)))" }.joined(separator: ", ")
  }

  private static func bounds(_ port: Port) -> String {
    let (least, greatest) = (
      port.range.least.map(text) ?? "any", port.range.greatest.map(text) ?? "any"
    )
    return "a value from \(least) to \(greatest)"
  }

  /// A value without needless digits.
  static func text(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e9 ? "\(Int(value))" : "\(Float(value))"
  }

  private static func refusal(_ text: String, _ port: Port, _ wanted: String) -> MediaError {
    MediaError(.usage, "\(port.symbol)=\(text) can't be: \(port.name) takes \(wanted)")
  }
}
