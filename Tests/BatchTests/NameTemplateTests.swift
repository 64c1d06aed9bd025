// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Batch

@Suite struct NameTemplateTests {
  private func fields(folder: String = "a/b") -> NameTemplate.Fields {
    NameTemplate.Fields(
      id: "x", stem: "song", folder: folder, ending: "wav", endpoint: "speakers", number: 2)
  }

  /// A URL's last part is a name; its host, with user and password, isn't.
  @Test(
    "a URL's name is the last part of its path, without user and query",
    arguments: [
      ("http://h/a/b.wav?x=/y", "b.wav"), ("https://user:s3cret@h:1/c.flac#d", "c.flac"),
      ("http://user:s3cret@127.0.0.1:18099", "output"), ("http://h/", "output"),
      ("http://h?a=b/c", "output"),
    ])
  func URLsAreNamedByTheirPath(text: String, name: String) {
    #expect(LocalPath.name(ofURL: text) == name)
  }

  @Test(
    "a template's fields are filled in",
    arguments: [
      ("{dir}/{stem}.{ext}", "a/b/song.wav"), ("{id}-{n}.{ext}", "x-2.wav"),
      ("{endpoint}/{stem}.mp4", "speakers/song.mp4"), ("plain", "plain"),
    ])
  func fieldsAreFilledIn(pattern: String, name: String) throws {
    #expect(try NameTemplate(pattern).name(fields()) == name)
  }

  @Test("an empty {dir} leaves no slash")
  func anEmptyFolderTakesItsSlashWithIt() throws {
    #expect(NameTemplate.usual.name(fields(folder: "")) == "song.wav")
  }

  /// A slash that the template itself begins with stays.
  @Test(
    "a slash that the template begins with stays", arguments: ["a/b", ""])
  func theTemplatesOwnSlashStays(folder: String) throws {
    let fields = fields(folder: folder)
    #expect(try NameTemplate("/{stem}.{ext}").name(fields) == "/song.wav")
    #expect(try NameTemplate("{id}/{dir}/{n}").name(fields) == "x/\(folder)/2")
  }

  @Test(
    "a template with an unknown or unclosed field is refused",
    arguments: ["{stems}", "{", "a}b", "", "{stem", "{}"])
  func nonsenseIsRefusedWithTheFieldsNamed(pattern: String) {
    do {
      _ = try NameTemplate(pattern)
      Issue.record("\(pattern) was taken")
    } catch {
      #expect("\(error)".contains("{stem}, {dir}"))
    }
  }

  @Test(
    "a template's ending is known when it isn't a field",
    arguments: [("{stem}.mp4", "mp4"), ("{stem}.{ext}", nil), ("{stem}", nil), ("a.{n}", nil)])
  func theEndingIsThePatternsOwn(pattern: String, ending: String?) throws {
    #expect(try NameTemplate(pattern).ending == ending)
  }
}
