import ADM

/// What libFuzzer calls with each input: the bytes are a WAV file, and a document by themselves. Refusals
/// are expected; a trap, a hang or memory without bound is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzADM(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let findings = FindingLog()
  let source = FileBytes(size: Int64(count)) { offset, wanted in
    Array(bytes[Int(offset)..<min(count, Int(offset) + wanted)])
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
  return 0
}
