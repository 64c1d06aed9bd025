// SPDX-License-Identifier: Apache-2.0
import ADM

/// The bytes are a WAV file, and a document by themselves. Refusals are expected; a trap, a hang or memory
/// without bound is a finding.
func fuzzADM(_ bytes: [UInt8]) {
  let findings = FindingLog()
  let source = FileBytes(size: Int64(bytes.count)) { offset, wanted in
    Array(bytes[Int(offset)..<min(bytes.count, Int(offset) + wanted)])
  }
  if let container = try? ADMContainer(source, findings: findings) {
    let document = container.document.flatMap { try? DocumentParser.parse($0, findings: findings) }
    _ = try? Selection(
      document ?? nil, container.channels, channels: container.file.format.channels,
      findings: findings)
  }
  if let document = try? DocumentParser.parse(bytes, findings: findings) {
    _ = try? Selection(document, nil, channels: 2, findings: findings)
  }
}
