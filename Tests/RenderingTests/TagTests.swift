// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Inspection
import Rendering
import Report
import TestSupport
import Testing

/// All tags of a source arrive in each container, as other programs read them.
@Suite(
  .tags(.system), .fullRunOnly,
  .enabled(if: Tool.isInstalled("metaflac"), "metaflac isn't installed"))
struct TagTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let lyrics = String(repeating: "Ein Männlein steht im Walde\n", count: 740)

  /// The tags of a carefully tagged file: usual, rare and unknown names, several values, lines, 20 kB.
  private static let comments: [(name: String, value: String)] = [
    ("TITLE", "Ärger = 日本"), ("ARTIST", "First"), ("ARTIST", "Second"), ("ALBUM", "The album"),
    ("ALBUMARTIST", "Various"), ("COMPOSER", "C. Omposer"), ("CONDUCTOR", "C. Onductor"),
    ("LYRICIST", "L"), ("PERFORMER", "P (guitar)"), ("GENRE", "Jazz"), ("GENRE", "Blues"),
    ("DATE", "2020-03-04"), ("TRACKNUMBER", "3"), ("TRACKTOTAL", "12"), ("DISCNUMBER", "1"),
    ("DISCTOTAL", "2"), ("COMMENT", "two\nlines"), ("DESCRIPTION", "described"),
    ("COPYRIGHT", "© me"), ("LABEL", "Lab"), ("ISRC", "DKABC2600001"), ("LYRICS", lyrics),
    ("BPM", "120"), ("MOVEMENTNAME", "Allegro"), ("MOVEMENT", "2"), ("COMPILATION", "1"),
    ("ARTISTSORT", "Sorted"), ("GROUPING", "G"),
    ("MUSICBRAINZ_TRACKID", "b1a9c0e9-d987-4042-ae91-78d6a3267d69"),
    ("MUSICBRAINZ_ALBUMID", "f32fab67-77dd-3937-addc-9062e28e4c37"), ("MyOwn Name", "x=y"),
  ]

  /// A FLAC file with these comments, made by ffmpeg and metaflac.
  private func source(
    _ comments: [(name: String, value: String)] = comments, pictures: [String] = []
  ) throws -> String {
    let path = folder.file("source.flac")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=1", "-ac", "2", path,
    ])
    for arguments in [
      ["--remove-all-tags"], comments.map { "--set-tag=\($0.name)=\($0.value)" },
      pictures.map { "--import-picture-from=\($0)" },
    ] where !arguments.isEmpty {
      let done = try Tool.run("metaflac", ["--no-utf8-convert"] + arguments + [path])
      #expect(done.status == 0, "\(done.errors)")
    }
    return path
  }

  private func render(
    _ path: String, to name: String, _ container: Container,
    _ change: (inout RenderRequest) -> Void = { _ in }
  ) async throws -> RenderReport {
    var request = RenderRequest(
      .file(path),
      outputs: [
        OutputRequest(
          .file(folder.file(name)), Rendition(.channels(), level: nil), container: container)
      ])
    request.policy.overwrite = true
    change(&request)
    return try await RenderPipeline().render(request)
  }

  /// The comments of a FLAC file as metaflac prints them, without the level of the output.
  private func exported(_ name: String) throws -> String {
    let found = try Tool.run(
      "metaflac", ["--no-utf8-convert", "--export-tags-to=-", folder.file(name)])
    let lines = String(decoding: found.output, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    return lines.filter { !$0.hasPrefix("REPLAYGAIN_TRACK_") }.joined(separator: "\n")
  }

  private static func lines(_ comments: [(name: String, value: String)]) -> String {
    comments.map { "\($0.name)=\($0.value)\n" }.joined()
  }

  @Test("metaflac finds each comment of a FLAC file in a FLAC output, in order")
  func flacKeepsAll() async throws {
    let report = try await render(try source(), to: "out.flac", Container(.flac))
    #expect(report.degradations.isEmpty, "\(report.degradations)")
    let text = try exported("out.flac")
    let own = "ENCODED_BY=Pinna \(PinnaVersion.text)\n"
    #expect(text == own + TagTests.lines(TagTests.comments))
  }

  @Test(
    "opusinfo finds each comment of a FLAC file in an Ogg Opus output",
    .enabled(if: Tool.isInstalled("opusinfo"), "opusinfo isn't installed"))
  func oggKeepsAll() async throws {
    _ = try await render(try source(), to: "out.opus", Container(.ogg))
    let found = try Tool.run("opusinfo", [folder.file("out.opus")])
    let text = String(decoding: found.output, as: UTF8.self)
    for (name, value) in TagTests.comments {
      let first = value.prefix { $0 != "\n" }
      #expect(text.contains("\t\(name)=\(first)\n"), "\(name): \(text)")
    }
    #expect(!text.contains("WARNING"), "\(text)")
  }

  /// Containers that comments go through, and what the output of FLAC then has otherwise: numbers with their totals.
  @Test(
    "comments come back whole from MP4, WAV, BW64, Ogg and MP3",
    arguments: ["a.m4a", "a.wav", "a.bw64", "a.opus", "a.mp3"])
  func theyComeBack(name: String) async throws {
    let container: [String: Container] = [
      "a.m4a": Container(.mp4, OutputCoding(.alac)), "a.wav": Container(.wav),
      "a.bw64": Container(.bw64), "a.opus": Container(.ogg),
      "a.mp3": Container(.mp3),
    ]
    let report = try await render(
      try source(), to: name, try #require(container[name]))
    #expect(report.degradations.allSatisfy { $0.code == .tagCut }, "\(report.degradations)")
    _ = try await render(folder.file(name), to: "back.flac", Container(.flac))
    var expected = TagTests.comments
    if name != "a.opus" {
      let joined = ["TRACKNUMBER": "3/12", "DISCNUMBER": "1/2"]
      expected = expected.filter { !["TRACKTOTAL", "DISCTOTAL"].contains($0.name) }
        .map { ($0.name, joined[$0.name] ?? $0.value) }
    }
    // The order of atoms is another one; values of one name keep theirs. Names that aren't known keep their case.
    let text = try exported("back.flac")
    for (name, value) in expected { #expect(text.contains("\(name)=\(value)\n"), "\(name)") }
    let own = "ENCODED_BY=Pinna \(PinnaVersion.text)\n"
    #expect(text.utf8.count == (own + TagTests.lines(expected)).utf8.count, "\(text)")
    #expect(
      text.range(of: "ARTIST=First").map { text[$0.upperBound...] }?.contains("ARTIST=Second")
        == true)
  }

  @Test(
    "mutagen finds all tags where other programs look for them",
    .enabled(if: TestPython.has("mutagen"), "make setup-test installs mutagen"),
    arguments: [
      ("a.m4a", TagTests.atoms), ("a.wav", TagTests.frames),
      (
        "a.mp3", TagTests.frames.merging(["TSSE": ["Pinna \(PinnaVersion.text)"]]) { own, _ in own }
      ),
    ])
  func mutagenFindsThem(name: String, expected: [String: [String]]) async throws {
    _ = try await render(
      try source(), to: name,
      name == "a.wav"
        ? Container(.wav)
        : name == "a.mp3" ? Container(.mp3) : Container(.mp4, OutputCoding(.alac)))
    let read = try Tool.run(
      TestPython.path, [TestPython.root + "/Tests/Tools/read_tags.py", folder.file(name)])
    let found = try JSONDecoder().decode([String: [String]].self, from: read.output)
    for (key, values) in expected { #expect(found[key] == values, "\(key)") }
    // The level of the output stands beside them.
    let others = Set(found.keys).subtracting(expected.keys).filter {
      !$0.contains(":REPLAYGAIN_TRACK_")
    }
    #expect(others.isEmpty, "\(others)")
  }

  private static let atoms: [String: [String]] = [
    "©nam": ["Ärger = 日本"], "©ART": ["First", "Second"], "©alb": ["The album"],
    "aART": ["Various"], "©wrt": ["C. Omposer"], "©gen": ["Jazz", "Blues"],
    "©day": ["2020-03-04"], "trkn": ["(3, 12)"], "disk": ["(1, 2)"], "©cmt": ["two\nlines"],
    "desc": ["described"], "cprt": ["© me"], "©lyr": [lyrics], "tmpo": ["120"], "cpil": ["True"],
    "©mvn": ["Allegro"], "©mvi": ["2"],
    "soar": ["Sorted"], "©grp": ["G"], "©too": ["Pinna \(PinnaVersion.text)"],
  ].merging(
    [
      "CONDUCTOR": ["C. Onductor"], "LYRICIST": ["L"], "PERFORMER": ["P (guitar)"],
      "LABEL": ["Lab"], "ISRC": ["DKABC2600001"], "MyOwn Name": ["x=y"],
      "MusicBrainz Track Id": ["b1a9c0e9-d987-4042-ae91-78d6a3267d69"],
      "MusicBrainz Album Id": ["f32fab67-77dd-3937-addc-9062e28e4c37"],
    ].reduce(into: [:]) { $0["----:com.apple.iTunes:" + $1.key] = $1.value }
  ) { first, _ in first }

  private static let frames: [String: [String]] = [
    "TIT2": ["Ärger = 日本"], "TPE1": ["First", "Second"], "TALB": ["The album"],
    "TPE2": ["Various"], "TCOM": ["C. Omposer"], "TPE3": ["C. Onductor"], "TEXT": ["L"],
    "TXXX:PERFORMER": ["P (guitar)"], "TCON": ["Jazz", "Blues"], "TDRC": ["2020-03-04"],
    "TRCK": ["3/12"], "TPOS": ["1/2"], "COMM::XXX": ["two\nlines"],
    "TXXX:DESCRIPTION": ["described"], "TCOP": ["© me"], "TPUB": ["Lab"],
    "TSRC": ["DKABC2600001"], "USLT::XXX": [lyrics], "TBPM": ["120"], "TCMP": ["1"],
    "MVNM": ["Allegro"], "MVIN": ["2"],
    "TSOP": ["Sorted"], "TIT1": ["G"],
    "UFID:http://musicbrainz.org": ["b1a9c0e9-d987-4042-ae91-78d6a3267d69"],
    "TXXX:MusicBrainz Album Id": ["f32fab67-77dd-3937-addc-9062e28e4c37"],
    "TXXX:MyOwn Name": ["x=y"],
  ]

  @Test("loudness tags of the source are left out by name, and the cue sheet of a cut")
  func whatNoLongerHoldsIsNamed() async throws {
    let levels = [
      ("REPLAYGAIN_TRACK_GAIN", "-3 dB"), ("R128_ALBUM_GAIN", "12"), ("iTunNORM", " 000003E8"),
    ]
    let sheet = [("CUESHEET", "FILE \"a\" WAVE\n"), ("TITLE", "T"), ("ENCODER", "x")]
    let path = try source((levels + sheet).map { (name: $0.0, value: $0.1) })
    let said = "loudness tags of the source (replaygain_track_gain, r128_album_gain, itunnorm)"
    func leftOut(_ report: RenderReport) -> [String] {
      report.decisions.filter { $0.code == .leftOut }.map(\.chose)
    }
    let whole = try await render(path, to: "out.flac", Container(.flac))
    #expect(leftOut(whole) == [said] && whole.degradations.isEmpty)
    let own = "ENCODED_BY=Pinna \(PinnaVersion.text)\n"
    #expect(try exported("out.flac") == own + "CUESHEET=FILE \"a\" WAVE\n\nTITLE=T\n")
    let part = try await render(path, to: "out.flac", Container(.flac)) {
      $0.clips[0].range = .init(start: .clock(MediaTime(ticks: 1, rate: 4)))
    }
    #expect(leftOut(part) == [said, "the cue sheet among the tags"])
    #expect(try exported("out.flac") == own + "TITLE=T\n")
  }

  /// libavformat calls the description of `bext` a comment and its originator an encoder.
  @Test("WAV that is rendered to WAV again gets no tags of its own")
  func nothingGathersInWAV() async throws {
    var from = try source([("TITLE", "T1")])
    for name in ["1.wav", "2.wav", "3.wav"] {
      _ = try await render(from, to: name, Container(.wav))
      from = folder.file(name)
    }
    _ = try await render(from, to: "end.flac", Container(.flac))
    #expect(try exported("end.flac") == "ENCODED_BY=Pinna \(PinnaVersion.text)\nTITLE=T1\n")
  }

  @Test("tags that a container has no place for are a degradation that names them")
  func tagsWithoutAPlaceAreNamed() async throws {
    var test = try RenderCase(path: source([("TITLE", "T"), ("ISRC", "I"), ("MyOwn", "x")]))
    test.job.outputs[0] = .init(
      endpoint: .none, location: .file(test.folder.file("out.iamf")))
    test.job.form = .iamf(.flac)
    let report = try await test.run()
    let found = report.degradations.filter { $0.code == .tagsLeftOut }.map(\.message)
    #expect(found.count == 1, "\(found)")
    #expect(
      found.first?.hasPrefix("IAMF has no place for the tags isrc, myown,") == true, "\(found)")
  }

  @Test("the maker's own words stay beside the mark, which is there once after two renders")
  func theMarkIsThereOnce() async throws {
    let path = try source([("ENCODED_BY", "A studio")])
    for (from, to) in [(path, "first.flac"), (folder.file("first.flac"), "second.flac")] {
      var test = try RenderCase(path: from)
      test.job.outputs[0].location = .file(folder.file(to))
      test.job.form = .flac
      test.job.policy.overwrite = true
      _ = try await test.run()
      #expect(
        try exported(to)
          == "ENCODED_BY=Pinna \(PinnaVersion.text); virtualized=binaural\nENCODED_BY=A studio\n")
      #expect(try MediaProber().probe(path: folder.file(to)).track?.virtualized == true)
    }
  }

  @Test(
    "front and back covers keep their kinds and words",
    arguments: ["out.flac", "out.opus", "out.wav", "out.mp3", "out.m4a"])
  func picturesKeepTheirKinds(name: String) async throws {
    for (picture, colour) in [("front.png", "red"), ("back.png", "blue")] {
      try Tool.ffmpeg([
        "-f", "lavfi", "-i", "color=\(colour):s=64x48", "-frames:v", "1", folder.file(picture),
      ])
    }
    let path = try source(
      [],
      pictures: [
        "4|image/png|Rückseite||" + folder.file("back.png"),
        "3|image/png|||" + folder.file("front.png"),
      ])
    let containers: [String: Container] = [
      "out.flac": Container(.flac), "out.opus": Container(.ogg), "out.wav": Container(.wav),
      "out.mp3": Container(.mp3), "out.m4a": Container(.mp4, OutputCoding(.alac)),
    ]
    let report = try await render(path, to: name, try #require(containers[name]))
    #expect(report.degradations.isEmpty, "\(report.degradations)")
    let probed = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v", "-show_entries", "stream_tags=comment,title", "-of",
        "compact=p=0:nk=1", folder.file(name),
      ])
    let kinds = String(decoding: probed.output, as: UTF8.self).split(separator: "\n")
    let isMovie = name == "out.m4a"
    // MP4 has no kinds, and players show the first picture.
    if !isMovie {
      #expect(kinds.map { $0.contains("Cover (back)") } == [true, false], "\(kinds)")
      #expect(kinds.map { $0.contains("Rückseite") } == [true, false], "\(kinds)")
      #expect(kinds.last?.contains("Cover (front)") == true, "\(kinds)")
    }
    let order: [String] = isMovie ? ["front", "back"] : ["back", "front"]
    for (number, picture) in order.enumerated() {
      try Tool.ffmpeg([
        "-i", folder.file(name), "-map", "0:v:\(number)", "-c", "copy", "-f", "image2", "-update",
        "1", folder.file("found.png"),
      ])
      #expect(
        try Data(contentsOf: folder.url("found.png"))
          == Data(contentsOf: folder.url("\(picture).png")), "\(picture)")
    }
  }
}
