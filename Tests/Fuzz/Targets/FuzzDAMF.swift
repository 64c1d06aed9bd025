// SPDX-License-Identifier: Apache-2.0
import AudioCore
import DAMF

/// The bytes are a root and events with a zero byte between them, and the header of a sound by themselves. Refusals are
/// expected; a trap, a hang or memory without bound is a finding.
func fuzzDAMF(_ bytes: [UInt8]) {
  let log = DAMFLog()
  if let facts = try? CAFHeader.read(ByteSource(bytes), file: "x.atmos.audio") {
    try? facts.check(channels: 3, rate: 48_000, file: "x.atmos.audio", log: log)
    precondition(facts.frames >= 0, "a sound has a negative length")
  }
  let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
  guard
    let text = try? MasterText(
      Array(parts[0]), file: "x.atmos", longest: MasterText.longestRoot),
    let root = try? RootParser.parse(text, log: log)
  else { return }
  _ = try? MasterNames(root, in: { $0.hasPrefix("x") }, log: log)
  guard parts.count > 1,
    let text = try? MasterText(
      Array(parts[1]), file: "x.atmos.metadata", longest: MasterText.longestMetadata),
    let events = try? EventParser.parse(text, of: root, log: log)
  else { return }
  let scene = MasterScene(root, events, frames: 1 << 40, log: log)
  var last: Int64 = 0
  for update in scene.updates {
    precondition(update.at >= last, "changes aren't in the order of their times")
    last = update.at
    let values = update.state.position.coordinates + [update.state.gain, update.ramp]
    precondition(values.allSatisfy(\.isFinite), "a state isn't finite")
  }
}
