// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import PlayQueue
import Rendering
import Signal
import TestSupport
import Testing

/// The filters' response before the first sample of the source.
struct FilterHeadTests {
  private struct Way: CustomTestStringConvertible {
    /// Layout of 1, 2 or 6 channels, and the one with the click.
    let channels: Int
    let clicked: Int
    let endpoint: Endpoint.Kind
    var rate = 48_000
    var output = 48_000
    var delay = 0
    var testDescription: String { "\(channels) \(clicked) \(endpoint) \(rate) \(output)" }
  }

  private static let ways = [
    Way(channels: 6, clicked: 3, endpoint: .headphones),
    Way(channels: 6, clicked: 4, endpoint: .headphones),
    Way(channels: 2, clicked: 0, endpoint: .speakers),
    Way(channels: 2, clicked: 0, endpoint: .headphones, output: 44_100),
    Way(channels: 6, clicked: 3, endpoint: .headphones, rate: 44_100),
    Way(channels: 1, clicked: 0, endpoint: .none, rate: 44_100, delay: 37),
  ]

  /// Rendering of a click at sample `place`, with the samples that lie before the source.
  private func render(
    _ way: Way, clickAt place: Int, keeps: Bool
  ) async throws -> (planes: [[Float]], head: Int?, decisions: [String]) {
    let test = try QueueCase()
    var planes = [[Float]](
      repeating: [Float](repeating: 0, count: way.rate / 2), count: way.channels)
    planes[way.clicked][place] = 0.5
    let mask: UInt32? = way.channels == 6 ? 0x3F : nil
    try WAVBytes.float32(planes, rate: way.rate, mask: mask).write(to: test.folder.url("in.wav"))
    let (found, report) = try await test.render(.file(test.folder.file("in.wav"))) { job in
      job.outputs[0].endpoint = way.endpoint
      job.rendition.level = nil
      job.rendition.sampleRate = way.output
      job.rendition.filterHead = keeps ? .keep : .trim
      if way.delay > 0 { job.rendition.taps = [Tap(.post, "late") { _ in DelayTap(way.delay) }] }
    }
    return (
      found, report.render?.head.map(Int.init),
      report.decisions.filter { $0.code == .filterHead }.map { $0.chose + " " + $0.why }
    )
  }

  private func energy(_ planes: [[Float]]) -> Double {
    planes.joined().reduce(0) { $0 + Double($1) * Double($1) }
  }

  /// A click at the first sample keeps its energy and comes out as one in the middle does, as much later in the file as
  /// the report states.
  @Test("--head keep cuts nothing of a click at sample 0", arguments: ways)
  private func nothingIsCutWhereTheHeadIsKept(way: Way) async throws {
    // A tenth of a second is a whole number of samples at all these rates.
    let place = way.rate / 10
    let middle = try await render(way, clickAt: place, keeps: false)
    let start = try await render(way, clickAt: 0, keeps: true)
    let head = try #require(start.head)
    #expect(10 * log10(energy(start.planes) / energy(middle.planes)).magnitude < 0.01)
    #expect(start.planes[0].count == middle.planes[0].count + head)
    let moved = way.output / 10 - head
    for (plane, same) in zip(start.planes, middle.planes) {
      let worst = zip(plane[..<(plane.count / 2)], same[moved...]).reduce(0) {
        max($0, ($1.0 - $1.1).magnitude)
      }
      #expect(worst < 1e-6)
    }
    #expect(start.decisions == ["kept the output begins \(head) samples before the source"])
    #expect(middle.head == nil && middle.decisions == [])
  }

  /// The time reference is moved back by what the output begins earlier, as far as midnight, which is told.
  @Test(.tags(.system), .fullRunOnly, arguments: [(48_000, 47_000), (500, 0), (0, 0)])
  func theTimeReferenceIsThatOfTheFirstSample(stated: Int, written: Int) async throws {
    let test = try QueueCase()
    try WAVBytes.float32(
      [[Float]](repeating: QueueCase.noise(1, 4800)[0], count: 6), rate: 48_000, mask: 0x3F
    )
    .write(to: test.folder.url("plain.wav"))
    try FixtureStore.ffmpeg([
      "-i", test.folder.file("plain.wav"), "-write_bext", "1", "-metadata",
      "time_reference=\(stated)", "-c:a", "pcm_f32le", test.folder.file("in.wav"),
    ])
    let (_, report) = try await test.render(.file(test.folder.file("in.wav"))) { job in
      job.outputs[0].endpoint = .headphones
      job.rendition.level = nil
      job.rendition.filterHead = .keep
    }
    #expect(report.render?.head == 1000)
    let facts = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "format_tags=time_reference", "-of", "csv=p=0",
        test.folder.file("out.wav"),
      ])
    let found = String(decoding: facts.output, as: UTF8.self).filter(\.isNumber)
    #expect(Int(found) ?? 0 == written)
    let isTold = report.decisions.contains { $0.code == .filterHead && $0.why.contains("midnight") }
    #expect(isTold == (stated == 500))
  }

  /// If it is cut, the report says how loud that was: as the same samples are where they are kept.
  @Test("the report says how loud the cut head of the filter was") func whatIsCutIsTold()
    async throws
  {
    let way = FilterHeadTests.ways[1]
    let kept = try await render(way, clickAt: 0, keeps: true)
    let cut = try await render(way, clickAt: 0, keeps: false)
    let head = try #require(kept.head)
    let peak = kept.planes.flatMap { $0[..<head] }.reduce(0) { max($0, $1.magnitude) }
    #expect(peak > 0.01)
    let decision = try #require(cut.decisions.first)
    #expect(decision.hasPrefix("trimmed the output begins with the source"))
    #expect(decision.contains("peaks at \(Decibels.text(Decibels.level(Double(peak)))) dBFS"))
    for (plane, whole) in zip(cut.planes, kept.planes) {
      #expect(plane == Array(whole[head...]))
    }
  }

  @Test("a queue reports the cut head and can't keep one")
  func aQueueTellsWhatIsCutAndKeepsNothing() async throws {
    let test = try QueueCase()
    var click = [[Float]](repeating: [Float](repeating: 0, count: 9600), count: 2)
    click[0][0] = 0.5
    let path = try test.write("in.wav", click)
    let queue = PlayQueue([QueueCase.item(path), QueueCase.item(path)])
    let (_, report) = try await test.render(.queue(queue)) {
      $0.outputs[0].endpoint = .headphones
      $0.rendition.level = nil
    }
    let decision = try #require(report.decisions.first { $0.code == .filterHead })
    #expect(decision.why.hasPrefix("the output begins with the queue"))
    let error = try await test.failure(.queue(queue)) { $0.rendition.filterHead = .keep }
    #expect(error.kind == .unsupportedFeature && error.message.contains("a queue begins"))
  }

  @Test("--head keep is refused beside chapters", .tags(.system), .fullRunOnly)
  func chaptersWouldBeOutOfStep() async throws {
    let test = try QueueCase()
    try test.write(
      "c.txt",
      ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=one\n")
    _ = try test.write("in.wav", QueueCase.noise(2, 48_000))
    try FixtureStore.ffmpeg([
      "-i", test.folder.file("in.wav"), "-i", test.folder.file("c.txt"), "-map_metadata", "1",
      "-c:a", "flac", test.folder.file("in.mka"),
    ])
    let input = MediaLocation.file(test.folder.file("in.mka"))
    let error = try await test.failure(input) { $0.rendition.filterHead = .keep }
    #expect(error.kind == .unsupportedFeature)
    #expect(error.message.contains("out of step with the chapters"), "\(error.message)")
    let (_, report) = try await test.render(input) {
      $0.rendition.filterHead = .keep
      $0.carriage.keepsChapters = false
    }
    #expect(report.render?.head != nil)
  }
}
