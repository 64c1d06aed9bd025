// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Rendering
import Report
import Spatial
import TestSupport
import Testing

@testable import Inspection

/// Listening pages hold what was asked for, at one loudness.
@Suite(.fullRunOnly) struct AuditionMakerTests {
  private static let walk = TestPython.root + "/Golden/Media/channel-walk.mkv"

  private func way(_ label: String, _ endpoint: Endpoint) -> AuditionWay {
    AuditionWay(label: label, flags: "--" + label, source: .render(endpoint))
  }

  private func made(_ edit: (inout AuditionRequest) throws -> Void = { _ in }) async throws
    -> AuditionMaker.Made
  {
    var request = AuditionRequest(
      inputs: [Self.walk],
      ways: [
        way("plain", .headphones()), way("room", .headphones(Listener(room: .small))),
        way("mix", .channels(.stereo)),
      ])
    try edit(&request)
    return try await AuditionMaker().make(request)
  }

  @Test("all versions of an audition have one loudness") func allWaysHaveOneLoudness() async throws
  {
    let made = try await made {
      $0.starts = [.seconds(1), .seconds(3)]
      $0.seconds = 2
    }
    #expect(made.report.excerpts.map(\.startSeconds) == [1, 3])
    for excerpt in made.report.excerpts {
      #expect(excerpt.reason == "asked" && excerpt.input == "channel-walk.mkv")
      #expect(abs(excerpt.seconds - 2) < 0.001 && excerpt.target <= -16)
      #expect(excerpt.levels.map(\.way) == ["w1", "w2", "w3"])
      #expect(excerpt.spreadLU <= AuditionMaker.tolerance)
      for level in excerpt.levels {
        #expect(abs(level.integrated - excerpt.target) <= AuditionMaker.tolerance / 2)
        #expect(level.truePeak <= -1)
      }
      // Otherwise one way would be played for another.
      #expect(Set(excerpt.levels.map(\.pcmSHA256)).count == 3)
    }
    let keys = made.media.map(\.key)
    #expect(
      Set(keys)
        == Set(["e1-w1", "e1-w2", "e1-w3", "e2-w1", "e2-w2", "e2-w3", "places-w1", "places-w2"]))
    #expect(made.media.allSatisfy { $0.bytes.starts(with: Data("fLaC".utf8)) })
    #expect(made.report.ways.map(\.hasPlaces) == [true, true, false])
    #expect(made.report.places.map(\.name) == ["front", "back", "up", "down"])
  }

  @Test("one request gives the same report and bytes twice, and another length another id")
  func oneRequestGivesOnePage() async throws {
    let one = try await made { $0.seconds = 1 }
    let other = try await made { $0.seconds = 1 }
    #expect(one.report == other.report && one.media.map(\.bytes) == other.media.map(\.bytes))
    let longer = try await made { $0.seconds = 1.5 }
    #expect(longer.report.id != one.report.id)
  }

  @Test("a finished file has the gain of the way it was rendered by within 0.1 dB")
  func aFinishedFileIsPlayedAsItIs() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("old.wav")
    let rendition = Rendition(.headphones(), level: nil)
    _ = try await RenderPipeline().render(
      RenderRequest(.file(Self.walk), outputs: [OutputRequest(.file(file), rendition)]))
    let made = try await made {
      $0.ways = [
        way("new", .headphones()), AuditionWay(label: "old", flags: "", source: .file(file)),
      ]
      $0.starts = [.seconds(2)]
      $0.seconds = 2
    }
    let levels = try #require(made.report.excerpts.first?.levels)
    // The file was rendered as the way is, from its start; only 24 bits and the start of the range differ.
    #expect(abs(levels[0].gainDB - levels[1].gainDB) < 0.1)
    #expect(made.report.ways.map(\.endpoint) == ["headphones", "file"])
    #expect(made.report.places.isEmpty)
  }

  @Test("a binaural input is refused because it is virtualised already")
  func waysThatSoundAlikeAreRefused() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("binaural.wav")
    _ = try await RenderPipeline().render(
      RenderRequest(.file(Self.walk), outputs: [OutputRequest(.file(file), Rendition(level: nil))]))
    let error = await #expect(throws: MediaError.self) { try await made { $0.inputs = [file] } }
    #expect(error?.kind == .usage && error?.message.contains("virtualised already") ?? false)
  }

  @Test("excerpts are cut to the shortest way's 2 s, and the cut is reported")
  func allWaysAreAsLongAsTheShortest() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("short.wav")
    var clip = Clip(.file(Self.walk))
    clip.range.end = .after(.seconds(2))
    _ = try await RenderPipeline().render(
      RenderRequest(
        clips: [clip],
        outputs: [OutputRequest(.file(file), Rendition(.channels(.stereo), level: nil))]))
    let made = try await made {
      $0.ways = [
        way("new", .headphones()), AuditionWay(label: "old", flags: "", source: .file(file)),
      ]
      $0.starts = [.seconds(0)]
      $0.seconds = 4
    }
    #expect(made.report.excerpts.map(\.seconds) == [2])
    #expect(
      made.report.notes.contains { $0.contains("e1 is cut by 96000 samples") },
      "\(made.report.notes)")
    #expect(made.report.ways[1].played == "played as it is")
  }

  @Test("a start of 96,000 samples is 2 s")
  func samplesOfTheInputAreTimesOfTheFile() async throws {
    let made = try await made {
      $0.starts = [.samples(96_000)]
      $0.seconds = 1
    }
    #expect(made.report.excerpts.map(\.startSeconds) == [2])
  }

  @Test("a cancelled search for excerpts ends as interrupted")
  func theSearchForExcerptsCanBeStopped() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("long.wav")
    try TestProgramme.wav(channels: 2, seconds: 60).write(to: folder.url("long.wav"))
    let request = AuditionRequest(
      inputs: [String](repeating: path, count: 24),
      ways: [way("plain", .headphones()), way("mix", .channels(.stereo))])
    let work = Task { try await AuditionMaker().make(request) }
    work.cancel()
    let error = await #expect(throws: MediaError.self) { try await work.value }
    #expect(error?.kind == .interrupted)
  }

  @Test("an excerpt after the end is refused")
  func excerptsBehindTheEndAreRefused() async throws {
    await #expect(throws: MediaError.self) { try await made { $0.starts = [.seconds(4000)] } }
  }

  @Test("a silent input is refused, with and without a start")
  func silenceIsRefused() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("silent.wav")
    let silence = [[Float]](repeating: [Float](repeating: 0, count: 144_000), count: 2)
    try WAVBytes.float32(silence, rate: 48_000).write(to: folder.url("silent.wav"))
    let found = await #expect(throws: MediaError.self) { try await made { $0.inputs = [path] } }
    #expect(found?.kind == .usage && found?.message.contains("nothing in it can be heard") ?? false)
    let asked = await #expect(throws: MediaError.self) {
      try await made {
        $0.inputs = [path]
        $0.starts = [.seconds(1)]
      }
    }
    #expect(asked?.kind == .usage && asked?.message.contains("is silent") ?? false)
  }

  @Test("requests with too few or many ways or inputs, equal labels or wrong lengths are refused")
  func impossibleRequestsAreRefused() throws {
    func refused(_ edit: (inout AuditionRequest) -> Void) -> Bool {
      var request = AuditionRequest(
        inputs: ["a.wav"], ways: [way("one", .headphones()), way("two", .channels())])
      edit(&request)
      do { try request.check() } catch { return (error as? MediaError)?.kind == .usage }
      return false
    }
    #expect(!refused { _ in })
    #expect(refused { $0.ways = [] })
    #expect(refused { $0.ways.removeLast() })
    #expect(refused { $0.ways += (0..<7).map { way("more \($0)", .channels()) } })
    #expect(refused { $0.ways[1].label = "one" })
    #expect(refused { $0.seconds = 0.5 })
    #expect(refused { $0.seconds = 61 })
    #expect(refused { $0.inputs = [] })
    #expect(refused { $0.inputs = [String](repeating: "a.wav", count: 25) })
    #expect(
      refused {
        $0.inputs.append("b.wav")
        $0.ways[1].source = .file("old.wav")
      })
  }
}
