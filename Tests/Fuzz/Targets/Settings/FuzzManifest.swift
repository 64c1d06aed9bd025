// SPDX-License-Identifier: Apache-2.0
import AudioCore

@testable import Batch

/// The bytes are a manifest of a batch. A manifest that isn't refused has inputs and names.
func fuzzManifest(_ bytes: [UInt8]) {
  for name in ["manifest.yaml", "manifest.json"] {
    let (manifest, faults) = ManifestReader.read(path: FuzzInput.path(bytes, name: name))
    demand(!manifest.jobs.isEmpty || !faults.isEmpty, "nothing to do is a fault")
    for fault in faults { checkMessage(fault) }
    for job in manifest.jobs {
      demand(!job.input.isEmpty, "a job has an input")
      for template in [manifest.name, job.name] + job.outputs.map(\.name) {
        if let template { check(template) }
      }
    }
  }
}

private func check(_ template: NameTemplate) {
  demand(!template.text.isEmpty, "a template isn't empty")
  demand((try? NameTemplate(template.text)) == template, "a template is read as it was written")
  _ = template.ending
  _ = template.name(
    NameTemplate.Fields(
      id: "a/b", stem: "b", folder: "", ending: "wav", endpoint: "headphones", number: 1))
}

/// Makes sure that a message is a sentence for a terminal: one line, without control characters.
func checkMessage(_ error: MediaError) {
  let isPlain = error.message.unicodeScalars.allSatisfy {
    $0.properties.generalCategory != .control
  }
  demand(isPlain && !error.message.isEmpty, "a message is one plain line: \(error.message)")
}
