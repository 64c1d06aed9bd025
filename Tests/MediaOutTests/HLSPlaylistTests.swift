// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MediaOut

@Suite struct HLSPlaylistTests {
  private func playlist(_ durations: [Int64], rate: Int = 48_000) -> HLSMediaPlaylist {
    var offset: Int64 = 900
    var start: Int64 = 0
    let fragments = durations.enumerated().map { index, duration in
      defer {
        offset += 1000 + duration
        start += duration
      }
      return FragmentRecord(
        sequenceNumber: index + 1, offset: offset, size: 1000 + duration, start: start,
        duration: duration, startsWithSync: true)
    }
    return HLSMediaPlaylist(
      place: .file("a.mp4"), timescale: rate, initializationSize: 900, fragments: fragments)
  }

  private func lengths(_ text: String) -> [Double] {
    text.split(separator: "\n").filter { $0.hasPrefix("#EXTINF:") }
      .compactMap { Double($0.dropFirst(8).dropLast()) }
  }

  @Test(
    "lengths of 501 HLS segments sum up to the programme within 1 µs",
    arguments: [44_100, 48_000, 96_000])
  func lengthsSumUpToTheProgramme(rate: Int) {
    // Many segments whose length isn't a whole number of milliseconds.
    let durations = [Int64](repeating: 288_769, count: 500) + [12_345]
    let sum = lengths(playlist(durations, rate: rate).text).reduce(0, +)
    let wanted = Double(durations.reduce(0, +)) / Double(rate)
    #expect((sum - wanted).magnitude < 1e-6)
  }

  @Test("HLS segments are byte ranges that follow each other from the map on")
  func segmentsAreByteRangesWithoutHoles() {
    let text = playlist([288_000, 288_000, 1000]).text
    #expect(text.contains("#EXT-X-MAP:URI=\"a.mp4\",BYTERANGE=\"900@0\""))
    #expect(text.contains("#EXT-X-BYTERANGE:289000@900"))
    #expect(text.contains("#EXT-X-BYTERANGE:289000@289900"))
    #expect(text.contains("#EXT-X-BYTERANGE:2000@578900"))
    #expect(text.contains("#EXT-X-TARGETDURATION:6\n") && text.hasSuffix("#EXT-X-ENDLIST\n"))
  }

  private func sounding(
    _ playlist: String, _ name: String, channels: String
  ) -> HLSMultivariantPlaylist.Rendition {
    var rendition = HLSMultivariantPlaylist.Rendition(playlistName: playlist, name: name)
    rendition.channels = channels
    return rendition
  }

  @Test("several tracks of sound are one group, of which the first plays")
  func soundsAreOneGroup() {
    var second = sounding("a-audio-2.m3u8", "audio", channels: "6")
    (second.isDefault, second.isAutomatic) = (false, false)
    let all = HLSMultivariantPlaylist([
      .init(
        sounds: [sounding("a-audio.m3u8", "audio", channels: "2"), second],
        codecs: ["fLaC", "fLaC"], bitRate: (1000, 900))
    ])
    let group = "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"audio\","
    #expect(
      all.text.contains(
        group + "NAME=\"audio\",DEFAULT=YES,AUTOSELECT=YES,CHANNELS=\"2\",URI=\"a-audio.m3u8\"\n"
          + group
          + "NAME=\"audio 2\",DEFAULT=NO,AUTOSELECT=NO,CHANNELS=\"6\",URI=\"a-audio-2.m3u8\"\n"))
    #expect(all.text.contains("CODECS=\"fLaC\",AUDIO=\"audio\"\na-audio.m3u8\n"))
  }

  @Test(
    "each group of sound is a variant with its own codecs and bit rate, beside the same pictures")
  func groupsAreVariants() {
    let all = HLSMultivariantPlaylist([
      .init(
        sounds: [sounding("a-audio.m3u8", "English", channels: "2")], codecs: ["mp4a.40.2"],
        bitRate: (96_000, 90_000)),
      .init(
        sounds: [sounding("a-audio-2.m3u8", "English", channels: "6")], codecs: ["ec-3"],
        bitRate: (384_000, 380_000)),
    ])
    let lines = all.text.split(separator: "\n")
    func group(_ name: String) -> String {
      "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"\(name)\",NAME=\"English\","
    }
    #expect(lines.count { $0.hasPrefix(group("audio")) && $0.contains("a-audio.m3u8") } == 1)
    #expect(lines.count { $0.hasPrefix(group("audio-2")) && $0.contains("a-audio-2.m3u8") } == 1)
    #expect(
      lines.suffix(4) == [
        "#EXT-X-STREAM-INF:BANDWIDTH=96000,AVERAGE-BANDWIDTH=90000,CODECS=\"mp4a.40.2\",AUDIO=\"audio\"",
        "a-audio.m3u8",
        "#EXT-X-STREAM-INF:BANDWIDTH=384000,AVERAGE-BANDWIDTH=380000,CODECS=\"ec-3\",AUDIO=\"audio-2\"",
        "a-audio-2.m3u8",
      ])
  }

  private func sound() -> HLSMultivariantPlaylist {
    let media = playlist([288_000, 288_000])
    return HLSMultivariantPlaylist([
      .init(
        sounds: [sounding("a-audio.m3u8", "audio", channels: "2")], codecs: ["mp4a.40.2"],
        bitRate: (media.peakBitRate, media.averageBitRate))
    ])
  }

  @Test("a multivariant playlist states codec, channels and bandwidths")
  func theMultivariantPlaylistSaysWhatIsInside() {
    let text = sound().text
    #expect(text.contains("CODECS=\"mp4a.40.2\"") && text.contains("CHANNELS=\"2\""))
    // 289,000 bytes in 6 s.
    #expect(text.contains("BANDWIDTH=385334,AVERAGE-BANDWIDTH=385334,"))
    #expect(text.hasSuffix("a-audio.m3u8\n"))
  }

  @Test(
    "pictures and subtitles are renditions with codecs, rates and names without quotation marks")
  func picturesAndSubtitlesAreRenditions() {
    var all = sound()
    all.groups[0].sounds[0].language = "de"
    all.video = .init(
      playlistName: "v.m3u8", codec: "hvc1.2.4.L60.90", supplementalCodec: "dvh1.08.06/db1p",
      width: 320, height: 180, frameRate: 24_000 / 1001.0, range: "PQ", bitRate: (1e6, 5e5))
    var titles = HLSMultivariantPlaylist.Rendition(playlistName: "s.m3u8", name: "a \"b\"\nc")
    titles.isForced = true
    titles.isDefault = false
    all.subtitles = [titles]
    all.isIndependent = false
    // A quotation mark with an accent is one to readers.
    all.subtitles[0].name += "\"\u{301}"
    #expect(all.text.utf8.elementsEqual(all.text.replacing("\"\u{301}", with: "'\u{301}").utf8))
    all.subtitles = [titles]
    let text = all.text
    #expect(text.contains("LANGUAGE=\"de\",DEFAULT=YES"))
    #expect(text.contains("NAME=\"a 'b'c\",DEFAULT=NO,AUTOSELECT=YES,FORCED=YES,URI=\"s.m3u8\""))
    #expect(
      text.contains(
        "BANDWIDTH=1385334,AVERAGE-BANDWIDTH=885334,CODECS=\"hvc1.2.4.L60.90,mp4a.40.2,wvtt\","
          + "SUPPLEMENTAL-CODECS=\"dvh1.08.06/db1p\",RESOLUTION=320x180,FRAME-RATE=23.976,"
          + "VIDEO-RANGE=PQ,AUDIO=\"audio\",SUBTITLES=\"subs\"\nv.m3u8\n"))
    #expect(!text.contains("INDEPENDENT"))
  }

  @Test("HLS subtitles of one name get numbers, and names lose their control characters")
  func namesDifferWithinAGroup() {
    var all = sound()
    all.subtitles = ["en", "e\"n", "en", "e'n", "en\u{7}", "en 2"].map {
      .init(playlistName: "s.m3u8", name: $0)
    }
    let names = all.text.split(separator: "\n").filter { $0.contains("TYPE=SUBTITLES") }
      .map { $0.split(separator: "\"")[3] }
    #expect(names == ["en", "e'n", "en 2", "e'n 2", "en 3", "en 2 2"])
  }

  @Test("a rendition late by 0.5 s has its first segment longer by that")
  func aLateRenditionCountsFromTheBeginning() {
    var late = playlist([96_000, 96_000])
    late.fragments = late.fragments.map {
      FragmentRecord(
        sequenceNumber: $0.sequenceNumber, offset: $0.offset, size: $0.size,
        start: $0.start + 24_000, duration: $0.duration, startsWithSync: true)
    }
    #expect(lengths(late.text) == [2.5, 2])
  }
}
