// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import Settings

/// The bytes are a file of settings in YAML or JSON.
func fuzzSettings(_ bytes: [UInt8]) {
  guard let text = FuzzInput.text(bytes) else { return }
  for path in ["settings.yaml", "settings.json"] {
    guard let tree = try? SettingsTree(text: text, path: path) else { continue }
    demand(size(of: tree) <= 1 << 20, "a small file makes a small tree")
  }
}

/// How many values and names are in a tree.
private func size(of tree: SettingsTree) -> Int {
  switch tree {
  case .text, .nothing: return 1
  case .list(let values, _): return 1 + values.reduce(0) { $0 + size(of: $1) }
  case .mapping(let entries, _): return 1 + entries.reduce(0) { $0 + 1 + size(of: $1.value) }
  }
}

/// The bytes are a preset. Written again, a preset is read as the same one.
func fuzzPreset(_ bytes: [UInt8]) {
  guard let text = FuzzInput.text(bytes),
    let document = try? PresetDocument(yaml: text, path: "/nowhere/input.yaml")
  else { return }
  let preset = Preset(
    name: "input", summary: document.summary ?? "", reference: document.reference,
    source: .builtIn, settings: document.settings)
  let again: PresetDocument
  do {
    let written = preset.yaml()
    again = try PresetDocument(yaml: written, path: "/nowhere/input.yaml")
  } catch { fatalError("a preset that was read can't be written and read: \(error)") }
  demand(again.settings == document.settings, "settings are read as they were written")
  demand(again.summary == document.summary, "a summary is read as it was written")
  demand(again.reference == document.reference, "a reference is read as it was written")
}
