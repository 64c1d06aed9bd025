// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Matroska
import MediaIn
import Platform
import Report
import TestSupport
import Testing

@testable import Rendering

/// Other tracks of films in MP4, transport streams and AVI, and of a part of Matroska, go into Matroska frame by frame.
@Suite(.tags(.system), .fullRunOnly) struct CarriedFramesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Pictures, and a tone for each of these encoders, four seconds long.
  private func film(
    _ name: String, _ codecs: [[String]], languages: [String] = ["eng", "ger", "fre"],
    subtitles: [String] = [], more: [String] = []
  ) throws -> String {
    let path = folder.file(name)
    var words = ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=4"]
    for place in codecs.indices {
      words += ["-f", "lavfi", "-i", "anoisesrc=d=4:c=pink:r=48000:a=0.2:seed=\(place + 1)"]
    }
    let inputs = 1 + codecs.count
    if !subtitles.isEmpty { words += ["-fix_sub_duration", "-i", try pictures()] }
    words += (0..<inputs).flatMap { ["-map", "\($0)"] }
    if !subtitles.isEmpty { words += ["-map", "\(inputs)"] + subtitles }
    words += ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "25", "-ac", "2"]
    for (place, codec) in codecs.enumerated() {
      words += ["-c:a:\(place)"] + codec
      words += ["-metadata:s:a:\(place)", "language=\(languages[place])"]
    }
    try FixtureStore.ffmpeg(words + more + [path])
    return path
  }

  /// Subtitles of pictures as a disc has them: each segment by itself. They are shown from 0.5 to 1.5 s and from 2 to 3 s.
  private func pictures() throws -> String {
    func segment(_ time: UInt32, _ kind: UInt8, _ body: [UInt8] = []) -> [UInt8] {
      Array("PG".utf8) + time.bigEndianBytes + [0, 0, 0, 0, kind]
        + UInt16(body.count).bigEndianBytes
        + body
    }
    func composition(_ number: UInt8, _ state: UInt8, _ objects: [UInt8]) -> [UInt8] {
      [0, 64, 0, 64, 0x10, 0, number, state, 0, 0, UInt8(objects.count / 8)] + objects
    }
    let window: [UInt8] = [1, 0, 0, 5, 0, 5, 0, 8, 0, 2]
    let row: [UInt8] = [1, 1, 1, 1, 1, 1, 1, 1, 0, 0]
    var bytes: [UInt8] = []
    for (place, times) in [(45_000, 135_000), (180_000, 270_000)].enumerated() {
      let (begin, end) = (UInt32(times.0), UInt32(times.1))
      bytes += segment(begin, 0x16, composition(UInt8(2 * place), 0x80, [0, 0, 0, 0, 0, 5, 0, 5]))
      bytes += segment(begin, 0x17, window)
      bytes += segment(begin, 0x14, [0, 0, 1, 235, 128, 128, 255])
      bytes += segment(begin, 0x15, [0, 0, 0, 0xC0, 0, 0, 24, 0, 8, 0, 2] + row + row)
      bytes += segment(begin, 0x80)
      bytes += segment(end, 0x16, composition(UInt8(2 * place + 1), 0, []))
      bytes += segment(end, 0x17, window) + segment(end, 0x80)
    }
    try Data(bytes).write(to: folder.url("pictures.sup"))
    return folder.file("pictures.sup")
  }

  private func render(
    _ path: String, _ name: String = "out.mkv",
    _ change: (inout RenderJob) throws -> Void = { _ in }
  ) async throws -> (report: RenderReport, reader: MatroskaReader) {
    var test = try RenderCase(path: path)
    test.job.outputs = [.init(endpoint: .headphones, location: .file(folder.file(name)))]
    test.job.form = .matroska(.flac, bitRate: nil)
    try change(&test.job)
    let report = try await test.run()
    let file = try MediaFile.locate(folder.file(name))
    return (
      report,
      try MatroskaReader(file.source)
    )
  }

  /// Frames of a track with the times at which they are presented, in nanoseconds.
  private func frames(
    _ reader: MatroskaReader, _ track: MatroskaTrackEntry
  ) throws -> [MatroskaFrame] {
    var all: [MatroskaFrame] = []
    try reader.forEachBlock(of: [track.number], as: .stored) { frame in
      all.append(frame)
      return true
    }
    return all
  }

  /// The coded bytes of a stream as ffmpeg takes them out.
  private func bytes(_ path: String, _ stream: String, _ format: String) throws -> Data {
    try Tool.run(
      "ffmpeg",
      ["-v", "error", "-i", path, "-map", "0:\(stream)", "-c", "copy", "-f", format, "-"]
    ).output
  }

  /// Times of a stream's packets in seconds, as ffprobe reads them.
  private func times(_ path: String, _ stream: String) throws -> [Double] {
    let text = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", stream, "-show_entries", "packet=pts_time", "-of",
        "csv=p=0", path,
      ]
    ).output
    return String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
      .compactMap { Double($0.prefix { $0 != "," }) }
  }

  /// The distances of a stream's packets from the first picture.
  private func distances(_ path: String, _ stream: String) throws -> [Double] {
    let first = try #require(try times(path, "v:0").min())
    return try times(path, stream).map { $0 - first }
  }

  private func areNear(_ one: [Double], _ other: [Double], _ limit: Double = 0.000_011) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { abs($0 - $1) <= limit }
  }

  @Test("sound of a transport stream keeps its frames and its place beside the pictures")
  func transportStream() async throws {
    let path = try film("film.ts", [["aac"], ["ac3"], ["mp2"]])
    let (report, written) = try await render(path)
    let sounds = written.tracks.filter { $0.kind == .audio }
    #expect(sounds.map(\.codecID) == ["A_FLAC", "A_AAC", "A_AC3", "A_MPEG/L2"])
    #expect(sounds.map(\.isDefault) == [true, false, false, false])
    #expect(sounds.map(\.language) == ["eng", "eng", "ger", "fre"])
    #expect(sounds[1].codecPrivate == [0x11, 0x90])
    for (place, format) in ["adts", "ac3", "mp2"].enumerated() {
      let copy = try bytes(folder.file("out.mkv"), "a:\(place + 1)", format)
      #expect(copy == (try bytes(path, "a:\(place)", format)), "\(format)")
      #expect(!copy.isEmpty)
      #expect(
        areNear(
          try distances(folder.file("out.mkv"), "a:\(place + 1)"),
          try distances(path, "a:\(place)")), "\(format)")
    }
    let tracks = try #require(report.outputs[0].tracks)
    #expect(tracks.map(\.kind) == [.video, .audio, .audio, .audio])
    #expect(tracks.map(\.codec).dropFirst() == ["aac", "ac3", "mp2"])
    #expect(report.decisions.contains { $0.code == .originals && $0.chose.contains("3 of sound") })
    #expect(!report.decisions.contains { $0.code == DecisionCode.leftOut })
    #expect(report.degradations.isEmpty)
  }

  @Test("start-up samples of MP4 are those of Matroska") func movie() async throws {
    let path = try film("film.mp4", [["aac"], ["ac3"], ["libopus"]])
    let (report, written) = try await render(path)
    let sounds = written.tracks.filter { $0.kind == .audio }
    #expect(sounds.map(\.codecID) == ["A_FLAC", "A_AAC", "A_AC3", "A_OPUS"])
    // 1024 samples of AAC, 256 of AC-3, 312 of Opus.
    let delays = sounds.dropFirst().map { $0.codecDelay.samples(at: 48_000) }
    #expect(delays == [1024, 256, 312])
    for (place, sound) in sounds.dropFirst().enumerated() {
      let first = try #require(try frames(written, sound).first)
      // Blocks begin at the file's own beginning.
      #expect(first.time == 0, "\(place)")
    }
    #expect(sounds[3].codecPrivate?.starts(with: "OpusHead".utf8) == true)
    #expect(sounds[3].seekPreRoll.milliseconds == 80)
    let last = try #require(try frames(written, sounds[1]).last)
    // 4 s are 187.5 frames of AAC, whose last one is presented in part.
    #expect(last.discardPadding > 0)
    #expect(report.degradations.isEmpty)
    for (place, format) in ["ac3"].enumerated() {
      #expect(
        try bytes(folder.file("out.mkv"), "a:\(place + 2)", format)
          == (try bytes(path, "a:\(place + 1)", format)))
    }
  }

  @Test("pictures that are subtitles keep their displays", arguments: ["m2ts", "ts", "mp4"])
  func subtitlePictures(ending: String) async throws {
    let codec = ["m2ts": "copy", "ts": "dvbsub", "mp4": "dvdsub"][ending] ?? ""
    let input = try film(
      "film.\(ending)", [["ac3"]],
      subtitles: ["-c:s", codec, "-metadata:s:s:0", "language=fre"],
      more: ending == "m2ts" ? ["-mpegts_m2ts_mode", "1"] : [])
    let (report, written) = try await render(input)
    let subtitles = try #require(written.tracks.first { $0.kind == .subtitle })
    let codecs = ["m2ts": "S_HDMV/PGS", "ts": "S_DVBSUB", "mp4": "S_VOBSUB"]
    #expect(subtitles.codecID == codecs[ending])
    // ffmpeg states no language of PGS in transport streams.
    #expect(subtitles.language == (ending == "m2ts" ? "und" : "fre"))
    let found = try frames(written, subtitles)
    switch ending {
    case "m2ts":
      #expect(found.count == 4 && subtitles.codecPrivate == nil)
      // A display begins with its composition and ends with the last segment.
      #expect(found.allSatisfy { $0.data[0] == 0x16 && $0.data.suffix(3) == [0x80, 0, 0] })
      #expect(found.allSatisfy { $0.duration == nil })
      let begins = found.map { $0.time - found[0].time }
      #expect(begins == [0, 1_000_000_000, 1_500_000_000, 2_500_000_000])
    case "ts":
      #expect(subtitles.codecPrivate?.count == 5)
      #expect(found.allSatisfy { $0.data[0] == 0x0F } && !found.isEmpty)
    default:
      let text = subtitles.codecPrivate.map { String(decoding: $0, as: UTF8.self) }
      #expect(text?.contains("palette:") == true)
      #expect(found.allSatisfy { ($0.duration ?? 0) > 0 } && !found.isEmpty)
    }
    #expect(report.degradations.isEmpty, "\(report.degradations)")
  }

  @Test(
    "other tracks of sound stay as far as they are wanted",
    arguments: [
      ("all", ["eng", "ger", "fre"]), ("none", []), ("en", ["eng"]), ("fr,deu", ["ger", "fre"]),
    ] as [(String, [String])])
  func soundIsChosen(wish: String, languages: [String]) async throws {
    let path = try film("film.mp4", [["aac"], ["ac3"], ["ac3"]])
    let (_, written) = try await render(path) {
      $0.carriage.keptAudio = try Carriage.KeptAudio(wish)
    }
    let sounds = written.tracks.filter { $0.kind == .audio }.dropFirst()
    #expect(sounds.map(\.language) == languages)
  }

  @Test("a name for sound alone gets no other track of sound") func soundAlone() async throws {
    let path = try film("film.mp4", [["aac"], ["ac3"]])
    let (report, written) = try await render(path, "out.mka")
    #expect(written.tracks.count == 1)
    #expect(
      report.decisions.contains {
        $0.code == DecisionCode.leftOut && $0.chose.contains("audio track 1")
      })
  }

  @Test("a track without a place in Matroska is named with the reason") func misfitsAreNamed()
    async throws
  {
    let path = try film("film.avi", [["ac3"], ["adpcm_ms"]], more: ["-f", "avi"])
    let (report, written) = try await render(path) { $0.carriage.keptAudio = .all }
    #expect(
      written.tracks.filter { $0.kind == .audio }.map(\.codecID) == ["A_FLAC", "A_AC3"])
    let left = try #require(report.decisions.first { $0.code == DecisionCode.leftOut })
    #expect(left.chose.contains("audio track 1") && left.chose.contains("no place for adpcm_ms"))
  }

  @Test("of a part, the tracks of Matroska keep their place to the sample")
  func partOfMatroska() async throws {
    let film = try RichFilm(folder)
    let start: Int64 = 30_000
    let (report, written) = try await render(film.path) {
      $0.clip.range = Clip.Range(start: .samples(start), end: .at(.samples(78_000)))
      $0.carriage.keptAudio = .all
    }
    let sounds = written.tracks.filter { $0.kind == .audio }
    #expect(sounds.map(\.codecID) == ["A_FLAC", "A_AC3", "A_FLAC", "A_OPUS"])
    #expect(sounds[2].languageBCP47 == "de-AT" && sounds[3].roles == [.commentary])
    // Frames of AC-3 last 1536 samples; the one that the range begins in, and one before it, are decoded and not presented up to there.
    // The range counts from behind the 256 start-up samples of AC-3, and ffmpeg rounds times to milliseconds.
    #expect(abs(sounds[1].codecDelay.samples(at: 48_000) - (start + 256) % 1536 - 1536) <= 48)
    let head = try #require(sounds[3].codecPrivate)
    let skip = Int64(head[10]) | Int64(head[11]) << 8
    #expect(skip == sounds[3].codecDelay.samples(at: 48_000) && skip >= 3840)
    for sound in sounds.dropFirst() {
      let found = try frames(written, sound)
      #expect(try #require(found.first).time <= 1_000_000)
      #expect(try #require(found.last).time <= 1_000_000_000 + sound.codecDelay.nanoseconds)
    }
    let subtitles = written.tracks.filter { $0.kind == .subtitle }
    #expect(subtitles.map(\.codecID) == ["S_HDMV/PGS", "S_TEXT/ASS", "S_VOBSUB", "S_TEXT/UTF8"])
    let styled = try frames(written, try #require(subtitles.first { $0.codecID == "S_TEXT/ASS" }))
    // One text began before the range and is cut to it; the other begins at 0.75 s, and the range at 0.632 s with what ffmpeg moves.
    #expect(styled.count == 2 && styled[0].time < 1_000_000)
    #expect(abs(styled[1].time - 118_000_000) < 1_000_000)
    #expect(abs(try #require(styled[1].duration) - 250_000_000) < 20_000)
    #expect(try #require(styled[0].duration) < 1_001_000_000)
    #expect(styled[0].data == Array("0,0,Default,,0,0,0,,{\\b1}Grüße".utf8))
    #expect(written.attachments.map(\.name) == ["My Font.ttf"])
    #expect(!report.degradations.contains { $0.code == .subtitlesLeftOut })
    #expect(!report.degradations.contains { $0.code == .subtitleStylingLeftOut })
  }

  @Test("a part begins with the subtitle that is shown there") func shownPictures() async throws {
    let path = try film(
      "film.m2ts", [["ac3"]], subtitles: ["-c:s", "copy"], more: ["-mpegts_m2ts_mode", "1"])
    let (_, written) = try await render(path) {
      $0.clip.range = Clip.Range(start: .samples(48_000))
    }
    let subtitles = try #require(written.tracks.first { $0.kind == .subtitle })
    let found = try frames(written, subtitles)
    #expect(found.count == 4 && found[0].time == 0 && found[0].data[10] == 0x80)
  }

  @Test("a recording that was cut at both ends isn't damaged") func cutRecordings() async throws {
    let path = try film("film.ts", [["ac3"], ["aac"], ["mp2"]])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // Packets of transport streams have 188 bytes; the last one is cut.
    let packets = bytes.count / 188
    let cut = bytes[188 * (packets / 5)..<188 * (packets * 3 / 5) - 91]
    try Data(cut).write(to: folder.url("cut.ts"))
    let (report, written) = try await render(folder.file("cut.ts")) {
      $0.carriage.keepsVideo = false
    }
    #expect(
      written.tracks.map(\.codecID) == ["A_FLAC", "A_AC3", "A_AAC", "A_MPEG/L2"])
    #expect(!report.degradations.contains { $0.code == .copiesCut })
  }

  @Test("frames that can't be copied whole are refused, and concealed when asked") func damage()
    async throws
  {
    let path = try film("film.mkv", [["ac3"], ["ac3"]])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let place = bytes.count / 2
    bytes.replaceSubrange(place..<place + 4000, with: Data(repeating: 0, count: 4000))
    try bytes.write(to: URL(fileURLWithPath: path))
    await #expect(throws: RenderFailure.self) { _ = try await render(path) }
    #expect(!FileManager.default.fileExists(atPath: folder.file("out.mkv")))
    let (report, _) = try await render(path) { $0.clip.decoding.damage = .conceal }
    #expect(report.degradations.contains { $0.code == .copiesCut })
  }

  /// Samples of one channel of a stream as ffmpeg decodes them.
  private func samples(_ path: String, _ stream: String) throws -> [Float] {
    let output = try Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-i", path, "-map", "0:\(stream)", "-af", "pan=mono|c0=c0", "-f", "f32le",
        "-",
      ]
    ).output
    return [UInt8](output).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  @Test("the first sample of a range is right, since what its decoding needs lies before it")
  func rangesAreWhole() async throws {
    let path = try film(
      "film.mp4",
      [["aac", "-aac_pns", "0"], ["eac3"], ["libmp3lame", "-b:a:2", "96k"], ["libvorbis"]],
      languages: ["eng", "ger", "fre", "spa"])
    let start = 30_000
    let (_, written) = try await render(path) {
      $0.clip.range = Clip.Range(start: .samples(Int64(start)))
    }
    let sounds = written.tracks.filter { $0.kind == .audio }.dropFirst()
    #expect(sounds.map(\.codecID) == ["A_AAC", "A_EAC3", "A_MPEG/L3", "A_VORBIS"])
    for (place, sound) in sounds.enumerated() {
      #expect(sound.seekPreRoll.ticks == 0)
      let source = try samples(path, "a:\(place)").dropFirst(start)
      let copy = try samples(folder.file("out.mkv"), "a:\(place + 1)")
        .dropFirst(Int(sound.codecDelay.samples(at: 48_000)))
      func error(_ range: Range<Int>) -> Double {
        let pairs = zip(copy.dropFirst(range.lowerBound), source.dropFirst(range.lowerBound))
        let sum = pairs.prefix(range.count).reduce(0.0) { $0 + pow(Double($1.0 - $1.1), 2) }
        return (sum / Double(range.count)).squareRoot()
      }
      #expect(copy.count > 20_000 && source.count > 20_000)
      // Some decoders fill up with noise of their own.
      #expect(error(0..<256) <= 2 * error(10_000..<20_000) + 0.0002, "\(sound.codecID)")
    }
  }

  /// A file of Matroska with a second of plain sound, and styled texts at these ticks of `scale` nanoseconds that last `length` ticks.
  private func hostile(_ scale: UInt64, at ticks: [UInt64], length: UInt64) -> [UInt8] {
    func bytes(_ value: UInt64) -> [UInt8] {
      (0..<8).reversed().map { UInt8(value >> ($0 * 8) & 0xFF) }
    }
    func element(_ id: [UInt8], _ body: [UInt8]) -> [UInt8] {
      id + [0x01] + bytes(UInt64(body.count)).dropFirst() + body
    }
    func track(_ number: UInt8, _ kind: UInt8, _ codec: String, _ more: [UInt8]) -> [UInt8] {
      element(
        [0xAE],
        element([0xD7], [number]) + element([0x73, 0xC5], [number]) + element([0x83], [kind])
          + element([0x9C], [0]) + element([0x86], Array(codec.utf8)) + more)
    }
    let sound = element(
      [0xE1],
      element([0xB5], bytes(48_000.0.bitPattern)) + element([0x9F], [1])
        + element([0x62, 0x64], [16]))
    let style = element([0x63, 0xA2], Array("[Script Info]\n".utf8))
    let samples = (0..<48_000).flatMap { [0, UInt8($0 / 20 % 2 * 16)] as [UInt8] }
    let first = element([0xA3], [0x81, 0, 0, 0x80] + samples)
    let texts = ticks.enumerated().map { place, tick in
      let text = element([0xA1], [0x82, 0, 0, 0] + Array("\(place),0,Default,,0,0,0,,x".utf8))
      return element([0xE7], bytes(tick)) + element([0xA0], text + element([0x9B], bytes(length)))
    }
    let clusters = [element([0xE7], [0]) + first] + texts
    let parts =
      element([0x15, 0x49, 0xA9, 0x66], element([0x2A, 0xD7, 0xB1], bytes(scale)))
      + element(
        [0x16, 0x54, 0xAE, 0x6B],
        track(1, 2, "A_PCM/INT/LIT", sound) + track(2, 17, "S_TEXT/ASS", style))
      + clusters.flatMap { element([0x1F, 0x43, 0xB6, 0x75], $0) }
    return element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array("matroska".utf8)))
      + element([0x18, 0x53, 0x80, 0x67], parts)
  }

  @Test(
    "times beyond any film are no trap",
    arguments: [
      (2_147_483_647, [0, 1], 1 << 33), (1_000_000_000, [1, (1 << 50) + 1], 1),
    ] as [(UInt64, [UInt64], UInt64)])
  func farTimes(scale: UInt64, ticks: [UInt64], length: UInt64) async throws {
    let file = hostile(scale, at: ticks, length: length)
    try Data(file).write(to: folder.url("far.mkv"))
    // No answer is right, but there is one.
    _ = try? await render(folder.file("far.mkv")) {
      $0.clip.range = Clip.Range(start: .samples(480))
    }
  }

  @Test("copied tracks that part from the rendered sound are named") func joinedRecordings()
    async throws
  {
    let first = try film("a.ts", [["ac3"]])
    let second = try film("b.ts", [["ac3"]], more: ["-output_ts_offset", "100"])
    let joined =
      try Data(contentsOf: URL(fileURLWithPath: first))
      + Data(contentsOf: URL(fileURLWithPath: second))
    try joined.write(to: folder.url("joined.ts"))
    let (report, _) = try await render(folder.file("joined.ts")) {
      $0.clip.decoding.damage = .conceal
    }
    #expect(
      report.degradations.contains {
        $0.code == .timestampGap && $0.message.contains("copied tracks keep the input's own times")
      })
  }

  @Test("sound whose headers are broken up to the end is damaged") func brokenHeaders()
    async throws
  {
    let path = try film("film.ts", [["ac3"], ["aac"]])
    var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    // ffmpeg gives the second track of sound the PID 0x102. A change of the rate in its headers leaves them as they are otherwise.
    for packet in stride(from: bytes.count / 376 * 188, to: bytes.count, by: 188)
    where bytes[packet + 1] & 0x1F == 1 && bytes[packet + 2] == 2 {
      for place in packet + 4..<packet + 186
      where bytes[place] == 0xFF && bytes[place + 1] == 0xF1 { bytes[place + 2] |= 0x3C }
    }
    try Data(bytes).write(to: folder.url("broken.ts"))
    let (report, written) = try await render(folder.file("broken.ts")) {
      $0.clip.decoding.damage = .conceal
    }
    #expect(written.tracks.contains { $0.codecID == "A_AAC" })
    #expect(report.degradations.contains { $0.code == .copiesCut })
  }
}
