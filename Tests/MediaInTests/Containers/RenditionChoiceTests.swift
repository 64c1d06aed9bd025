// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import MediaIn

@Suite struct RenditionChoiceTests {
  private let list = """
    #EXTM3U
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="lo",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="lo-en.m3u8"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="hi",NAME="Deutsch",LANGUAGE="de",AUTOSELECT=YES,URI="hi-de.m3u8"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="hi",NAME="English",LANGUAGE="en-GB",DEFAULT=YES,CHANNELS="6"
    #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="hi",NAME="Sub",LANGUAGE="fr",URI="sub.m3u8"
    #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=99999999,URI="i.m3u8"
    #EXT-X-STREAM-INF:BANDWIDTH=1000000,CODECS="avc1.42,mp4a.40.2",AUDIO="lo"
    lo.m3u8
    #EXT-X-STREAM-INF:BANDWIDTH=9000000,CODECS="avc1.42"
    pictures.m3u8
    #EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=1,BANDWIDTH=5000000,CODECS="avc1.42,ec-3",AUDIO="hi"
    hi.m3u8
    """

  private func choose(_ track: String, _ text: String? = nil) throws -> RenditionChoice {
    try RenditionChoice(
      MultivariantPlaylist(Array((text ?? list).utf8), name: "list"), track: TrackChoice(track),
      name: "list", log: DiagnosticLog())
  }

  @Test(
    "a rendition of the best variant is taken by default, number or language",
    arguments: [
      ("default", "hi.m3u8"), ("0", "hi-de.m3u8"), ("1", "hi.m3u8"), ("lang:de", "hi-de.m3u8"),
      ("lang:deu", "hi-de.m3u8"), ("lang:fr,en", "hi.m3u8"),
    ])
  func theBestVariantsRenditionIsTaken(track: String, uri: String) throws {
    #expect(try choose(track) == choose(track))
    #expect(try choose(track).uri == uri)
    #expect(try choose(track).track == .automatic)
  }

  @Test("a rendition in a file of its own is known") func whatLiesElsewhereIsKnown() throws {
    // The English sound lies in the variant itself, beside its pictures.
    #expect(try !choose("default").hasPicturesElsewhere)
    #expect(try choose("lang:de").hasPicturesElsewhere)
    let sound = list.replacing("avc1.42,ec-3", with: "ec-3")
    #expect(try !choose("lang:de", sound).hasPicturesElsewhere)
    let sized = sound.replacing("5000000,", with: "5000000,RESOLUTION=1x1,")
    #expect(try choose("lang:de", sized).hasPicturesElsewhere)
    #expect(
      try choose("lang:de", sound.replacing("CODECS=\"ec-3\",", with: "")).hasPicturesElsewhere)
    #expect(try choose("default").subtitles == 0)
    let titled = list.replacing("AUDIO=\"hi\"", with: "AUDIO=\"hi\",SUBTITLES=\"hi\"")
    #expect(try choose("default", titled).subtitles == 1)
  }

  @Test("a missing rendition is named", arguments: ["2", "lang:fr"]) func whatIsNotThereIsNamed(
    track: String
  ) {
    let error = #expect(throws: MediaError.self) { try choose(track) }
    #expect(error?.kind == .usage)
  }

  @Test("without renditions the best variant is taken, and the language is left to its tracks")
  func withoutRenditionsTheVariantIsSearched() throws {
    let plain = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n#EXT-X-STREAM-INF:BANDWIDTH=2\nb\n"
    #expect(try choose("lang:de", plain).uri == "b")
    #expect(try choose("lang:de", plain).track == .languages(["de"]))
  }

  @Test("without a default rendition the first selectable one is taken")
  func withoutADefaultTheFirstSelectableIsTaken() throws {
    let text = list.replacing("DEFAULT=YES", with: "DEFAULT=NO")
    #expect(try choose("default", text).uri == "hi-de.m3u8")
  }

  @Test("the reasons of a choice are kept") func theReasonsAreKept() throws {
    let log = DiagnosticLog()
    _ = try RenditionChoice(
      MultivariantPlaylist(Array(list.utf8), name: "list"), track: .automatic, name: "list",
      log: log)
    #expect(log.decisions.map(\.code.rawValue) == ["variant", "rendition"])
    #expect(log.decisions[1].chose == "English")
    #expect(log.decisions[1].why == "default rendition")
  }

  @Test("a multivariant playlist without variants is refused")
  func aListWithoutVariantsIsRefused() {
    #expect(throws: MediaError.self) { try choose("0", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n") }
  }
}
