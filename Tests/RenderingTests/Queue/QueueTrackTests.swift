// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import PlayQueue
import Rendering
import Report
import TestSupport
import Testing

/// One file for each track, chapters and common gains.
@Suite(.tags(.system)) struct QueueTrackTests {
  /// An album of three tracks in one file, with a cue sheet.
  private static func album() throws -> (test: QueueCase, sheet: String, planes: [[Float]]) {
    let test = try QueueCase()
    let planes = QueueCase.noise(2, 44_100 * 6)
    try test.write("album.wav", planes, rate: 44_100)
    let sheet = try test.write(
      "album.cue",
      """
      PERFORMER "Someone"
      TITLE "Disc"
      FILE "album.wav" WAVE
        TRACK 01 AUDIO
          TITLE "One/Two"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE "Three"
          INDEX 00 00:01:70
          INDEX 01 00:02:37
        TRACK 03 AUDIO
          INDEX 01 00:04:10
      """)
    return (test, sheet, planes)
  }

  @Test func silenceWithoutATitleIsNoTrack() throws {
    let test = try QueueCase()
    let path = try test.write("a.wav", QueueCase.noise(2, 1000))
    let silence = QueueItem(.silence(.samples(100)))
    var named = silence
    named.title = "Pause"
    let queue = PlayQueue([QueueCase.item(path), silence, QueueCase.item(path), named])
    let contents = try #require(try QueueContents(of: Clip(.queue(queue))))
    #expect(contents.tracks.map(\.title) == ["a", "a", "Pause"])
    #expect(contents.tracks.map(\.items) == [ItemSpan(1, 1), ItemSpan(3, 3), ItemSpan(4, 4)])
  }

  @Test("tracks of a cue sheet have the samples of their slices")
  func tracksAreTheSlicesOfTheirDisc() async throws {
    let (test, sheet, planes) = try QueueTrackTests.album()
    let contents = try #require(try QueueContents(of: Clip(.file(sheet))))
    #expect(contents.tracks.map(\.title) == ["One/Two", "Three", "album"])
    let names = TrackNames.names(
      contents.tracks.map(\.title), in: test.folder.path + "/", fileExtension: "wav")
    #expect(
      names.map { $0.split(separator: "/").last } == [
        "01 One_Two.wav", "02 Three.wav", "03 album.wav",
      ])
    var request = test.job(.file(sheet)).request
    let template = request.outputs[0]
    request.outputs = zip(contents.tracks, names).map { track, name in
      var output = template
      output.location = .file(name)
      output.items = track.items
      return output
    }
    let report = try await RenderPipeline().render(request)
    let borders: [Int] = [0, 44_100 * 2 + 37 * 588, 44_100 * 4 + 10 * 588, planes[0].count]
    for (index, name) in names.enumerated() {
      let out = try Decoded(name).planes
      let range = borders[index]..<borders[index + 1]
      let wanted: [[Float]] = planes.map { Array($0[range]) }
      #expect(out == wanted, "track \(index + 1)")
    }
    #expect(report.outputs.count == 3 && report.inputs.count == 1)
    let tags = try Tool.run(
      "ffprobe", ["-v", "error", "-show_entries", "format_tags", "-of", "default=nw=1", names[1]])
    let text = String(decoding: tags.output, as: UTF8.self)
    #expect(text.contains("title=Three") && text.contains("artist=Someone"), "\(text)")
  }

  @Test func oneGainForAllOutputsKeepsTheirDistance() async throws {
    let test = try QueueCase()
    let loud = try test.write("a.wav", QueueCase.noise(2, 48_000 * 3))
    let quiet = try test.write(
      "b.wav", QueueCase.noise(2, 48_000 * 3, seed: 4).map { $0.map { $0 * 0.1 } })
    var request = test.job(.queue(PlayQueue([QueueCase.item(loud), QueueCase.item(quiet)]))).request
    request.outputs[0].work = .render(
      Rendition(.channels(nil), level: .standard), Container(.wav, OutputCoding(encoding: .float32))
    )
    var second = request.outputs[0]
    request.outputs[0].items = ItemSpan(1, 1)
    second.items = ItemSpan(2, 2)
    second.location = .file(test.folder.file("second.wav"))
    request.outputs.append(second)
    request.sharesGain = true
    let report = try await RenderPipeline().render(request)
    #expect(report.outputs[0].gainDB == report.outputs[1].gainDB)
    let levels = report.outputs.compactMap(\.integrated)
    #expect((levels[0] - levels[1] - 20).magnitude < 0.05, "\(levels)")
  }

  @Test func itemsBeginChapters() async throws {
    let test = try QueueCase()
    let path = try test.write("a.wav", QueueCase.noise(1, 50_000))
    var items = (0..<3).map { _ in QueueCase.item(path) }
    items[0].title = "First"
    items[1].isPart = true
    let (_, report) = try await test.render(.queue(PlayQueue(items)))
    let queue = try #require(report.queue)
    #expect(queue.chapters.map(\.title) == ["First", "a"])
    #expect(queue.chapters.map(\.seconds) == [0, 100_000 / 48_000.0])
    let found = try Tool.run(
      "ffprobe", ["-v", "error", "-show_chapters", "-of", "csv=p=0", test.folder.file("out.wav")])
    let text = String(decoding: found.output, as: UTF8.self)
    #expect(text.contains("100000") && text.contains("First"), "\(text)")
  }

  /// A marker at an item's end or behind it names nothing of that item.
  @Test func markersLieInsideTheirItem() async throws {
    let test = try QueueCase()
    let path = try test.write("a.wav", QueueCase.noise(1, 50_000))
    var items = [QueueCase.item(path), QueueCase.item(path, 1000..<21_000)]
    items[0].title = "A"
    items[0].markers = [10, 49_999, 50_000, 60_000].map {
      QueueMarker(at: .samples($0), title: "a\($0)")
    }
    items[1].title = "B"
    items[1].markers = [10_000, 20_000].map { QueueMarker(at: .samples($0), title: "b\($0)") }
    let (_, report) = try await test.render(.queue(PlayQueue(items)))
    let chapters = try #require(report.queue).chapters
    #expect(chapters.map(\.title) == ["A", "a10", "a49999", "B", "b10000"])
    #expect(chapters.map { ($0.seconds * 48_000).rounded() } == [0, 10, 49_999, 50_000, 60_000])
  }

  @Test("--queue-loudness item brings each item to the target")
  func itemsAreBroughtToTheirOwnLoudness() async throws {
    let test = try QueueCase()
    let loud = try test.write("a.wav", QueueCase.noise(2, 48_000 * 3))
    let quiet = try test.write(
      "b.wav", QueueCase.noise(2, 48_000 * 3, seed: 4).map { $0.map { $0 * 0.1 } })
    var queue = PlayQueue([QueueCase.item(loud), QueueCase.item(quiet)])
    queue.loudness = .item
    let (out, report) = try await test.render(.queue(queue)) { $0.loudness = .standard }
    func level(_ range: Range<Int>) -> Double {
      10 * log10(out[0][range].reduce(0) { $0 + Double($1) * Double($1) })
    }
    let distance = level(0..<144_000) - level(144_000..<288_000)
    #expect(distance.magnitude < 0.1, "\(distance)")
    let items = try #require(report.queue).items
    let gains = items.compactMap(\.loudnessGainDB)
    #expect(gains.count == 2 && (gains[1] - gains[0] - 20).magnitude < 0.05)
    #expect(report.outputs[0].gainDB == 0)
    #expect(((report.outputs[0].integrated ?? 0) + 16).magnitude < 0.1)
  }

  @Test func pinnedGainIsAppliedAndJudged() async throws {
    let test = try QueueCase()
    let path = try test.write("a.wav", QueueCase.noise(2, 48_000 * 3))
    var queue = PlayQueue([QueueCase.item(path)])
    let solved = try await test.render(.queue(queue)) { $0.loudness = .standard }.report
    let gain = solved.outputs[0].gainDB
    queue.pinnedGain = (gain * 100).rounded() / 100
    let pinned = try await test.render(.queue(queue), to: "pinned.wav") { $0.loudness = .standard }
    #expect(pinned.report.outputs[0].gainDB == queue.pinnedGain)
    queue.pinnedGain = gain - 1
    let error = try await test.failure(.queue(queue)) { $0.loudness = .standard }
    #expect(error.kind == .targetNotMet && error.message.contains("pinned"), "\(error)")
  }
}
