// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import PlayQueue
import Rendering
import Report
import TestSupport
import Testing

/// The work of taps on the sound of real inputs.
struct TapRenderTests {
  /// Leaves everything as it is, in blocks of one size.
  private final class Same: AudioTap {
    let latency = 0
    let contract: TapContract

    init(_ blocks: TapContract.Blocks) {
      var contract = TapContract()
      contract.blocks = blocks
      self.contract = contract
    }

    func prepare(_ format: AudioFormat) -> AudioFormat { format }
    func process(_ input: AudioBuffer, into output: AudioBuffer) { output.append(input) }
    func finish(into output: AudioBuffer) {}
  }

  /// The digests of what is written of `input`, without taps and with `taps`.
  private func digests(
    _ input: MediaLocation, _ folder: TemporaryFolder, _ endpoint: Endpoint,
    container: Container = Container(.wav), _ taps: [Tap]
  ) async throws -> [String] {
    var found: [String] = []
    for (index, taps) in [[], taps].enumerated() {
      var rendition = Rendition(endpoint)
      rendition.taps = taps
      let output = OutputRequest(
        .file(folder.file("\(index).out")), rendition, container: container)
      let report = try await RenderPipeline().render(RenderRequest(input, outputs: [output]))
      found.append(report.outputs[0].pcmSHA256)
      #expect(report.outputs[0].taps?.count == (taps.isEmpty ? nil : taps.count))
      try FileManager.default.removeItem(atPath: folder.file("\(index).out"))
    }
    return found
  }

  private static let same: [Tap] = [TapPoint.item, .programme, .post].flatMap { point in
    [TapContract.Blocks.any, .fixed(1024), .atMost(480)].map { blocks in
      Tap(point, "same") { _ in Same(blocks) }
    }
  }

  @Test(
    "a tap that passes samples on changes no digest at any endpoint",
    arguments: ["mp3", "m4a", "ts", "flac", "mkv", "ogg"])
  func atapThatChangesNothingChangesNoDigest(name: String) async throws {
    let folder = try TemporaryFolder()
    let input = folder.file("in." + name)
    try FixtureStore.ffmpeg(
      ["-f", "lavfi", "-i", "anoisesrc=r=44100:d=1.3:a=0.3", "-ac", "2"]
        + (name == "ts" ? ["-c:a", "aac"] : []) + [input])
    for endpoint in [Endpoint.headphones(), .channels(), .speakers()] {
      let found = try await digests(.file(input), folder, endpoint, Self.same)
      #expect(found[0] == found[1], "\(name) for \(endpoint.kind)")
    }
  }

  @Test(
    "a tap that passes samples on changes no digest of Dolby codecs",
    .enabled(if: SharedMedia.isPresent), arguments: ["sample_ac4.mp4", "sample_eac3.mp4"])
  func neitherWithCodecsOfDolby(name: String) async throws {
    let folder = try TemporaryFolder()
    let found = try await digests(
      .file(SharedMedia.path(name)), folder, .headphones(), Self.same)
    #expect(found[0] == found[1])
  }

  @Test("a tap that passes samples on changes no digest of playlists and queues")
  func norInPlaylistsAndQueues() async throws {
    let folder = try TemporaryFolder()
    let list = folder.file("list.m3u8")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "anoisesrc=r=48000:d=5:a=0.3", "-ac", "2", "-c:a", "aac", "-f", "hls",
      "-hls_time", "2", "-hls_playlist_type", "vod", list,
    ])
    let played = try await digests(.file(list), folder, .headphones(), Self.same)
    #expect(played[0] == played[1])
    let paths = try [48_000, 44_100, 32_000].map { rate in
      let path = folder.file("\(rate).wav")
      let noise = QueueCase.noise(2, 20_011, seed: UInt64(rate))
      try WAVBytes.float32(noise, rate: rate).write(to: URL(fileURLWithPath: path))
      return path
    }
    let queue = PlayQueue(paths.map { QueueCase.item($0) })
    for endpoint in [Endpoint.headphones(), .channels()] {
      let found = try await digests(.queue(queue), folder, endpoint, Self.same)
      #expect(found[0] == found[1])
    }
  }

  @Test(
    "the delay of a tap is removed", arguments: [TapPoint.item, .programme, .post],
    [0, 1, 239, 48_000])
  func aDelayIsRemoved(point: TapPoint, latency: Int) async throws {
    for needsSilence in [false, true] {
      let test = try QueueCase()
      let noise = QueueCase.noise(2, 30_000)
      let path = try test.write("in.wav", noise)
      let (planes, report) = try await test.render(.file(path)) { job in
        job.rendition.taps = [
          Tap(point, "delay") { _ in DelayTap(latency, needsSilence: needsSilence) }
        ]
      }
      #expect(planes == noise)
      let tap = try #require(report.outputs.first?.taps?.first)
      #expect(tap.latency.used == latency)
      #expect(tap.point == point)
    }
  }

  @Test("the tail of a tap is cut or kept as asked, and reported") func aTailIsCutOrKeptAndTold()
    async throws
  {
    let test = try QueueCase()
    let noise = QueueCase.noise(2, 30_000)
    let path = try test.write("in.wav", noise)
    for isKept in [false, true] {
      let (planes, report) = try await test.render(.file(path), to: "\(isKept).wav") { job in
        job.rendition.tail = isKept ? .keep : .trim
        job.rendition.taps = [Tap(.programme, "echo") { _ in DelayTap(100, tail: 500) }]
      }
      #expect(planes[0].count == (isKept ? 30_500 : 30_000))
      #expect(planes[0].prefix(30_000) == noise[0].prefix(30_000))
      let told = report.decisions.contains { $0.code == .tail && $0.why.contains("-18.06 dBFS") }
      #expect(told == !isKept)
      if isKept { #expect(planes[1].suffix(500).allSatisfy { $0 == 0.125 }) }
    }
  }

  @Test func theTailOfAnItemGoesOnUnderTheNext() async throws {
    let test = try QueueCase()
    let noise = QueueCase.noise(1, 10_000)
    let path = try test.write("in.wav", noise)
    let queue = PlayQueue([QueueCase.item(path), QueueCase.item(path)])
    let (planes, _) = try await test.render(.queue(queue)) { job in
      job.rendition.taps = [Tap(.item, "echo") { _ in DelayTap(7, tail: 500) }]
    }
    #expect(planes[0].count == 20_000)
    #expect(planes[0].prefix(10_000) == noise[0].prefix(10_000))
    let second = zip(planes[0].dropFirst(10_000), noise[0]).map { $0 - $1 }
    #expect(second.prefix(500).allSatisfy { abs($0 - 0.125) < 1e-6 })
    #expect(second.dropFirst(500).allSatisfy { $0 == 0 })
  }

  /// Every item has an instance of its own; the report has the longest tail of all.
  @Test("the report has the longest tail of an item's taps", arguments: [[500, 100], [100, 500]])
  func theLongestTailIsTold(tails: [Int]) async throws {
    let test = try QueueCase()
    let path = try test.write("in.wav", QueueCase.noise(1, 10_000))
    let queue = PlayQueue([QueueCase.item(path), QueueCase.item(path)])
    let (_, report) = try await test.render(.queue(queue)) { job in
      job.rendition.taps = [
        Tap(.item, "echo") { context in DelayTap(7, tail: tails[context.item ?? 0]) }
      ]
    }
    let tap = try #require(report.outputs.first?.taps?.first)
    #expect(tap.tail == 500 && tap.instances == 2)
  }

  @Test func tracksInFilesOfTheirOwnPassOneTap() async throws {
    // The tap's output for the sum is cut afterwards, so that a cut leaves no mark.
    let test = try QueueCase()
    let path = try test.write("in.wav", QueueCase.noise(2, 40_000))
    let queue = PlayQueue([
      QueueCase.item(path, 0..<15_000), QueueCase.item(path, 15_000..<40_000),
    ])
    let text = try test.write("eq.txt", "Filter: ON PK Fc 60 Hz Gain 9 dB Q 4\n")
    let whole = try await test.render(.queue(queue)) { job in
      job.rendition.taps = [Tap(.post, .equalizer(path: text))]
    }
    var request = test.job(.queue(queue)).request
    request.outputs = [1, 2].map { number in
      var output = request.outputs[0]
      output.location = .file(test.folder.file("\(number).wav"))
      output.items = ItemSpan(number, number)
      if case .render(var rendition, let container) = output.work {
        rendition.taps = [Tap(.post, .equalizer(path: text))]
        output.work = .render(rendition, container)
      }
      return output
    }
    let report = try await RenderPipeline().render(request)
    let parts = try [1, 2].map { try Decoded(test.folder.file("\($0).wav")).planes[0] }
    #expect(parts[0] + parts[1] == whole.planes[0])
    #expect(report.outputs.map { $0.taps?.count } == [1, 1])
  }

  @Test(.enabled(if: SharedMedia.isPresent, "needs ../shared"))
  func objectsHaveNoChannelsYetAtTheItem() async throws {
    let folder = try TemporaryFolder()
    var rendition = Rendition(.headphones())
    rendition.taps = [Tap(.item, "same") { _ in Same(.any) }]
    let request = RenderRequest(
      .file(SharedMedia.path("sample_eac3joc.mp4")),
      outputs: [OutputRequest(.file(folder.file("out.wav")), rendition)])
    let failure = await #expect(throws: RenderFailure.self) {
      try await RenderPipeline().render(request)
    }
    #expect(failure?.error.kind == .unsupportedFeature)
    #expect(failure?.error.message.contains("at programme or post") == true)
  }
}
