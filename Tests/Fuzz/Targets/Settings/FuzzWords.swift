// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Batch

@testable import MediaIn

/// The bytes are short texts of options and of tags, in every way in which they are read.
func fuzzWords(_ bytes: [UInt8]) {
  if let paths = try? InputList.paths(bytes, name: "input") {
    demand(paths.allSatisfy { !$0.isEmpty && !$0.utf8.contains(0) }, "each path names something")
  }
  guard let text = FuzzInput.text(bytes) else { return }
  if let time = try? TimeSpec(text, option: "--start") {
    demand(time.samples(at: 768_000) >= 0, "a time isn't negative")
  }
  if let nanoseconds = ClockTime.nanoseconds(text) {
    demand(nanoseconds >= 0, "a time isn't negative")
  }
  if let shard = try? Shard(text) {
    demand((1...shard.count).contains(shard.index), "a shard is one of all")
  }
  _ = LanguageCodes.list("lang:" + text)
  _ = LanguageCodes.serves(text, "deu")
  if let layout = ChannelLayout(name: text) {
    demand(ChannelLayout(name: layout.name) == layout, "a layout is read by its own name")
  }
  if let template = try? NameTemplate(text) {
    demand((try? NameTemplate(template.text)) == template, "a template is read as it was written")
  }
}
