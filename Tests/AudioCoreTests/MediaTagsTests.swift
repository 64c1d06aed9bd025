// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@Suite struct MediaTagsTests {
  @Test("names compare without case, and all names of one tag are equal")
  func namesOfOneTagAreEqual() {
    let tags = MediaTags([
      ("TrackNumber", "3"), ("ALBUM ARTIST", "A"), ("MyOwn", "x"), ("MusicBrainz Album Id", "id"),
      ("myown", "y"), ("empty", ""),
    ])
    #expect(tags["track"] == "3" && tags["albumartist"] == "A" && tags["album_artist"] == "A")
    #expect(tags["MUSICBRAINZ_ALBUMID"] == "id" && tags.values("MYOWN") == ["x", "y"])
    #expect(tags["empty"] == nil && tags["title"] == nil && tags.entries.count == 5)
    #expect(tags.names == ["tracknumber", "album artist", "myown", "musicbrainz album id"])
  }

  @Test("a new value takes the place of all values, and others keep their order")
  func aNewValueTakesThePlace() {
    var tags = MediaTags([("a", "1"), ("TITLE", "2"), ("b", "3"), ("title", "4")])
    tags["title"] = "new"
    #expect(tags.entries.map(\.value) == ["1", "new", "3"])
    tags["title"] = nil
    tags["c"] = "5"
    #expect(tags.entries.map(\.value) == ["1", "3", "5"])
  }

  @Test("tags are completed by those whose names aren't there")
  func tagsAreCompleted() {
    var tags = MediaTags([("TITLE", "1")])
    tags.complete(with: MediaTags([("title", "2"), ("artist", "3"), ("artist", "4")]))
    #expect(tags.entries.map(\.value) == ["1", "3", "4"])
    #expect(tags.grouped.map(\.values) == [["1"], ["3", "4"]])
  }

  @Test("no name, atom or frame stands for two tags")
  func eachNameStandsForOneTag() {
    let all = TagName.all
    for names in [
      all.map(\.name), all.compactMap(\.atom), all.compactMap(\.frame), all.compactMap(\.chunk),
      all.flatMap { Set(($0.comments + [$0.freeName, $0.name]).map { $0.lowercased() }) },
    ] {
      let twice = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys
      #expect(twice.isEmpty, "\(twice)")
    }
    #expect(all.allSatisfy { !$0.comments.isEmpty && $0.atom?.unicodeScalars.count ?? 4 == 4 })
  }
}
