// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import LibAV
import Matroska
import MediaIn
import Platform
import Report
import TestSupport
import Testing

@testable import Rendering

/// All of a film in Matroska arrives beside the rendered track as it is.
@Suite(.tags(.system), .fullRunOnly) struct MatroskaOriginalsTests {
  private let folder: TemporaryFolder
  private let film: RichFilm

  init() throws {
    folder = try TemporaryFolder()
    film = try RichFilm(folder)
  }

  private func render(
    _ name: String = "out.mkv", _ change: (inout RenderJob) throws -> Void = { _ in }
  ) async throws -> (report: RenderReport, reader: MatroskaReader) {
    var test = try RenderCase(path: film.path)
    test.job.outputs = [.init(endpoint: .headphones, location: .file(folder.file(name)))]
    test.job.form = .matroska(.flac, bitRate: nil)
    try change(&test.job)
    return (try await test.run(), try reader(folder.file(name)))
  }

  private func reader(_ path: String) throws -> MatroskaReader {
    let file = try MediaFile.locate(path)
    return try MatroskaReader(ByteSource(size: file.size) { file.bytes(at: $0, count: $1) })
  }

  /// Frames of each track with all that their blocks say, in words.
  private func frames(_ reader: MatroskaReader) throws -> [Int: [String]] {
    var all: [Int: [String]] = [:]
    try reader.forEachBlock(as: .stored) { frame in
      let length = frame.duration.map(String.init) ?? "–"
      all[frame.track, default: []].append(
        "\(frame.time) \(frame.isKey) \(length) \(frame.discardPadding) \(frame.data)")
      return true
    }
    return all
  }

  @Test("every track keeps its entry, its frames and their times") func tracksArrive() async throws
  {
    let (report, written) = try await render()
    let source = try reader(film.path)
    #expect(written.tracks.count == source.tracks.count + 1)
    #expect(written.tracks[0].codecID == "A_FLAC" && written.tracks[0].isDefault)
    let (meant, found) = (try frames(source), try frames(written))
    for (before, after) in zip(source.tracks, written.tracks.dropFirst()) {
      #expect(after.uid == before.uid && after.codecPrivate == before.codecPrivate)
      #expect(after.languageBCP47 == before.languageBCP47 && after.language == before.language)
      #expect(after.roles == before.roles && after.name == before.name)
      #expect(after.video == before.video && after.sound == before.sound)
      #expect(after.additionMappings == before.additionMappings)
      // Players shall take the rendered track.
      #expect(after.isDefault == (before.kind == .audio ? false : before.isDefault))
      #expect(found[after.number] == meant[before.number])
    }
    let tracks = try #require(report.outputs[0].tracks)
    #expect(
      tracks.map(\.kind) == [.video] + Array(repeating: .audio, count: 3)
        + Array(repeating: .subtitles, count: 4))
    #expect(report.decisions.contains { $0.code == .originals })
    #expect(report.degradations.isEmpty)
    #expect(abs(try #require(report.outputs[0].integrated) + 16) <= 0.05)
  }

  @Test("a rendered track without title and endpoint has no name") func namesAreNotEmpty()
    async throws
  {
    let (_, written) = try await render {
      $0.outputs[0].endpoint = .none
      $0.loudness = nil
    }
    #expect(written.tracks[0].name == nil)
  }

  @Test("chapters, attached files and tags are the very bytes") func partsArrive() async throws {
    let (_, written) = try await render()
    #expect(written.chapters == RichFilm.chapters)
    #expect(written.tags.first == RichFilm.tags)
    #expect(written.info.title == "The Title")
    let bytes = try [UInt8](Data(contentsOf: folder.url("out.mkv")))
    let font = try #require(written.attachments.first)
    #expect(Array(bytes[Int(font.data.lowerBound)..<Int(font.data.upperBound)]) == RichFilm.font)
    #expect(font.name == "My Font.ttf" && font.uid == 21 && font.description == "a font")
  }

  @Test(
    "other tracks of sound stay as far as they are wanted",
    arguments: [
      ("all", [2, 3, 4]), ("none", []), ("en", [2, 4]), ("de", [3]), ("fr,deu", [3]),
    ] as [(String, [UInt64])])
  func soundIsChosen(wish: String, uids: [UInt64]) async throws {
    let (_, written) = try await render { $0.carriage.keptAudio = try Carriage.KeptAudio(wish) }
    let sounds = written.tracks.dropFirst().filter { $0.kind == .audio }
    #expect(sounds.map(\.uid) == uids)
    // A level of a track that is gone goes with it.
    let levels = written.tags.flatMap { MatroskaTag.all(element: $0) }
      .filter { $0.trackUIDs == [3] }.count
    #expect(levels == (uids.contains(3) ? 1 : 0))
  }

  @Test("what isn't wanted stays behind") func partsAreLeftOut() async throws {
    let (_, written) = try await render {
      $0.carriage.keepsVideo = false
      $0.carriage.subtitles = .dropped
      $0.carriage.keepsMetadata = false
      $0.carriage.keepsChapters = false
    }
    #expect(written.tracks.map(\.kind) == [.audio, .audio, .audio, .audio])
    #expect(written.tracks.allSatisfy { $0.name == nil || $0.number == 1 })
    #expect(written.chapters == nil && written.info.title == nil)
    let rendered = written.tracks[0].uid
    #expect(
      written.tags.flatMap { MatroskaTag.all(element: $0) }
        .allSatisfy { $0.trackUIDs == [rendered] })
  }

  @Test("a name for sound alone gets no other track of sound") func soundAlone() async throws {
    let (_, written) = try await render("out.mka")
    #expect(written.tracks.filter { $0.kind == .audio }.count == 1)
    #expect(!written.tracks.contains { $0.kind == .video })
  }

  @Test("a rendered copy names its own sound as virtualised, and no other")
  func virtualisationIsOfOneTrack() async throws {
    _ = try await render()
    for (track, expected) in [(0, true), (1, false)] {
      var test = try RenderCase(path: folder.file("out.mkv"))
      test.job.clip.decoding.track = .index(track)
      let report = try await test.run()
      let stays = report.decisions.contains {
        $0.code == DecisionCode.virtualizer && $0.why.contains("already")
      }
      #expect(stays == expected, "track \(track): \(report.decisions)")
    }
  }

  @Test(
    "another tempo copies no sound and no pictures of texts, and names them",
    .enabled(if: FilterLibrary.current?.has("rubberband") == true, "rubberband isn't installed"))
  func otherTemposAreMadeAnew() async throws {
    let tap = Tap(.post, .filters(try FilterRequest(parsing: "rubberband=tempo=1.25")))
    let (report, written) = try await render {
      $0.rendition.taps = [tap]
      $0.carriage.keepsVideo = false
    }
    #expect(written.tracks.filter { $0.kind == MatroskaTrackEntry.Kind.audio }.count == 1)
    #expect(report.degradations.contains { $0.code == DegradationCode.subtitlesLeftOut })
    #expect(
      report.decisions.contains {
        $0.code == DecisionCode.leftOut && $0.chose.contains("audio track 1")
      })
    await #expect(throws: RenderFailure.self) {
      _ = try await render("other.mkv") {
        $0.rendition.taps = [tap]
        $0.carriage.keepsVideo = false
        $0.carriage.keptAudio = .all
      }
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("other.mkv")))
  }

  @Test("damage is refused, and concealed up to its place") func damageIsNamed() async throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: film.path))
    let source = try reader(film.path)
    let cluster = try #require(source.clusters.last)
    let place = Int((cluster.offset + cluster.end) / 2)
    bytes.replaceSubrange(place..<place + 4000, with: Data(repeating: 0, count: 4000))
    try bytes.write(to: URL(fileURLWithPath: film.path))
    await #expect(throws: RenderFailure.self) { _ = try await render() }
    #expect(!FileManager.default.fileExists(atPath: folder.file("out.mkv")))
    let (report, _) = try await render { $0.clip.decoding.damage = .conceal }
    #expect(report.degradations.contains { $0.code == .copiesCut })
  }

  @Test("hostile delays and lengths cause no trap", arguments: ["delay", "length"])
  func hostileFilesAreHarmless(what: String) async throws {
    var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: film.path)))
    let info = try reader(film.path)
    func replace(_ id: [UInt8], by value: [UInt8]) throws {
      let place = try #require(
        (0..<bytes.count - 20).first { Array(bytes[$0..<$0 + id.count]) == id })
      bytes.replaceSubrange(place + id.count..<place + id.count + value.count, with: value)
    }
    if what == "length" {
      // Duration has eight bytes.
      try replace(
        [0x44, 0x89, 0x88], by: withUnsafeBytes(of: 1e300.bitPattern.bigEndian, Array.init))
    } else {
      // The delay of Opus, 6.5 ms, has three bytes.
      try replace([0x56, 0xAA, 0x83], by: [0xFF, 0xFF, 0xFF])
    }
    #expect(info.tracks.count == 8)
    try Data(bytes).write(to: URL(fileURLWithPath: film.path))
    // Either outcome is right, as long as the process goes on.
    _ = try? await render()
    var copy = try RenderCase(path: film.path)
    copy.job.outputs = [.init(endpoint: .none, location: .file(folder.file("copy.mkv")))]
    copy.job.form = .copy(isHLS: false)
    _ = try? await copy.run()
  }

  @Test("a fault inside chapters or tags is reported, and the rest comes along as it can be read")
  func faultyPartsAreNamed() async throws {
    var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: film.path)))
    // ChapString, whose size then reaches beyond its parent.
    let place = try #require(
      (0..<bytes.count - 4).first { Array(bytes[$0..<$0 + 3]) == [0x85, 0x40, 4] })
    bytes[place + 2] = 0x7F
    try Data(bytes).write(to: URL(fileURLWithPath: film.path))
    let (report, written) = try await render()
    #expect(report.degradations.contains { $0.code == DegradationCode.copiesCut })
    #expect(written.tracks.contains { $0.kind == .video })
  }

  @Test("tracks without numbers for tags get some") func numbersAreMade() async throws {
    var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: film.path)))
    // TrackUID of one byte: all tracks get that of the first.
    for place in 0..<bytes.count - 4 where Array(bytes[place..<place + 3]) == [0x73, 0xC5, 0x81] {
      bytes[place + 3] = 1
    }
    try Data(bytes).write(to: URL(fileURLWithPath: film.path))
    let (_, written) = try await render()
    #expect(Set(written.tracks.map(\.uid)).count == written.tracks.count)
  }

  @Test("containers without other tracks refuse the wish") func othersRefuse() async throws {
    for (name, form) in [
      ("out.mp3", RenderJob.Form.mp3(bitRate: nil)), ("out.flac", .flac),
    ] {
      await #expect(throws: RenderFailure.self) {
        var test = try RenderCase(path: film.path)
        test.job.outputs = [.init(endpoint: .none, location: .file(folder.file(name)))]
        test.job.form = form
        test.job.carriage.keptAudio = .all
        _ = try await test.run()
      }
    }
  }
}
