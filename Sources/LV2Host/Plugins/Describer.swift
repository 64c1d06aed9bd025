// SPDX-License-Identifier: Apache-2.0
import CLilv
import Platform
import Report

/// Tells what plugins say about themselves; no code of theirs runs.
struct Describer {
  /// Rate for which ranges that depend on the rate are stated, Hz.
  private static let rate = 48_000.0

  let world: World

  var list: PluginListReport {
    PluginListReport(
      plugins: world.plugins.map { plugin in
        let ports = Port.all(of: plugin, world, rate: Describer.rate)
        return .init(
          uri: Node.text(lilv_plugin_get_uri(plugin)), name: name(plugin),
          inputs: ports.count(where: { $0.kind == .audio && $0.isInput && !$0.isSideChain }),
          outputs: ports.count(where: { $0.kind == .audio && !$0.isInput }))
      }.sorted { $0.uri < $1.uri })
  }

  /// All about one plugin.
  func describe(_ plugin: OpaquePointer) -> PluginReport {
    let ports = Port.all(of: plugin, world, rate: Describer.rate)
    let sounds = ports.filter { $0.kind == .audio }
    var report = PluginReport(
      uri: Node.text(lilv_plugin_get_uri(plugin)), name: name(plugin),
      bundle: Node.path(lilv_plugin_get_bundle_uri(plugin)),
      binary: Node.path(lilv_plugin_get_library_uri(plugin)),
      sound: .init(
        inputs: sounds.count(where: { $0.isInput && !$0.isSideChain }),
        sideChains: sounds.count(where: { $0.isInput && $0.isSideChain }),
        outputs: sounds.count(where: { !$0.isInput })))
    report.author = Node(lilv_plugin_get_author_name(plugin))?.text
    report.license = first(plugin, LV2URI.license)
    if let minor = first(plugin, LV2URI.minorVersion) {
      report.version = "\(minor).\(first(plugin, LV2URI.microVersion) ?? "0")"
    }
    report.controls =
      ports.filter { $0.kind == .control && $0.isInput }.map(control)
      + Parameter.all(of: plugin, world).map(control)
    report.presets = presets(plugin)
    report.features.required = Nodes(lilv_plugin_get_required_features(plugin)).map(Node.text)
      .sorted()
    report.features.missing = report.features.required.filter { !HostFeatures.offered.contains($0) }
    report.features.hasWorker = has(plugin, LV2URI.worker)
    report.features.hasState = has(plugin, LV2URI.state)
    report.features.statesLatency = lilv_plugin_has_latency(plugin)
    return report
  }

  private func name(_ plugin: OpaquePointer) -> String {
    Node(lilv_plugin_get_name(plugin))?.text ?? Node.text(lilv_plugin_get_uri(plugin))
  }

  private func first(_ plugin: OpaquePointer, _ predicate: String) -> String? {
    Nodes(lilv_plugin_get_value(plugin, world.node(predicate))).map(Node.text).first
  }

  private func has(_ plugin: OpaquePointer, _ interface: String) -> Bool {
    world.node(interface).map { lilv_plugin_has_extension_data(plugin, $0) } ?? false
  }

  private func control(_ port: Port) -> PluginReport.Control {
    let kind =
      port.isToggled
      ? "switch" : port.isEnumeration ? "choice" : port.isInteger ? "integer" : "number"
    return .init(
      symbol: port.symbol, name: port.name, kind: kind, standard: port.start,
      least: port.range.least,
      greatest: port.range.greatest,
      choices: port.points.map { .init(label: $0.label, value: $0.value) })
  }

  private func control(_ parameter: Parameter) -> PluginReport.Control {
    .init(
      symbol: parameter.uri, name: parameter.label, kind: parameter.kind, standard: nil,
      least: nil, greatest: nil, choices: [])
  }

  private func presets(_ plugin: OpaquePointer) -> [PluginReport.Preset] {
    Nodes(lilv_plugin_get_related(plugin, world.node(LV2URI.preset))).map { node in
      lilv_world_load_resource(world.raw, node)
      let uri = Node.text(node)
      return PluginReport.Preset(
        uri: uri, label: world.value(node, LV2URI.label)?.text ?? uri, bundle: bundle(node))
    }.sorted { ($0.label, $0.uri) < ($1.label, $1.uri) }
  }

  /// The folder of the file that describes the preset `node`.
  private func bundle(_ node: OpaquePointer) -> String {
    let files = world.values(node, "http://www.w3.org/2000/01/rdf-schema#seeAlso")
    let path = files.map { Node.path($0) }.first ?? ""
    return String(decoding: PathParts.split(path).folder.utf8.dropLast(), as: UTF8.self)
  }
}
