// SPDX-License-Identifier: Apache-2.0
import PlayQueue
import Settings

@testable import Rendering

/// The bytes are a queue file.
func fuzzQueue(_ bytes: [UInt8]) {
  for name in ["queue.yaml", "queue.json"] { _ = QueueFormat.of(name: name, bytes: bytes) }
  guard let text = FuzzInput.text(bytes), let tree = try? SettingsTree(text: text, path: "a.json")
  else { return }
  guard let queue = try? PlayQueue(QueueNode(tree), path: "queue.yaml") else { return }
  demand(!queue.items.isEmpty, "a queue has items")
  checkPlacement(queue)
  checkWriting(queue)
  let edits: [QueueEdit] = [
    .remove(number: 1), .move(number: 1, to: 2), .set("1.gain=-3"), .set("2.gap=1s"),
  ]
  for edit in edits {
    guard let changed = try? queue.applying(edit) else { continue }
    demand((try? changed.validate()) != nil, "an edit leaves a queue that is right")
    checkWriting(changed)
  }
}

/// The queue that a text of our own writer holds.
func queueOfFile(_ text: String) -> PlayQueue {
  do {
    let tree = try SettingsTree(text: text, path: "queue.yaml")
    return try PlayQueue(QueueNode(tree), path: "queue.yaml")
  } catch {
    fatalError("what is written as a queue file can't be read: \(error)\n\(text)")
  }
}
