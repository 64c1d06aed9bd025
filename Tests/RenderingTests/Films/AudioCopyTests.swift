// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import ISOBMFF
import MediaIn
import PlayQueue
import Rendering
import Report
import TestSupport
import Testing

/// `-c:a copy` copies coded frames unchanged, with the configuration of their source.
@Suite(.tags(.system), .fullRunOnly) struct AudioCopyTests {
  private func copy(
    _ path: String, _ change: (inout RenderJob) throws -> Void = { _ in }
  ) async throws -> (case: RenderCase, report: RenderReport, path: String) {
    var test = try RenderCase(path: path)
    let output = test.folder.file("out.mp4")
    test.job.outputs = [.init(endpoint: .none, location: .file(output))]
    test.job.form = .copy(isHLS: false)
    test.job.loudness = nil
    try change(&test.job)
    return (test, try await test.run(), output)
  }

  private func track(_ path: String) throws -> FragmentedTrack {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let source = ByteSource(bytes)
    return try #require(FragmentedMovieReader(source)?.tracks.first { $0.handler == "soun" })
  }

  /// MD5 of the coded frames, as ffmpeg demuxes them.
  private func payload(_ path: String) throws -> String {
    let result = try Tool.run(
      "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a:0", "-c", "copy", "-f", "md5", "-"])
    let sum = String(decoding: result.output, as: UTF8.self)
    // Without frames it is the MD5 of nothing.
    guard result.status == 0, !sum.contains("d41d8cd98f00b204e9800998ecf8427e") else {
      throw ToolFailure(text: "\(path): no frames: \(result.errors)")
    }
    return sum
  }

  /// The factor of a copy counts seconds of sound, whatever their sampling rate.
  @Test func theSpeedOfACopyIsThatOfItsSound() async throws {
    let folder = try TemporaryFolder()
    let source = folder.file("a.ac3")
    try FixtureStore.ffmpeg(["-f", "lavfi", "-i", "sine=r=44100:d=3", "-c:a", "ac3", source])
    let performance = try #require(try await copy(source).report.performance)
    let seconds = performance.realtimeFactor * performance.wallSeconds
    // The last frame is filled up.
    #expect((seconds - 3).magnitude < 0.1, "\(seconds)")
  }

  @Test(
    "copying E-AC-3 keeps its objects", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func objectsSurvive() async throws {
    let source = SharedMedia.path("sample_eac3joc.mp4")
    let done = try await copy(source)
    #expect(done.report.outputs[0].verified && done.report.degradations.isEmpty)
    #expect(done.report.input?.objects == .yes)
    let wanted = try #require(track(source).configuration("dec3"))
    #expect(try track(done.path).configuration("dec3") == wanted)
    #expect(wanted.suffix(2).first == 1)
    #expect(try payload(done.path) == payload(source))
    // A raw stream has no configuration box, so the payload is derived from the frames.
    let folder = try TemporaryFolder()
    for name in ["a.eac3", "a.mkv", "a.ts"] {
      try FixtureStore.ffmpeg(["-i", source, "-map", "0:a", "-c", "copy", folder.file(name)])
      let again = try await copy(folder.file(name))
      #expect(try track(again.path).configuration("dec3") == wanted, "\(name)")
      #expect(try payload(again.path) == payload(source), "\(name)")
    }
  }

  @Test(
    "copying AC-4 keeps payload and configuration", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"),
    arguments: ["sample.ac4", "sample_ac4.ts", "sample_ac4.mp4"])
  func ac4ArrivesWhole(name: String) async throws {
    let done = try await copy(SharedMedia.path(name))
    #expect(done.report.outputs[0].samples == 36_480)
    let wanted = try #require(track(SharedMedia.path("sample_ac4.mp4")).configuration("dac4"))
    #expect(try track(done.path).configuration("dac4") == wanted)
    let first = try await copy(SharedMedia.path("sample_ac4.mp4"))
    #expect(done.report.outputs[0].pcmSHA256 == first.report.outputs[0].pcmSHA256)
  }

  @Test(
    "copying AC-3 keeps payload and configuration", arguments: ["a.ac3", "a.ts", "a.mkv", "a.mp4"])
  func ac3ArrivesWhole(name: String) async throws {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 6, seconds: 4, mask: 0x3F).write(to: folder.url("in.wav"))
    try FixtureStore.ffmpeg([
      "-i", folder.file("in.wav"), "-c:a", "ac3", "-b:a", "448k", folder.file(name),
    ])
    let done = try await copy(folder.file(name))
    #expect(try payload(done.path) == payload(folder.file(name)))
    // fscod 0, bsid 8, bsmod 0, acmod 7, lfeon 1, bit_rate_code 15: as libavformat writes it.
    let reference = folder.file("reference.mp4")
    try FixtureStore.ffmpeg(["-i", folder.file(name), "-c", "copy", reference])
    let wanted = try #require(track(reference).configuration("dac3"))
    #expect(try track(done.path).configuration("dac3") == wanted)
  }

  /// MD5 of what decoders of the track are given before its first frame, as ffmpeg demuxes it.
  private func header(_ path: String) throws -> String {
    let arguments = [
      "-v", "error", "-select_streams", "a:0", "-show_entries", "stream=extradata_hash",
      "-show_data_hash", "md5", "-of", "csv=p=0", path,
    ]
    return String(decoding: try Tool.run("ffprobe", arguments).output, as: UTF8.self)
  }

  @Test(
    "copying AAC keeps payload, configuration and length",
    arguments: [("a.aac", 193_536), ("a.ts", 193_536), ("a.mkv", 193_536), ("a.m4a", 192_000)])
  func aacArrivesWhole(name: String, samples: Int64) async throws {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 4).write(to: folder.url("in.wav"))
    try FixtureStore.ffmpeg(["-i", folder.file("in.wav"), "-c:a", "aac", folder.file(name)])
    let done = try await copy(folder.file(name))
    // libavformat writes the same source's frames with its own configuration, and without headers of ADTS.
    let isFramed = name == "a.aac" || name == "a.ts"
    let reference = folder.file("reference.mp4")
    try FixtureStore.ffmpeg(
      ["-i", folder.file(name), "-c", "copy"] + (isFramed ? ["-bsf:a", "aac_adtstoasc"] : [])
        + [reference])
    #expect(try payload(done.path) == payload(reference))
    #expect(try header(done.path) == header(reference))
    // 189 frames of 1,024 samples; only the edit list of MP4 states how many of them are presented.
    #expect(done.report.outputs[0].samples == samples)
    let decoded =
      try Tool.run(
        "ffmpeg", ["-v", "error", "-i", done.path, "-f", "f32le", "-"]
      ).output.count / 8
    #expect(decoded >= Int(samples) && decoded <= 193_536)
  }

  /// Seconds from the first picture to the first packet of sound.
  private func lead(_ path: String) throws -> Double {
    let times = try ["v:0", "a:0"].map { stream in
      let arguments = [
        "-v", "error", "-select_streams", stream, "-show_entries", "packet=pts_time",
        "-read_intervals", "%+#1", "-of", "csv=p=0", path,
      ]
      let text = String(decoding: try Tool.run("ffprobe", arguments).output, as: UTF8.self)
      return try #require(Double(text.trimmingCharacters(in: CharacterSet(charactersIn: ",\n"))))
    }
    return times[1] - times[0]
  }

  @Test("AAC whose start-up samples Matroska states stays in sync", arguments: ["mkv", "mp4"])
  func statedStartUpStays(ending: String) async throws {
    let folder = try TemporaryFolder()
    let film = try FlashAndBeep(folder, name: "a.mkv", audio: ["-c:a", "flac"])
    var test = try RenderCase(path: film.path)
    let made = folder.file("made.\(ending)")
    test.job.outputs = [.init(endpoint: .none, location: .file(made))]
    test.job.form =
      ending == "mkv" ? .matroska(.aac, bitRate: nil) : .progressiveMP4(.aac, bitRate: nil)
    test.job.loudness = nil
    test.job.carriage.keptAudio = .none
    _ = try await test.run()
    let done = try await copy(made)
    #expect(abs(try lead(done.path) - lead(made)) < 0.001)
    #expect(try payload(done.path) == payload(made))
    // A range needs the frame before its first one, which isn't played.
    let part = try await copy(made) { $0.clip.range = Clip.Range(start: .samples(48_000)) }
    let reader = try track(part.path)
    let skipped = try #require(reader.edits.first { $0.mediaTime >= 0 }?.mediaTime)
    // Matroska's times are rounded to 48 samples.
    #expect((1024 - 48...1024).contains(skipped), "\(skipped)")
  }

  @Test(
    "AAC whose times go back isn't copied, and slow clocks are counted",
    arguments: ["joined", "slow"])
  func timesAreFollowed(name: String) async throws {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 4).write(to: folder.url("in.wav"))
    try FixtureStore.ffmpeg(["-i", folder.file("in.wav"), "-c:a", "aac", folder.file("a.ts")])
    guard name == "slow" else {
      let once = try Data(contentsOf: folder.url("a.ts"))
      try (once + once).write(to: folder.url("b.ts"))
      let failure = await #expect(throws: RenderFailure.self) {
        try await copy(folder.file("b.ts"))
      }
      #expect(failure?.error.kind == .damaged)
      return
    }
    try FixtureStore.ffmpeg([
      "-i", folder.file("a.ts"), "-c", "copy", "-bsf:a", "setts=ts=TS*0.99", folder.file("c.ts"),
    ])
    let done = try await copy(folder.file("c.ts"))
    #expect(done.report.degradations.contains { $0.code == .timestampGap })
    #expect(done.report.outputs[0].samples == 193_536)
  }

  /// Frames of AAC under the sample entry of MPEG-H, of which a copy knows nothing but the container's statements.
  private func mpegH(
    _ folder: TemporaryFolder, _ options: [String] = []
  ) throws -> String {
    let plain = folder.file("a.mp4")
    try FixtureStore.ffmpeg(
      [
        "-f", "lavfi", "-i", "anoisesrc=d=2:r=48000:seed=7", "-ac", "2", "-c:a", "aac",
      ] + options + [plain])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: plain))
    let entry = try #require(bytes.range(of: Data("mp4a".utf8)))
    let box = try #require(bytes.range(of: Data("esds".utf8)))
    bytes.replaceSubrange(entry, with: Data("mhm1".utf8))
    // configurationVersion, level 3 of the low complexity profile, layout 6 (5.1).
    bytes.replaceSubrange(
      box.lowerBound..<box.upperBound + 3, with: Data("mhaC".utf8) + [1, 13, 6])
    let path = folder.file("mpegh.mp4")
    try bytes.write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test(
    "copying MPEG-H keeps payload, times, configuration and level",
    arguments: [[], ["-movflags", "frag_keyframe+delay_moov", "-frag_duration", "300000"]])
  func mpegHArrivesWhole(options: [String]) async throws {
    let folder = try TemporaryFolder()
    let source = try mpegH(folder, options)
    let done = try await copy(source)
    #expect(done.report.degradations.isEmpty, "\(done.report.degradations)")
    #expect((96_000...97_024).contains(done.report.outputs[0].samples))
    #expect(try payload(done.path) == payload(source))
    let configuration = try #require(track(source).configuration("mhaC"))
    #expect(try track(done.path).configuration("mhaC") == configuration)
    #expect(done.report.outputs[0].verified && done.report.input?.codec == "mhm1")
    let playlist = folder.file("out.m3u8")
    _ = try await copy(source) {
      $0.outputs = [.init(endpoint: .none, location: .file(playlist))]
      $0.form = .copy(isHLS: true)
    }
    let text = try String(contentsOfFile: playlist, encoding: .utf8)
    #expect(text.contains("CODECS=\"mhm1.0x0D\"") && text.contains("CHANNELS=\"6\""), "\(text)")
  }

  @Test(
    "a track of MPEG-H or APAC beside the one that is rendered is reported",
    arguments: ["mhm1", "apac"])
  func spatialTracksAreReported(entry: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("two.mp4")
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "anoisesrc=d=2:r=48000:seed=7", "-map", "0:a", "-map", "0:a", "-ac", "2",
      "-c:a", "aac", path,
    ])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let last = try #require(bytes.range(of: Data("mp4a".utf8), options: .backwards))
    bytes.replaceSubrange(last, with: Data(entry.utf8))
    try bytes.write(to: URL(fileURLWithPath: path))
    for location in [
      MediaLocation.file(path), .queue(PlayQueue([QueueCase.item(path), QueueCase.item(path)])),
    ] {
      var test = try RenderCase(path: path)
      test.job.input = location
      let found = try await test.run().degradations.filter { $0.code == .objectsToBed }
      #expect(found.count == 1 && found[0].subject == .input(0))
      #expect(found.first?.message.contains(entry == "apac" ? "APAC" : "MPEG-H") == true)
    }
  }

  @Test("copied sound stays in sync with the pictures") func picturesAndSoundStayTogether()
    async throws
  {
    let folder = try TemporaryFolder()
    for name in ["a.ts", "a.mkv", "a.mp4"] {
      let film = try FlashAndBeep(folder, name: name, audio: ["-c:a", "ac3", "-b:a", "192k"])
      let done = try await copy(film.path)
      #expect(try FlashAndBeep.pictures(done.path) == FlashAndBeep.pictures(film.path))
      let before = try FlashAndBeep.lags(film.path)
      let after = try FlashAndBeep.lags(done.path)
      #expect(before.count == after.count && !before.isEmpty)
      // ffmpeg's printed times of MPEG-TS and Matroska are rounded to their clocks.
      for (old, new) in zip(before, after) {
        #expect((old - new).magnitude < 6e-4, "\(name) \(old) \(new)")
      }
    }
  }

  @Test func rangesAreCutBetweenFrames() async throws {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 4).write(to: folder.url("in.wav"))
    try FixtureStore.ffmpeg(["-i", folder.file("in.wav"), "-c:a", "eac3", folder.file("a.mp4")])
    let done = try await copy(folder.file("a.mp4")) {
      $0.start = .clock(.init(ticks: 1, rate: 1))
      $0.clip.range.end = .at(.clock(.init(ticks: 2, rate: 1)))
    }
    // 1 s lies in frame 31 of 1536 samples, 2 s in frame 62.
    #expect(done.report.outputs[0].samples == (63 - 31) * 1536)
    #expect(done.report.decisions.contains { $0.code == .range })
  }

  /// The edit list begins and ends inside the media. Frames behind its end aren't copied, and a range
  /// counts from its beginning.
  @Test func editsInsideTheMediaAreFollowed() async throws {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 4).write(to: folder.url("in.wav"))
    try FixtureStore.ffmpeg(["-i", folder.file("in.wav"), "-c:a", "eac3", folder.file("a.mp4")])
    // The one edit: 48,000 samples (1000 of the movie's ticks) from sample 20,000 on.
    var bytes = [UInt8](try Data(contentsOf: folder.url("a.mp4")))
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("elst".utf8)) })
    func put(_ value: UInt32, at offset: Int) {
      for byte in 0..<4 {
        bytes[place + offset + byte] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * byte))
      }
    }
    #expect(bytes[place + 4] == 0 && bytes[place + 11] == 1)
    put(1000, at: 12)
    put(20_000, at: 16)
    try Data(bytes).write(to: folder.url("b.mp4"))
    let done = try await copy(folder.file("b.mp4"))
    #expect(done.report.outputs[0].samples == 48_000)
    #expect(done.report.timeline?.priming.samples == 20_000)
    #expect(done.report.decisions.contains { $0.code == .end })
    // Two edits that go on one behind the other, the second of 500 ticks, are one of 1500.
    let list = bytes[(place + 12)..<(place + 24)]
    let further = [500, 68_000, 0x10000].flatMap { (word: Int) -> [UInt8] in
      (0..<4).reversed().map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    var joined = bytes
    joined.replaceSubrange(list.indices, with: list + further)
    joined[place + 11] = 2
    for (box, name) in [(place - 4, "elst"), (place - 12, "edts")] {
      #expect(Array(joined[(box + 4)..<(box + 8)]) == Array(name.utf8))
      joined[box + 3] += 12
    }
    for name in ["trak", "moov"] {
      let box =
        try #require(joined.indices.first { joined[$0...].starts(with: Array(name.utf8)) }) - 4
      let size = joined[box..<(box + 4)].reduce(0) { $0 << 8 | Int($1) } + 12
      for byte in 0..<4 { joined[box + byte] = UInt8(truncatingIfNeeded: size >> (24 - 8 * byte)) }
    }
    try Data(joined).write(to: folder.url("c.mp4"))
    #expect(try await copy(folder.file("c.mp4")).report.outputs[0].samples == 72_000)
    // 0.5 s behind the edit's beginning lies in frame 28 of 1536 samples, its end in frame 44.
    let cut = try await copy(folder.file("b.mp4")) { $0.start = .clock(.init(ticks: 1, rate: 2)) }
    #expect(cut.report.outputs[0].samples == (45 - 28) * 1536)
  }

  @Test(
    "of a playlist's renditions the copy takes the one that is asked for",
    arguments: ["1", "lang:de"])
  func renditionsAreChosen(track: String) async throws {
    let maker = try StreamMaker()
    _ = try maker.source("in.wav", seconds: 1.5)
    let form = ["-hls_segment_type", "fmp4"]
    try maker.stream("en.m3u8", of: "in.wav", codec: ["ac3", "-b:a", "192k"], form)
    try maker.stream(
      "de.m3u8", of: "in.wav", codec: ["ac3", "-b:a", "96k"],
      form + ["-hls_fmp4_init_filename", "de.mp4"])
    try maker.write(
      [
        "#EXTM3U",
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"English\",LANGUAGE=\"en\",DEFAULT=YES,URI=\"en.m3u8\"",
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"Deutsch\",LANGUAGE=\"de\",URI=\"de.m3u8\"",
        "#EXT-X-STREAM-INF:BANDWIDTH=200000,AUDIO=\"a\",CODECS=\"ac-3\"", "en.m3u8",
      ], to: "all.m3u8")
    let wanted = try await copy(maker.folder.file("de.m3u8"))
    let done = try await copy(maker.folder.file("all.m3u8")) {
      $0.decoding.track = try TrackChoice(track)
    }
    #expect(try payload(done.path) == payload(wanted.path))
    let other = try await copy(maker.folder.file("en.m3u8"))
    #expect(try payload(done.path) != payload(other.path))
  }

  /// Times that MP4 can't store are an error that names the input.
  @Test func impossibleTimesAreDamage() async throws {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 3).write(to: folder.url("in.wav"))
    try FixtureStore.ffmpeg([
      "-i", folder.file("in.wav"), "-c:a", "ac3", "-movflags",
      "frag_keyframe+delay_moov+default_base_moof", "-frag_duration", "500000",
      folder.file("a.mp4"),
    ])
    let whole = [UInt8](try Data(contentsOf: folder.url("a.mp4")))
    let places = whole.indices.filter { whole[$0...].starts(with: Array("tfdt".utf8)) }
    #expect(places.count > 3)
    for (place, byte) in [(places[1], UInt8(0x7F)), (places[2], 0x01), (places[1], 0xFF)] {
      for offset in 8..<12 {
        var bytes = whole
        bytes[place + offset] = byte
        try Data(bytes).write(to: folder.url("b.mp4"))
        do {
          _ = try await copy(folder.file("b.mp4"))
        } catch let failure as RenderFailure {
          let kinds: [MediaError.Kind] = [.damaged, .unsupportedFeature, .inputUnreadable]
          #expect(kinds.contains(failure.error.kind), "\(failure.error)")
          #expect(failure.error.message.contains("b.mp4"))
        }
      }
    }
  }

  /// A stream in which decoding can begin at the first frame only.
  @Test(.tags(.media), .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func tracksWithoutABeginningAreDamage() async throws {
    let whole = try Data(contentsOf: URL(fileURLWithPath: SharedMedia.path("sample.ac4")))
    let size = Int(whole[2]) << 8 + Int(whole[3]) + 4 + (whole[1] == 0x41 ? 2 : 0)
    let folder = try TemporaryFolder()
    try Data(whole[size...]).write(to: folder.url("in.ac4"))
    let error = await #expect(throws: RenderFailure.self) { try await copy(folder.file("in.ac4")) }
    #expect(error?.error.kind == .damaged)
  }

  @Test func rangesBeyondTheEndAreRefused() async throws {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 2).write(to: folder.url("in.wav"))
    try FixtureStore.ffmpeg(["-i", folder.file("in.wav"), "-c:a", "ac3", folder.file("a.ac3")])
    let failure = await #expect(throws: RenderFailure.self) {
      try await copy(folder.file("a.ac3")) { $0.start = .clock(.init(ticks: 9, rate: 1)) }
    }
    #expect(failure?.error.kind == .usage)
  }

  @Test("the report says what a copy cuts between frames") func whatIsCutIsSaid() async throws {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 4).write(to: folder.url("in.wav"))
    try FixtureStore.ffmpeg(["-i", folder.file("in.wav"), "-c:a", "ac3", folder.file("a.mkv")])
    let whole = try Data(contentsOf: folder.url("a.mkv"))
    try whole.prefix(whole.count / 3).write(to: folder.url("b.mkv"))
    let done = try await copy(folder.file("b.mkv"))
    #expect(done.report.degradations.contains { $0.code == .truncated })
  }

  @Test("an option that changes sound is refused beside a copy") func whatChangesTheSoundIsRefused()
    async throws
  {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 1).write(to: folder.url("in.wav"))
    try FixtureStore.ffmpeg(["-i", folder.file("in.wav"), "-c:a", "ac3", folder.file("a.ac3")])
    let changes: [(inout RenderJob) -> Void] = [
      { $0.alignment = .presentation }, { $0.decoding.dynamicRange = .rf },
      { $0.clip.priming = .keep }, { $0.clip.gaps = .ignore }, { $0.decoding.dialogueGain = 3 },
    ]
    for change in changes {
      let failure = await #expect(throws: RenderFailure.self) {
        try await copy(folder.file("a.ac3"), change)
      }
      #expect(failure?.error.kind == .usage)
    }
    let other = await #expect(throws: RenderFailure.self) { try await copy(folder.file("in.wav")) }
    #expect(other?.error.kind == .unsupportedCodec)
  }

  @Test("a damaged stream can't be copied", arguments: ["ac3", "aac"])
  func damageIsRefused(codec: String) async throws {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 4).write(to: folder.url("in.wav"))
    try FixtureStore.ffmpeg([
      "-i", folder.file("in.wav"), "-c:a", codec, "-b:a", "192k", folder.file("a.ts"),
    ])
    var bytes = try Data(contentsOf: folder.url("a.ts"))
    // Packets of 188 bytes from the middle on are gone: a jump that a copy can't fill.
    bytes.removeSubrange((188 * 100)..<(188 * 200))
    try bytes.write(to: folder.url("b.ts"))
    let failure = await #expect(throws: RenderFailure.self) { try await copy(folder.file("b.ts")) }
    #expect([.damaged, .unsupportedFeature].contains(failure?.error.kind))
  }
}
