import AudioCore
import Testing

/// Messages name settings as the current task does.
struct SettingWordsTests {
  @Test func theLibraryNamesTheProperty() {
    #expect("choose another with \(setting: .track)" == "choose another with decoding.track")
  }

  @Test func wordsHoldForATaskAndThoseItStarts() async {
    let words = SettingWords { "<\($0)>" }
    let found = await SettingWords.$current.withValue(words) {
      async let child = "\(setting: .damage)"
      return [await child, await Task { "\(setting: .damage)" }.value]
    }
    #expect(found == ["<damage>", "<damage>"])
    #expect("\(setting: .damage)" == "decoding.damage")
  }

  @Test func callersSideBySideHaveWordsOfTheirOwn() async {
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
