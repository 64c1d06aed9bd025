import Testing

@testable import MediaOut

@Suite struct HLSPlaylistTests {
  private func playlist(_ durations: [Int64], rate: Int = 48_000) -> HLSPlaylist {
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
    return HLSPlaylist(
      mediaName: "a.mp4", playlistName: "a-audio.m3u8", codec: "mp4a.40.2", channels: 2,
      sampleRate: rate, initializationSize: 900, fragments: fragments)
  }

  private func lengths(_ text: String) -> [Double] {
    text.split(separator: "\n").filter { $0.hasPrefix("#EXTINF:") }
      .compactMap { Double($0.dropFirst(8).dropLast()) }
  }

  @Test(arguments: [44_100, 48_000, 96_000])
  func lengthsSumUpToTheProgramme(rate: Int) {
    // A length whose third decimal never ends, many times over.
    let durations = [Int64](repeating: 288_769, count: 500) + [12_345]
    let sum = lengths(playlist(durations, rate: rate).media).reduce(0, +)
    let wanted = Double(durations.reduce(0, +)) / Double(rate)
    #expect((sum - wanted).magnitude < 1e-6)
  }

  @Test func segmentsAreByteRangesWithoutHoles() {
    let text = playlist([288_000, 288_000, 1000]).media
    #expect(text.contains("#EXT-X-MAP:URI=\"a.mp4\",BYTERANGE=\"900@0\""))
    #expect(text.contains("#EXT-X-BYTERANGE:289000@900"))
    #expect(text.contains("#EXT-X-BYTERANGE:289000@289900"))
    #expect(text.contains("#EXT-X-BYTERANGE:2000@578900"))
    #expect(text.contains("#EXT-X-TARGETDURATION:6\n") && text.hasSuffix("#EXT-X-ENDLIST\n"))
  }

  @Test func theMultivariantPlaylistSaysWhatIsInside() {
    let text = playlist([288_000, 288_000]).multivariant
    #expect(text.contains("CODECS=\"mp4a.40.2\"") && text.contains("CHANNELS=\"2\""))
    // 289,000 bytes in 6 s.
    #expect(text.contains("BANDWIDTH=385334,AVERAGE-BANDWIDTH=385334,"))
    #expect(text.hasSuffix("a-audio.m3u8\n"))
  }
}
