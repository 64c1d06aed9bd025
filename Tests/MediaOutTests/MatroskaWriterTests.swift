// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import Matroska
import Testing

@testable import MediaOut

/// Matroska as it is written from facts of tracks, read back by the reader that isn't the writer.
@Suite struct MatroskaWriterTests {
  /// AAC whose last packet states less than it decodes to, as libavcodec's encoder does.
  private func sound(valid: Int64 = 100_000, start: Int64 = 0) -> Track {
    let coding = TrackCoding.encoded(
      TrackCoding.EncodedSound(
        codec: .aac, configuration: [0x11, 0x90],
        format: AudioFormat(sampleRate: 48_000, layout: .stereo), bits: 24, bitRate: 128_000,
        isBinaural: false))
    var facts = OutputTrackFacts(
      .sound, coding, timescale: 48_000, priming: 1024, length: valid, startOffset: start)
    facts.frame = 1024
    facts.language = "deu"
    let count = (valid + 1024 + 1023) / 1024
    let samples = (0..<count).map { number in
      MediaSample(
        data: [UInt8(number & 255), 7], decodeTime: number * 1024,
        duration: number == count - 1 ? valid + 1024 - number * 1024 : 1024)
    }
    return Track(facts, samples)
  }

  private func texts() -> Track {
    var facts = OutputTrackFacts(
      .subtitles, .plainText, timescale: 1000, length: 2500, startOffset: 500)
    facts.roles = [.forced]
    facts.language = "en-GB"
    return Track(
      facts,
      [
        MediaSample(data: Array("One".utf8), decodeTime: 0, duration: 1000),
        MediaSample(data: Array("Two".utf8), decodeTime: 700, duration: 1800),
      ])
  }

  private struct Track {
    var facts: OutputTrackFacts
    var samples: [MediaSample]

    init(_ facts: OutputTrackFacts, _ samples: [MediaSample]) {
      self.facts = facts
      self.samples = samples
    }
  }

  private func write(_ tracks: [Track], _ texts: TrackTexts = TrackTexts()) throws -> ByteSource {
    let sink = FragmentInterleavingTests.MemorySink()
    let writer = try MatroskaWriter(
      sink: sink, tracks: tracks.map(\.facts), texts: texts, name: "a.mkv")
    let all = tracks.enumerated().flatMap { number, track in
      track.samples.map { (time: track.facts.instant($0), number: number, sample: $0) }
    }
    for entry in all.sorted(by: { ($0.time, $0.number) < ($1.time, $1.number) }) {
      try writer.add(entry.sample, track: entry.number)
    }
    try writer.finish()
    let bytes = sink.bytes
    return ByteSource(bytes)
  }

  private func frames(_ reader: MatroskaReader, _ track: Int) throws -> [MatroskaFrame] {
    var frames: [MatroskaFrame] = []
    try reader.forEachBlock(of: [track]) {
      frames.append($0)
      return true
    }
    return frames
  }

  @Test("a lossy track states its start-up samples and its padding to the nanosecond")
  func lossySoundIsExact() throws {
    let source = try write([sound()])
    #expect(MatroskaCheck(source).findings == [])
    let reader = try MatroskaReader(source)
    let track = try #require(reader.tracks.first)
    #expect(track.codecID == "A_AAC" && track.codecPrivate == [0x11, 0x90])
    #expect(track.codecDelay.nanoseconds == 21_333_333)
    #expect(track.defaultDuration?.nanoseconds == 21_333_333)
    #expect(track.language == "ger" && track.languageBCP47 == "de")
    let frames = try frames(reader, 1)
    #expect(frames.count == 99)
    // 99 packets of 1,024 samples hold 352 more than 1,024 and 100,000.
    #expect(frames.map(\.discardPadding) == [Int64](repeating: 0, count: 98) + [7_333_333])
    // The scale is a hundredth of a millisecond.
    #expect(reader.info.timestampScale == 10_000)
    for (number, frame) in frames.enumerated() {
      let exact = Double(number) * 1024 / 48_000 * 1e9
      #expect((Double(frame.time) - exact).magnitude <= 5000, "frame \(number)")
    }
    // Ticks of the whole sound.
    #expect(try #require(reader.info.duration) == 100_000.0 / 48_000 * 1e5)
  }

  @Test(
    "late sound presents its start-up samples as far as they lie after zero",
    arguments: [(23_968, 0, 477_999_999), (350, 14_041_667, 0)] as [(Int64, Int64, Int64)])
  func lateSoundPresentsItsStart(start: Int64, delay: Int64, first: Int64) throws {
    let reader = try MatroskaReader(try write([sound(start: start)]))
    #expect(reader.tracks[0].codecDelay.nanoseconds == delay)
    let time = try #require(try frames(reader, 1).first?.time)
    #expect((time - first).magnitude <= 5001)
  }

  @Test("texts may overlap, and state when they end") func textsStateTheirEnd() throws {
    let source = try write([sound(), texts()])
    #expect(MatroskaCheck(source).findings == [])
    let reader = try MatroskaReader(source)
    let track = reader.tracks[1]
    #expect(track.codecID == "S_TEXT/UTF8" && track.roles == .forced && !track.isDefault)
    #expect(track.language == "eng" && track.languageBCP47 == "en-GB")
    let frames = try frames(reader, 2)
    #expect(frames.map { String(decoding: $0.data, as: UTF8.self) } == ["One", "Two"])
    #expect(frames.map(\.time) == [500_000_000, 1_200_000_000])
    #expect(frames.map(\.duration) == [1_000_000_000, 1_800_000_000])
  }

  /// A picture entry of this type with the boxes inside.
  private func entry(
    _ type: String, _ boxes: [(String, [UInt8])]
  ) throws -> VisualSampleEntry {
    var bytes = [UInt8](repeating: 0, count: 86)
    bytes[3] = 86
    bytes.replaceSubrange(4..<8, with: type.utf8)
    bytes.replaceSubrange(32..<36, with: [0x02, 0xD0, 0x02, 0x40])
    var entry = try #require(VisualSampleEntry(bytes))
    for (name, payload) in boxes { entry.append(name, payload) }
    return entry
  }

  @Test("pictures keep shape, turn, colours, light and Dolby Vision") func picturesKeepTheirFacts()
    throws
  {
    // Green, blue, red, white; then 1000 and 0.005 cd/m².
    let places: [UInt16] = [8500, 39_850, 6550, 2300, 35_400, 14_600, 15_635, 16_450]
    let screen = places.flatMap(\.bigEndianBytes) + [0, 0x98, 0x96, 0x80, 0, 0, 0, 50]
    let entry = try entry(
      "hvc1",
      [
        ("hvcC", [1, 2, 3]), ("pasp", [0, 0, 0, 16, 0, 0, 0, 11]),
        ("colr", Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 0]), ("clli", [3, 0xE8, 1, 0x90]),
        ("mdcv", screen), ("dvcC", [1, 0, 16]),
      ])
    var facts = OutputTrackFacts(.pictures, .pictures(entry), timescale: 25, length: 1)
    // A quarter turn with the clock.
    facts.picture = .init(
      width: 720, height: 576, displayMatrix: [0, 65_536, 0, -65_536, 0, 0, 0, 0, 1 << 30])
    let reader = try MatroskaReader(
      try write([Track(facts, [MediaSample(data: [1], decodeTime: 0, duration: 1)])]))
    let track = try #require(reader.tracks.first)
    #expect(track.codecID == "V_MPEGH/ISO/HEVC" && track.codecPrivate == [1, 2, 3])
    let video = try #require(track.video)
    #expect(video.width == 720 && video.height == 576)
    #expect(video.displayWidth == 1047 && video.displayHeight == 576)
    #expect(video.projection?.roll == -90)
    let colour = try #require(video.colour)
    #expect(colour.primaries == 9 && colour.transfer == 16 && colour.matrix == 9)
    #expect(colour.range == 1 && colour.maxCLL == 1000 && colour.maxFALL == 400)
    #expect(colour.mastering?.redX == 0.708 && colour.mastering?.greenY == 0.797)
    #expect(colour.mastering?.luminanceMax == 1000 && colour.mastering?.luminanceMin == 0.005)
    let mapping = try #require(track.additionMappings.first)
    #expect(mapping.firstRange(of: Array("dvcC".utf8)) != nil)
    #expect(mapping.suffix(3) == [1, 0, 16])
  }

  @Test(
    "turns and mirrors of pictures are stated",
    arguments: [
      ([0, 1, -1, 0], 0, -90), ([-1, 0, 0, -1], 0, -180), ([-1, 0, 0, 1], 180, 0),
      ([1, 0, 0, -1], 180, -180), ([1, 0, 0, 1], nil, nil),
    ] as [([Int32], Double?, Double?)])
  func turnsAreStated(turn: [Int32], yaw: Double?, roll: Double?) throws {
    let entry = try entry("avc1", [("avcC", [1])])
    var facts = OutputTrackFacts(.pictures, .pictures(entry), timescale: 25, length: 1)
    let unit: Int32 = 65_536
    facts.picture = .init(
      width: 720, height: 576,
      displayMatrix: [
        turn[0] * unit, turn[1] * unit, 0, turn[2] * unit, turn[3] * unit, 0, 0, 0, 1 << 30,
      ])
    let reader = try MatroskaReader(
      try write([Track(facts, [MediaSample(data: [1], decodeTime: 0, duration: 1)])]))
    let found = reader.tracks.first?.video?.projection
    #expect(found?.yaw == yaw && found?.roll.magnitude == roll?.magnitude)
    if roll == -90 { #expect(found?.roll == -90) }
  }

  @Test("a codec without a mapping, and sound that ends early, are refused")
  func impossibleTracksAreRefused() throws {
    let other = try entry("mp4v", [("esds", [1])])
    let facts = OutputTrackFacts(.pictures, .pictures(other), timescale: 25, length: 1)
    #expect(throws: MediaError.self) { try write([Track(facts, [])]) }
    var short = sound()
    short.samples.removeLast()
    #expect(throws: MediaError.self) { try write([short]) }
  }

  @Test("chapters, covers, tags and ReplayGain have their places") func textsHaveTheirPlaces()
    throws
  {
    var texts = TrackTexts()
    texts.maker = "Pinna 1"
    texts.tags = MediaTags([("title", "Film"), ("artist", "Someone"), ("my_own", "kept")])
    texts.pictures = [.init(bytes: [0xFF, 0xD8, 1], width: 1, height: 1)]
    texts.chapters = [
      ProgrammeMarker(time: MediaTime(ticks: 0, rate: 1), title: "One"),
      ProgrammeMarker(time: MediaTime(ticks: 48_001, rate: 48_000), title: "Two"),
    ]
    var track = sound()
    track.facts.loudness = LoudnessBox(
      TrackLoudness(integrated: -16, truePeak: -1, samplePeak: -1.1))
    let source = try write([track], texts)
    #expect(MatroskaCheck(source).findings == [])
    let reader = try MatroskaReader(source)
    #expect(reader.info.title == "Film" && reader.info.muxingApp == "Pinna 1")
    let chapters = try #require(reader.chapters.flatMap(MatroskaChapters.init(element:)))
    #expect(chapters.editions[0].chapters.map(\.titles.first?.text) == ["One", "Two"])
    // The nearest nanosecond.
    #expect(chapters.editions[0].chapters[1].start.nanoseconds == 1_000_020_833)
    #expect(reader.attachments.map(\.name) == ["cover.jpg"])
    #expect(reader.attachments.map(\.mediaType) == ["image/jpeg"])
    let tags = reader.tags.flatMap { MatroskaTag.all(element: $0) }
    #expect(
      tags.map { $0.entries.map(\.name) } == [
        ["ARTIST", "MY_OWN"], ["REPLAYGAIN_TRACK_GAIN", "REPLAYGAIN_TRACK_PEAK"],
      ])
    #expect(tags.map(\.trackUIDs) == [[], [1]])
    #expect(tags.last?.entries[0].value == .text("-2.00 dB"))
  }
}
