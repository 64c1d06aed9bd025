import AudioCore
import Testing

@testable import Batch

@Suite struct NameTemplateTests {
  private func fields(folder: String = "a/b") -> NameTemplate.Fields {
    NameTemplate.Fields(
      id: "x", stem: "song", folder: folder, ending: "wav", endpoint: "speakers", number: 2)
  }

  @Test(arguments: [
    ("{dir}/{stem}.{ext}", "a/b/song.wav"), ("{id}-{n}.{ext}", "x-2.wav"),
    ("{endpoint}/{stem}.mp4", "speakers/song.mp4"), ("plain", "plain"),
  ])
  func fieldsAreFilledIn(pattern: String, name: String) throws {
    #expect(try NameTemplate(pattern).name(fields()) == name)
  }

  @Test func anEmptyFolderTakesItsSlashWithIt() throws {
    #expect(NameTemplate.usual.name(fields(folder: "")) == "song.wav")
  }

  @Test(arguments: ["{stems}", "{", "a}b", "", "{stem", "{}"])
  func nonsenseIsRefusedWithTheFieldsNamed(pattern: String) {
    do {
      _ = try NameTemplate(pattern)
      Issue.record("\(pattern) was taken")
    } catch {
      #expect("\(error)".contains("{stem}, {dir}"))
    }
  }

  @Test(arguments: [("{stem}.mp4", "mp4"), ("{stem}.{ext}", nil), ("{stem}", nil), ("a.{n}", nil)])
  func theEndingIsThePatternsOwn(pattern: String, ending: String?) throws {
    #expect(try NameTemplate(pattern).ending == ending)
  }
}
