// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CLilv
import Platform

/// One instance of a plugin with the buffers of its ports.
final class Instance {
  private let raw: UnsafeMutablePointer<LilvInstance>
  private let features: HostFeatures
  private let ports: [Port]
  private let controls: UnsafeMutablePointer<Float>
  /// Planes of sound inputs, then side chains and unused, then outputs; each one block long.
  private let planes: UnsafeMutablePointer<Float>
  private var messages: [UInt32: MessageBuffer] = [:]
  private let latencyPort: Int?
  private var isActive = false
  /// Samples of sound inputs, one plane each, written before ``run()``.
  let inputs: [UnsafeMutablePointer<Float>]
  /// Samples of sound outputs, one plane each, read behind ``run()``.
  let outputs: [UnsafeMutablePointer<Float>]

  /// Makes one of `plugin`, whose ports are `ports`.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` where the plugin won't.
  init(
    _ plugin: OpaquePointer, _ ports: [Port], rate: Int, map: URIDMap, scratch: String
  ) throws {
    features = HostFeatures(map, rate: rate, scratch: scratch)
    guard let raw = lilv_plugin_instantiate(plugin, Double(rate), features.list) else {
      throw MediaError(
        .unsupportedFeature,
        "can't be made for \(rate) Hz: it doesn't say why; try another rate by -r, or another plugin"
      )
    }
    self.raw = raw
    self.ports = ports
    controls = .allocate(capacity: max(1, ports.count))
    for (index, port) in ports.enumerated() { (controls + index).initialize(to: Float(port.start)) }
    let count = ports.count * PluginSession.block
    let planes = UnsafeMutablePointer<Float>.allocate(capacity: max(1, count))
    planes.initialize(repeating: 0, count: max(1, count))
    self.planes = planes
    func plane(_ port: Port) -> UnsafeMutablePointer<Float> {
      planes + Int(port.index) * PluginSession.block
    }
    inputs = ports.filter { $0.kind == .audio && $0.isInput && !$0.isSideChain }.map(plane)
    outputs = ports.filter { $0.kind == .audio && !$0.isInput }.map(plane)
    latencyPort =
      lilv_plugin_has_latency(plugin) ? Int(lilv_plugin_get_latency_port_index(plugin)) : nil
    connect(map)
    features.worker.connect(raw)
  }

  deinit {
    if isActive { lilv_instance_deactivate(raw) }
    lilv_instance_free(raw)
    controls.deallocate()
    planes.deallocate()
  }

  private func connect(_ map: URIDMap) {
    for port in ports {
      switch port.kind {
      case .audio, .cv:
        let plane = planes + Int(port.index) * PluginSession.block
        lilv_instance_connect_port(raw, port.index, plane)
      case .control: lilv_instance_connect_port(raw, port.index, controls + Int(port.index))
      case .atom:
        let buffer = MessageBuffer(minimum: port.minimumSize, isInput: port.isInput, map)
        messages[port.index] = buffer
        lilv_instance_connect_port(raw, port.index, buffer.place)
      case .unknown: lilv_instance_connect_port(raw, port.index, nil)
      }
    }
  }

  /// Sets the control port `index`.
  func set(_ index: UInt32, _ value: Double) { controls[Int(index)] = Float(value) }

  /// The value of the control port `index`.
  func value(_ index: UInt32) -> Double { Double(controls[Int(index)]) }

  /// Sends a message with the next block; does nothing where the plugin takes none.
  func send(_ type: UInt32, _ body: [UInt8]) {
    let inputs = ports.filter { $0.kind == .atom && $0.isInput }
    let port = inputs.first { $0.designation == LV2URI.control } ?? inputs.first
    port.flatMap { messages[$0.index] }?.add(type, body)
  }

  /// Takes the state that `load` restores; call before ``activate()``.
  func restore(
    _ load: (UnsafeMutablePointer<LilvInstance>, UnsafeMutablePointer<UnsafePointer<LV2_Feature>?>)
      -> Void
  ) {
    load(raw, features.stateList)
  }

  /// Begins to work.
  func activate() {
    lilv_instance_activate(raw)
    isActive = true
  }

  /// Works on one block.
  func run() {
    lilv_instance_run(raw, UInt32(PluginSession.block))
    features.worker.endBlock()
    for buffer in messages.values { buffer.reset() }
  }

  /// The delay that it states now, in samples; 0 where it states none.
  var latency: Int {
    guard let latencyPort else { return 0 }
    let value = controls[latencyPort]
    return value.isFinite ? Int(max(0, min(1e9, value)).rounded()) : 0
  }
}

/// The buffer of one port of messages (LV2 atoms).
final class MessageBuffer {
  private static let head = MemoryLayout<LV2_Atom_Sequence>.size
  private static let eventHead = MemoryLayout<LV2_Atom_Event>.size

  let place: UnsafeMutableRawPointer
  private let size: Int
  private let isInput: Bool
  private let sequence: UInt32
  private let chunk: UInt32

  /// A buffer of at least `minimum` bytes for one port.
  init(minimum: Int, isInput: Bool, _ map: URIDMap) {
    size = max(HostFeatures.messageBytes, minimum + MessageBuffer.head)
    place = .allocate(byteCount: size, alignment: 16)
    place.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    self.isInput = isInput
    sequence = map.number(LV2URI.atomSequence)
    chunk = map.number(LV2URI.atomChunk)
    reset()
  }

  deinit { place.deallocate() }

  /// Empties it, as the plugin must find it before each block.
  func reset() {
    // An output states its room; an input is a sequence without events.
    let atom =
      isInput
      ? LV2_Atom(size: UInt32(MemoryLayout<LV2_Atom_Sequence_Body>.size), type: sequence)
      : LV2_Atom(size: UInt32(size - MemoryLayout<LV2_Atom>.size), type: chunk)
    place.storeBytes(
      of: LV2_Atom_Sequence(atom: atom, body: LV2_Atom_Sequence_Body(unit: 0, pad: 0)),
      as: LV2_Atom_Sequence.self)
  }

  /// Adds an event at the block's first sample, whose content is the object `body` of `type`.
  func add(_ type: UInt32, _ body: [UInt8]) {
    var sequence = place.load(as: LV2_Atom_Sequence.self)
    let start = MemoryLayout<LV2_Atom>.size + Int(sequence.atom.size)
    let padded = (body.count + 7) & ~7
    guard start + MessageBuffer.eventHead + padded <= size else { return }
    var event = LV2_Atom_Event()
    event.body = LV2_Atom(size: UInt32(body.count), type: type)
    (place + start).storeBytes(of: event, as: LV2_Atom_Event.self)
    for (index, byte) in body.enumerated() {
      (place + start + MessageBuffer.eventHead + index).storeBytes(of: byte, as: UInt8.self)
    }
    sequence.atom.size += UInt32(MessageBuffer.eventHead + padded)
    place.storeBytes(of: sequence, as: LV2_Atom_Sequence.self)
  }
}

/// Messages that set a parameter (`patch:Set`).
struct PatchMessage {
  private let map: URIDMap

  init(_ map: URIDMap) { self.map = map }

  /// The type of the message's atom.
  var type: UInt32 { map.number(LV2URI.atomObject) }

  /// The body of a message that sets `parameter` to what `text` means.
  /// - Returns: `nil` where the text means nothing of the parameter's type.
  func body(_ parameter: Parameter, _ text: String) -> [UInt8]? {
    guard let value = value(parameter.type, text) else { return nil }
    let head = bytes(UInt32(0)) + bytes(map.number(LV2URI.patchSet))
    let key = map.number(parameter.uri)
    return head + property(LV2URI.patchProperty, LV2URI.atomURID, bytes(key))
      + property(LV2URI.patchValue, parameter.type, value)
  }

  private func value(_ type: String, _ text: String) -> [UInt8]? {
    switch type {
    case LV2URI.atomFloat: return Float(text).map { bytes($0.bitPattern) }
    case LV2URI.atomDouble: return Double(text).map { bytes($0.bitPattern) }
    case LV2URI.atomInt: return Int32(text).map { bytes($0) }
    case LV2URI.atomLong: return Int64(text).map { bytes($0) }
    case LV2URI.atomBool: return ControlText.isOn(text).map { bytes(Int32($0 ? 1 : 0)) }
    case LV2URI.atomPath, LV2URI.atomString: return Array(text.utf8) + [0]
    default: return nil
    }
  }

  private func property(_ key: String, _ type: String, _ value: [UInt8]) -> [UInt8] {
    let padding = [UInt8](repeating: 0, count: (8 - value.count % 8) % 8)
    return bytes(map.number(key)) + bytes(UInt32(0)) + bytes(UInt32(value.count))
      + bytes(map.number(type)) + value + padding
  }

  private func bytes<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: value) { [UInt8]($0) }
  }
}
