// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Loudness
import PlayQueue
import Rendering
import Report
import TestSupport
import Testing

/// Tracks of an album that run into each other.
@Suite struct AlbumSeamTests {
  /// A way to render an album, and whether its filters go on across the seams.
  struct Way: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var endpoint = Endpoint.Kind.headphones
    /// The equaliser that the sound passes; `nil` for none.
    var equalizer: String?
    /// Why the report says that they don't; `nil` where they do.
    var obstacle: String?
    var change: @Sendable (inout RenderJob) -> Void = { _ in }
  }

  static let ways = [
    Way(testDescription: "headphones"),
    Way(testDescription: "loudspeakers", endpoint: .speakers),
    Way(
      testDescription: "equaliser", endpoint: .none,
      equalizer: "Preamp: -6 dB\nFilter: ON PK Fc 90 Hz Gain 6 dB Q 1\n"),
    Way(testDescription: "nothing with a memory", endpoint: .none),
    Way(testDescription: "another rate", endpoint: .none, obstacle: "rate is converted") {
      $0.sampleRate = 44_100
    },
    Way(testDescription: "tails are kept", obstacle: "is kept") { $0.rendition.tail = .keep },
  ]

  /// Samples of each track.
  private static let lengths = [70_000, 50_001, 60_000]

  /// Four seconds of low tones, whose neighbouring samples differ little.
  private static let tones: [[Float]] = [0.0, 1.0].map { phase in
    (0..<lengths.reduce(0, +)).map { index in
      let time = Double(index) / 48_000
      return Float(0.3 * sin(2 * .pi * 220 * time + phase) + 0.1 * sin(2 * .pi * 331 * time))
    }
  }

  private func job(_ test: QueueCase, _ name: String, _ way: Way) throws -> RenderJob {
    var job = test.job(.file(test.folder.file(name)), to: "out-" + name)
    job.outputs[0].endpoint = way.endpoint
    job.loudness = .standard
    job.loudness?.pin = LoudnessTarget.Pin(-9, isJudged: false)
    if let text = way.equalizer {
      job.rendition.taps = [Tap(.programme, .equalizer(path: try test.write("eq.txt", text)))]
    }
    way.change(&job)
    return job
  }

  /// Renders the tracks as an album; the tracks one after another, and the reports.
  private func album(
    _ test: QueueCase, _ tracks: [[[Float]]], _ way: Way,
    _ change: (inout RenderJob) -> Void = { _ in }
  ) async throws -> (planes: [[Float]], reports: [RenderReport]) {
    var jobs: [RenderJob] = []
    for (index, planes) in tracks.enumerated() {
      try test.write("\(index).wav", planes)
      var job = try job(test, "\(index).wav", way)
      job.overwrite = true
      change(&job)
      jobs.append(job)
    }
    let reports = try await RenderPipeline().renderAlbum(jobs)
    var joined: [[Float]] = [[], []]
    for index in tracks.indices {
      let planes = try Decoded(test.folder.file("out-\(index).wav")).planes
      for channel in joined.indices { joined[channel] += planes[channel] }
    }
    return (joined, reports)
  }

  private func tracks(_ planes: [[Float]]) -> [[[Float]]] {
    var start = 0
    return Self.lengths.map { length in
      defer { start += length }
      return planes.map { Array($0[start..<start + length]) }
    }
  }

  @Test(
    "tracks that run into each other are the whole, or the report says that they aren't",
    arguments: ways)
  func seamsAreInaudible(way: Way) async throws {
    let test = try QueueCase()
    let (joined, reports) = try await album(test, tracks(Self.tones), way)
    let seams = reports.map { $0.degradations.filter { $0.code == .albumSeam } }
    #expect(seams.map(\.count) == (way.obstacle == nil ? [0, 0, 0] : [0, 1, 1]))
    guard way.obstacle == nil else {
      #expect(seams.joined().allSatisfy { $0.class == .damage })
      for seam in seams.joined() {
        #expect(seam.message.contains(way.obstacle ?? ""), "\(seam.message)")
      }
      return
    }
    try test.write("whole.wav", Self.tones)
    _ = try await RenderPipeline().render(job(test, "whole.wav", way))
    let whole = try Decoded(test.folder.file("out-whole.wav")).planes
    for channel in 0..<2 {
      #expect(joined[channel].count == whole[channel].count)
      let null = QueueCase.null(joined[channel][...], whole[channel][...])
      #expect(null < -120, "channel \(channel): \(null) dB")
    }
  }

  @Test("the largest step between samples isn't at a seam") func nothingClicks() async throws {
    let test = try QueueCase()
    let (joined, _) = try await album(test, tracks(Self.tones), AlbumSeamTests.ways[0])
    for plane in joined {
      let steps = zip(plane, plane.dropFirst()).map { ($1 - $0).magnitude }
      let seams = [Self.lengths[0], Self.lengths[0] + Self.lengths[1]]
      let atSeams = seams.map { steps[$0 - 400..<$0 + 400].max() ?? 0 }.max() ?? 0
      let elsewhere = steps[1000..<seams[0] - 1000].max() ?? 0
      #expect(atSeams <= elsewhere * 1.05, "\(atSeams) at seams, \(elsewhere) elsewhere")
    }
  }

  /// Each file has a limiter of its own, whose gain is at rest at the first sample.
  @Test(
    "a limiter that works at a seam is reported, of an album and of a queue's tracks",
    arguments: [PeakPolicy.limit, .lower])
  func limitersBeginAnew(policy: PeakPolicy) async throws {
    var way = AlbumSeamTests.ways[0]
    way.change = {
      $0.loudness = LoudnessTarget(integrated: -16, truePeak: -15, peakPolicy: policy)
      $0.loudness?.pin = LoudnessTarget.Pin(0, isJudged: false)
    }
    let test = try QueueCase()
    let wanted = policy == .limit ? 1 : 0
    let (_, reports) = try await album(test, tracks(Self.tones), way)
    let counts = reports.map { $0.degradations.count { $0.code == .albumSeam } }
    #expect(counts == [0, wanted, wanted])
    // Outputs of one queue, the second of which begins where the first ends.
    let items = (0..<3).map { QueueCase.item(test.folder.file("\($0).wav")) }
    var job = test.job(.queue(PlayQueue(items)))
    job.outputs[0].endpoint = .headphones
    way.change(&job)
    var request = job.request
    request.sharesGain = true
    request.outputs = (1...3).map { number in
      var output = request.outputs[0]
      output.items = ItemSpan(number, number)
      output.location = .file(test.folder.file("track-\(number).wav"))
      return output
    }
    let queue = try await RenderPipeline().render(request)
    let seams = queue.degradations.filter { $0.code == .albumSeam }
    #expect(seams.map(\.subject) == (wanted == 1 ? [.output(1), .output(2)] : []))
    #expect(seams.allSatisfy { $0.message.contains("limiter") && $0.class == .damage })
  }

  /// The gap between two tracks.
  enum Gap: CaseIterable { case silence, jump }

  /// Tracks of which none runs into the next.
  private func parted(_ gap: Gap) -> [[[Float]]] {
    var parted = tracks(Self.tones)
    for track in parted.indices {
      for channel in 0..<2 {
        let end = parted[track][channel].count
        switch gap {
        case .silence:
          // 20 ms of it at the end of each.
          parted[track][channel].replaceSubrange(
            end - 960..<end, with: [Float](repeating: 0, count: 960))
        case .jump:
          // Loud, but each begins and ends at a crest of a wave of its own: the first up, the second down, …
          let sign: Float = track.isMultiple(of: 2) ? 0.3 : -0.3
          parted[track][channel] = (0..<end).map {
            sign * Float(cos(2 * .pi * 110 * Double(min($0, end - 1 - $0)) / 48_000))
          }
        }
      }
    }
    return parted
  }

  @Test(
    "tracks with silence between them, or with nothing in common, have the bits that each has alone",
    arguments: Gap.allCases)
  func gapsPart(gap: Gap) async throws {
    let test = try QueueCase()
    let parted = parted(gap)
    let way = AlbumSeamTests.ways[0]
    let (joined, reports) = try await album(test, parted, way)
    #expect(!reports.contains { $0.degradations.contains { $0.code == .albumSeam } })
    var alone: [[Float]] = [[], []]
    for index in parted.indices {
      var job = try job(test, "\(index).wav", way)
      job.outputs[0].location = .file(test.folder.file("alone.wav"))
      job.overwrite = true
      _ = try await RenderPipeline().render(job)
      let planes = try Decoded(test.folder.file("alone.wav")).planes
      for channel in 0..<2 { alone[channel] += planes[channel] }
    }
    #expect(alone == joined)
    // Limiters that begin anew with each aren't reported where nothing goes on.
    for endpoint in [Endpoint.Kind.headphones, .none] {
      var limited = way
      limited.endpoint = endpoint
      limited.change = {
        $0.loudness = LoudnessTarget(integrated: -16, truePeak: -15, peakPolicy: .limit)
        $0.loudness?.pin = LoudnessTarget.Pin(0, isJudged: false)
      }
      let held = try await album(test, parted, limited).reports
      #expect(held.contains { ($0.loudness?.limiter?.maxReductionDB ?? 0) > 1 }, "\(endpoint)")
      #expect(!held.contains { $0.degradations.contains { $0.code == .albumSeam } }, "\(endpoint)")
    }
    // Sound whose rate is converted isn't reported either.
    var converted = way
    converted.endpoint = .none
    converted.change = { $0.sampleRate = 44_100 }
    let second = try await album(test, parted, converted).reports
    #expect(!second.contains { $0.degradations.contains { $0.code == .albumSeam } })
  }

  /// Filters for headphones look 72 samples ahead at 48 kHz.
  @Test("a track that is shorter than filters look ahead is reported where another follows it")
  func shortTracksAreReported() async throws {
    let test = try QueueCase()
    let cuts = [0, 70_000, 70_040, 120_000]
    let short = zip(cuts, cuts.dropFirst()).map { start, end in
      Self.tones.map { Array($0[start..<end]) }
    }
    let (_, reports) = try await album(test, short, AlbumSeamTests.ways[0])
    let seams = reports.map { $0.degradations.filter { $0.code == .albumSeam } }
    #expect(seams.map(\.count) == [0, 0, 1])
    #expect(seams[2].first?.message.contains("shorter than filters look ahead") == true)
    let ending = try await album(test, Array(short[..<2]), AlbumSeamTests.ways[0]).reports
    #expect(!ending.contains { $0.degradations.contains { $0.code == .albumSeam } })
  }

  @Test("an album has the same bits for any block size and thread count")
  func bitsDontDependOnBlocks() async throws {
    let test = try QueueCase()
    var first: [[Float]]?
    for (threads, block) in [(1, 100_000), (4, 777)] {
      let (joined, _) = try await album(test, tracks(Self.tones), AlbumSeamTests.ways[0]) {
        $0.policy.threads = threads
        $0.policy.blockSize = block
      }
      if let first { #expect(first == joined) }
      first = joined
    }
  }
}
