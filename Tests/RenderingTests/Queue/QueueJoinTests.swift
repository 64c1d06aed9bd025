// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import PlayQueue
import Rendering
import Report
import TestSupport
import Testing

/// Items follow each other without a sample more or less.
@Suite(.tags(.system)) struct QueueJoinTests {
  /// Codecs in containers, among them those that state no length.
  private static let rows = CodecTable.rows.filter { row in
    [
      "aac m4a", "aac adts", "aac mkv", "aac ts", "libmp3lame mp3", "libmp3lame mkv", "libopus ogg",
      "libopus webm", "libopus mp4", "libvorbis ogg", "libvorbis mkv", "flac flac", "flac mkv",
      "flac mp4", "alac m4a", "alac caf", "wavpack wv", "wavpack mkv", "ac3 mp4", "ac3 ac3",
      "eac3 mp4", "eac3 ts", "pcm_s16le wav", "pcm_s24le wav",
    ].contains("\(row.codec) \(row.container)")
  }

  @Test("a queue has the samples of its items rendered alone", .fullRunOnly, arguments: rows)
  func joinIsWhatEachItemGivesAlone(row: CodecRow) async throws {
    let test = try QueueCase()
    let planes = ImpulseSignal.planes(bits: row.bits)
    let source = test.folder.file("source.wav")
    try WAVBytes.pcm16(planes, rate: 48_000).write(to: test.folder.url("source.wav"))
    let names = ["adts": "aac"]
    let coded = test.folder.file("coded." + (names[row.container] ?? row.container))
    try FixtureStore.ffmpeg(["-i", source, "-c:a", row.codec] + row.arguments + [coded])
    let alone = try await test.render(.file(coded), to: "alone.wav").planes
    let plain = planes.map { $0.map { Float($0) * 0x1p-15 } }

    let queue = PlayQueue([
      QueueCase.item(source), QueueCase.item(coded), QueueCase.item(coded), QueueCase.item(source),
    ])
    let (joined, report) = try await test.render(.queue(queue))
    for channel in 0..<2 {
      let wanted = plain[channel] + alone[channel] + alone[channel] + plain[channel]
      #expect(joined[channel].count == wanted.count)
      #expect(joined[channel] == wanted)
    }
    let items = try #require(report.queue).items
    let (first, second) = (Int64(plain[0].count), Int64(alone[0].count))
    #expect(items.map(\.start) == [0, first, first + second, first + 2 * second])
  }

  /// `make scale` joins 10,000.
  @Test("a thousand items of one sample each are the thousand samples of their file")
  func aThousandSamplesAreAThousandItems() async throws {
    let test = try QueueCase()
    let planes = QueueCase.noise(2, 1000)
    let path = try test.write("a.wav", planes)
    let queue = PlayQueue((0..<1000).map { QueueCase.item(path, $0..<($0 + 1)) })
    let (joined, _) = try await test.render(.queue(queue))
    #expect(joined == planes)
  }

  /// Cuts of one recording, each converted or rendered by itself, are the recording again.
  @Test(arguments: [(44_100, 48_000), (48_000, 44_100), (96_000, 48_000), (32_000, 44_100)])
  func continuousSoundStaysContinuousAtAnotherRate(from: Int, to: Int) async throws {
    let test = try QueueCase()
    let planes = QueueCase.noise(2, 3 * from + 17)
    let whole = try test.write("whole.wav", planes, rate: from)
    let cuts = [0, from + 1237, 2 * from + 3456, planes[0].count]
    var items: [QueueItem] = []
    for (index, cut) in cuts.dropLast().enumerated() {
      let part = planes.map { Array($0[cut..<cuts[index + 1]]) }
      items.append(QueueCase.item(try test.write("part\(index).wav", part, rate: from)))
    }
    let reference = try await test.render(.file(whole), to: "whole-out.wav") { $0.sampleRate = to }
    let joined = try await test.render(.queue(PlayQueue(items))) { $0.sampleRate = to }
    let length = Int((Double(planes[0].count) * Double(to) / Double(from)).rounded())
    #expect(joined.planes[0].count == length)
    for cut in cuts.dropFirst().dropLast() {
      let place = cut * to / from
      for channel in 0..<2 {
        let border = (place - 500)..<(place + 500)
        let error = QueueCase.null(
          joined.planes[channel][border], reference.planes[channel][border])
        #expect(error < -140, "at \(place)")
      }
    }
    let inside = 1000..<(length - 1000)
    #expect(QueueCase.null(joined.planes[0][inside], reference.planes[0][inside]) < -140)
  }

  @Test(arguments: [Endpoint.Kind.headphones, .speakers])
  func continuousSoundStaysContinuousWhenVirtualised(endpoint: Endpoint.Kind) async throws {
    let test = try QueueCase()
    let planes = QueueCase.noise(2, 150_000)
    let whole = try test.write("whole.wav", planes, rate: 44_100)
    let cuts = [0, 41_237, 93_456, planes[0].count]
    let items = zip(cuts, cuts.dropFirst()).map { QueueCase.item(whole, $0..<$1) }
    let virtual = { (job: inout RenderJob) in job.outputs[0].endpoint = endpoint }
    let reference = try await test.render(.file(whole), to: "whole-out.wav", virtual)
    let joined = try await test.render(.queue(PlayQueue(items)), virtual)
    #expect(joined.planes[0].count == reference.planes[0].count)
    for channel in 0..<2 {
      for cut in cuts.dropFirst().dropLast() {
        let border = (cut - 400)..<(cut + 400)
        let error = QueueCase.null(
          joined.planes[channel][border], reference.planes[channel][border])
        #expect(error < -130, "at \(cut)")
      }
      let all = QueueCase.null(joined.planes[channel][...], reference.planes[channel][...])
      #expect(all < -130)
    }
  }

  /// A thousand items of mixed rates: each begins within half a sample of the exact sum.
  @Test("each of 1,000 items of five rates begins within half a sample of the exact sum")
  func positionsDontDrift() async throws {
    let test = try QueueCase()
    let rates = [44_100, 48_000, 32_000, 22_050, 96_000]
    var files: [Int: String] = [:]
    for rate in rates {
      var plane = [Float](repeating: 0, count: 1009)
      plane[0] = 0.5
      files[rate] = try test.write("\(rate).wav", [plane], rate: rate)
    }
    let items = (0..<1000).map { QueueCase.item(files[rates[$0 % 5]] ?? "") }
    let report = try await test.render(.queue(PlayQueue(items))) { $0.sampleRate = 48_000 }.report
    let places = try #require(report.queue).items
    // Exact sums in units of 1/14112000 s, which all rates divide.
    var exact = 0
    for (index, item) in places.enumerated() {
      let wanted = Double(exact) * 48_000 / 14_112_000
      #expect((Double(item.start) - wanted).magnitude <= 0.5, "item \(index + 1)")
      exact += 1009 * (14_112_000 / rates[index % 5])
    }
  }

  @Test("a queue has the same bytes for all blocks and threads")
  func bytesDependOnNeitherBlocksNorThreads() async throws {
    let test = try QueueCase()
    let first = try test.write("a.wav", QueueCase.noise(2, 30_001), rate: 44_100)
    let second = try test.write("b.wav", QueueCase.noise(1, 20_003, seed: 2), rate: 48_000)
    var queue = PlayQueue([
      QueueCase.item(first), QueueCase.item(second), QueueItem(.silence(.samples(777))),
      QueueCase.item(first, 100..<25_000),
    ])
    queue.transition = .crossfade(length: .samples(301), curve: .equalPower)
    queue.items[2].transition = .cut
    queue.items[3].transition = .gap(.samples(5))
    var all: [Data] = []
    for (block, threads) in [(nil, 1), (1, 1), (7, 4), (480, 2)] as [(Int?, Int)] {
      _ = try await test.render(.queue(queue)) { job in
        job.outputs[0].endpoint = .headphones
        job.blockSize = block
        job.policy.threads = threads
        job.overwrite = true
        job.loudness = .standard
      }
      all.append(try Data(contentsOf: test.folder.url("out.wav")))
    }
    #expect(all.allSatisfy { $0 == all[0] })
  }
}
