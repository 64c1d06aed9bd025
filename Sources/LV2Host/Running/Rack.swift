// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CLilv

/// The instances of a plugin that work on the channels of the sound together.
final class Rack {
  private let instances: [Instance]
  /// Channels of the sound.
  let channels: Int
  private let isPerChannel: Bool
  private let ports: [Port]
  /// Notes on what was settled for the user, as sentences.
  let notes: [String]

  /// Makes the instances that `session` needs, with its settings, and activates them.
  /// - Throws: ``MediaError`` where the plugin doesn't fit the sound, lacks a feature or refuses.
  init(_ session: PluginSession, _ plugin: OpaquePointer, _ world: World, _ map: URIDMap) throws {
    ports = Port.all(of: plugin, world, rate: Double(session.rate))
    let missing = Describer(world: world).describe(plugin).features.missing
    guard missing.isEmpty else {
      throw MediaError(
        .unsupportedFeature,
        "needs what Pinna hasn't: \(missing.joined(separator: ", ")); use another plugin")
    }
    if let port = ports.first(where: { $0.kind == .unknown && !$0.isOptional }) {
      throw MediaError(
        .unsupportedFeature, "needs its port \(port.symbol), which is of no kind that Pinna knows")
    }
    let settings = try Settings(session, plugin, ports, world, map)
    channels = session.channels
    let shape = try RackShape(ports, session)
    isPerChannel = shape.isPerChannel
    notes = shape.notes
    instances = try (0..<(shape.isPerChannel ? channels : 1)).map { _ in
      let instance = try Instance(
        plugin, shape.ports, rate: session.rate, map: map, scratch: session.scratch)
      try settings.apply(to: instance)
      instance.activate()
      return instance
    }
  }

  /// Number of instances.
  var count: Int { instances.count }

  /// The delay that they state, in samples.
  var latency: Int { instances.map(\.latency).max() ?? 0 }

  /// Values of all control inputs, by symbol.
  var values: [PluginSession.Value] {
    guard let first = instances.first else { return [] }
    return ports.filter { $0.kind == .control && $0.isInput }.map {
      PluginSession.Value($0.symbol, ControlText.text(first.value($0.index)))
    }
  }

  /// Works on a block of interleaved samples, in their place.
  func run(_ samples: UnsafeMutablePointer<Float>) {
    let block = PluginSession.block
    if isPerChannel {
      for (channel, instance) in instances.enumerated() {
        for index in 0..<block { instance.inputs[0][index] = samples[index * channels + channel] }
        instance.run()
        for index in 0..<block { samples[index * channels + channel] = instance.outputs[0][index] }
      }
      return
    }
    guard let instance = instances.first else { return }
    fill(instance, samples)
    instance.run()
    for channel in 0..<channels {
      let plane = instance.outputs[min(channel, instance.outputs.count - 1)]
      for index in 0..<block { samples[index * channels + channel] = plane[index] }
    }
  }

  private func fill(_ instance: Instance, _ samples: UnsafeMutablePointer<Float>) {
    let block = PluginSession.block
    if instance.inputs.count == 1, channels > 1 {
      for index in 0..<block {
        var sum: Float = 0
        for channel in 0..<channels { sum += samples[index * channels + channel] }
        instance.inputs[0][index] = sum / Float(channels)
      }
      return
    }
    for (channel, plane) in instance.inputs.enumerated() where channel < channels {
      for index in 0..<block { plane[index] = samples[index * channels + channel] }
    }
  }
}

/// How the instances of a plugin meet the channels of the sound.
struct RackShape {
  let isPerChannel: Bool
  let notes: [String]
  /// The ports, with inputs that get no channel as side chains.
  let ports: [Port]

  /// The shape for a plugin with `ports`.
  /// - Throws: ``MediaError`` of kind `usage` where they don't fit.
  init(_ ports: [Port], _ session: PluginSession) throws {
    self.ports = ports
    let inputs = ports.count(where: { $0.kind == .audio && $0.isInput && !$0.isSideChain })
    let outputs = ports.count(where: { $0.kind == .audio && !$0.isInput })
    let channels = session.channels
    guard inputs > 0, outputs > 0 else {
      throw MediaError(
        .usage,
        "has \(inputs) sound inputs and \(outputs) sound outputs, so no sound can pass it; use an effect"
      )
    }
    if inputs == 1, outputs == 1 {
      isPerChannel = true
      notes = channels > 1 ? ["one instance runs for each of the \(channels) channels"] : []
      return
    }
    isPerChannel = false
    if inputs == channels, outputs == channels {
      notes = []
      return
    }
    guard session.fit == .mix else {
      throw MediaError(
        .usage,
        "has \(inputs) sound inputs and \(outputs) outputs, and the sound has \(channels) channels there; use another "
          + "plugin, or channels=mix to make them fit")
    }
    guard inputs >= channels || inputs == 1 else {
      throw MediaError(
        .usage,
        "has only \(inputs) sound inputs for the \(channels) channels there; use another plugin or point"
      )
    }
    var notes: [String] = []
    if inputs == 1, channels > 1 { notes.append("its input gets the mean of all channels") }
    if inputs > channels { notes.append("\(inputs - channels) of its inputs get silence") }
    if outputs > channels { notes.append("\(outputs - channels) of its outputs are dropped") }
    if outputs < channels {
      notes.append("its last output fills \(channels - outputs) more channels")
    }
    self.notes = notes
  }
}
