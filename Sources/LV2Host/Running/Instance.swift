import AudioCore
import CLilv

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
