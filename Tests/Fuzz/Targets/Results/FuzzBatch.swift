// SPDX-License-Identifier: Apache-2.0
import Foundation
import Report

@testable import Batch

/// The first byte chooses what the rest is: lines of a worker, a request to one, a shard's record, an item's result or
/// the report of a batch. Lines are the same however the bytes arrive.
func fuzzBatch(_ bytes: [UInt8]) {
  guard let choice = bytes.first else { return }
  let content = Array(bytes.dropFirst())
  let data = Data(content)
  switch choice % 5 {
  case 0:
    var reader = LineReader()
    let whole = reader.take(content[...])
    demand(whole == lines(content, by: 3), "lines don't depend on how bytes arrive")
    for line in whole {
      if let reply = try? JSONDecoder().decode(WorkReply.self, from: Data(line)) {
        checkWriting(reply)
      }
    }
  case 1: tryWriting(WorkRequest.self, data)
  case 2: tryWriting(ShardRecord.self, data)
  case 3: tryWriting(ItemReport.self, data)
  default:
    guard let report = try? JSONDecoder().decode(BatchReport.self, from: data) else { return }
    checkWriting(report)
    let outcome = BatchOutcome(report)
    _ = try? BatchMarkdown.text(outcome)
    var text = ""
    try? BatchJUnit.write(outcome) { text += $0 }
    checkXML(text)
  }
}

private func lines(_ bytes: [UInt8], by step: Int) -> [[UInt8]] {
  var reader = LineReader()
  return stride(from: 0, to: bytes.count, by: step).flatMap {
    reader.take(bytes[$0..<min(bytes.count, $0 + step)])
  }
}

private func tryWriting<Value: Codable>(_ type: Value.Type, _ data: Data) {
  if let value = try? JSONDecoder().decode(type, from: data) { checkWriting(value) }
}
