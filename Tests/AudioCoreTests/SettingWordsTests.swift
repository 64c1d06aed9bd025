// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

/// Messages name settings as the current task does.
struct SettingWordsTests {
  @Test("a setting without words is named decoding.track")
  func theLibraryNamesTheProperty() {
    #expect("choose another with \(setting: .track)" == "choose another with decoding.track")
  }

  @Test("words for settings hold in a task and its children, and not afterwards")
  func wordsHoldForATaskAndThoseItStarts() async {
    let words = SettingWords { "<\($0)>" }
    let found = await SettingWords.$current.withValue(words) {
      async let child = "\(setting: .damage)"
      return [await child, await Task { "\(setting: .damage)" }.value]
    }
    #expect(found == ["<damage>", "<damage>"])
    #expect("\(setting: .damage)" == "decoding.damage")
  }

  @Test("50 tasks side by side have their own words for settings")
  func callersSideBySideHaveWordsOfTheirOwn() async {
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<50 {
        group.addTask {
          let words = SettingWords { _ in "\(number)" }
          return await SettingWords.$current.withValue(words) {
            await Task.yield()
            return MediaError(.usage, "\(setting: .priming)").message == "\(number)"
          }
        }
      }
      for await isOwn in group { #expect(isOwn) }
    }
  }
}
