// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import LibAV
import Rendering
import TestSupport
import Testing

/// Filters of libavfilter: their delays are found and removed, and only those that were tried may be used.
@Suite(.enabled(if: FilterLibrary.current != nil, "libavfilter isn't installed"))
struct FilterTapTests {
  private func request(_ text: String) throws -> Tap.Work {
    .filters(try FilterRequest(parsing: text))
  }

  @Test(
    "each filter of the table exists in the installed libavfilter",
    arguments: FilterRule.all.map(\.name))
  func theTableHoldsForTheInstalledLibrary(name: String) throws {
    let rule = try #require(FilterRule.named(name))
    // An older or newer library may lack one; using it is refused then.
    guard FilterLibrary.current?.has(name) == true else { return }
    let work = try request(name + (rule.example.isEmpty ? "" : "=" + rule.example))
    let report = try TapCheck(RenderEnvironment()).run(
      Tap(.programme, work), AudioFormat(sampleRate: 48_000, layout: .stereo))
    #expect(report.latency.measured == rule.delay)
    #expect(report.tail == rule.tail)
    #expect(report.deterministic)
  }

  @Test(
    "filtered sound keeps its place and its end",
    arguments: [
      "alimiter=limit=1:level=0", "afftdn=nr=0.01:nf=-80", "superequalizer=1b=1",
      "highpass=f=10,alimiter=limit=1:level=0",
    ]) func soundStaysInItsPlaceWithItsEnd(text: String) async throws
  {
    let test = try QueueCase()
    let noise = QueueCase.noise(2, 60_001)
    let path = try test.write("in.wav", noise)
    let work = try request(text)
    let (planes, report) = try await test.render(.file(path)) {
      $0.rendition.taps = [Tap(.item, work)]
    }
    let used = try #require(report.outputs.first?.taps?.first?.latency.used)
    #expect(used > 0)
    #expect(planes[0].count == noise[0].count)
    for channel in 0..<2 {
      #expect(QueueCase.null(planes[channel][2000...], noise[channel][2000...]) < -15)
      #expect(QueueCase.null(planes[channel].suffix(200), noise[channel].suffix(200)) < -6)
    }
  }

  /// A filter that turns phases delays low frequencies only, so nothing of that is removed.
  @Test(
    "a filter that turns phases isn't taken for a delay",
    arguments: [("lowpass=f=300", 0), ("lowpass=f=300,alimiter=limit=1:level=0", 239)])
  func phasesAreNoDelay(text: String, delay: Int) throws {
    let report = try TapCheck(RenderEnvironment()).run(
      Tap(.post, try request(text)), AudioFormat(sampleRate: 48_000, layout: .stereo))
    #expect(report.latency.used == delay)
  }

  /// libavfilter would mix 5.1 down for a filter of stereo, and spread what it makes.
  @Test("a filter for other channels than the programme's is refused")
  func otherChannelsAreRefused() throws {
    let layout = try #require(ChannelLayout(name: "5.1"))
    let format = AudioFormat(sampleRate: 48_000, layout: layout)
    let check = TapCheck(RenderEnvironment())
    #expect(try check.run(Tap(.post, try request("highpass=f=80")), format).latency.used == 0)
    let error = #expect(throws: MediaError.self) {
      try check.run(Tap(.post, try request("highpass=f=80,stereotools=mlev=2")), format)
    }
    #expect(error?.kind == .unsupportedFeature)
    #expect(error?.message.contains("doesn't take 5.1") == true)
  }

  @Test("the echo of a filter is its tail") func anEchoIsATail() async throws {
    let test = try QueueCase()
    let noise = QueueCase.noise(2, 30_000)
    let path = try test.write("in.wav", noise)
    let work = try request("aecho=in_gain=1:out_gain=1:delays=100:decays=0.5")
    let (planes, report) = try await test.render(.file(path)) {
      $0.rendition.taps = [Tap(.programme, work)]
      $0.rendition.tail = .keep
    }
    #expect(report.outputs.first?.taps?.first?.tail == 4800)
    #expect(planes[0].count == 34_800)
    for index in [0, 100, 4799, 4800, 20_000, 29_999, 30_000, 34_799] {
      let direct = index < 30_000 ? noise[0][index] : 0
      let echo = index >= 4800 ? noise[0][index - 4800] : 0
      #expect(abs(planes[0][index] - direct - 0.5 * echo) < 1e-6)
    }
  }

  @Test(
    "a filter missing in the table is refused",
    arguments: [
      ("loudnorm", "Pinna's own work"), ("amovie=filename=/etc/passwd", "reads files"),
      ("ametadata=mode=print:file=/tmp/x", "writes files"), ("azmq", "opens sockets"),
      ("lv2=p=x", "loads code"), ("atempo=tempo=2", "no exact length"), ("nothing", "were tried"),
      ("firequalizer=dumpfile=/tmp/x", "doesn't take the option dumpfile"),
      ("volume=volume=random(0)", "isn't the same in every run"),
    ]) func whatIsNotListedIsRefused(text: String, words: String) async throws
  {
    let test = try QueueCase()
    let path = try test.write("in.wav", QueueCase.noise(2, 1000))
    let work = try request(text)
    let error = try await test.failure(.file(path)) { $0.rendition.taps = [Tap(.post, work)] }
    #expect(error.kind == .usage)
    #expect(error.message.contains(words), "\(error.message)")
  }

  @Test(
    "a text that is no chain of filters is refused",
    arguments: ["volume=0.5", "a[0]", "'x'", "volume=volume=1;bass", "", ",bass", "bass=g="])
  func textThatIsNoChainIsRefused(text: String) {
    #expect(throws: MediaError.self) { try FilterRequest(parsing: text) }
  }

  @Test(
    arguments: [
      ("equalizer=f=1e9", "doesn't take"), ("alimiter=limit=50", "doesn't take"),
      ("acompressor=ratio=many", "doesn't take"),
    ]) func wrongValuesAreRefused(text: String, words: String) async throws
  {
    let test = try QueueCase()
    let path = try test.write("in.wav", QueueCase.noise(2, 1000))
    let work = try request(text)
    let error = try await test.failure(.file(path)) { $0.rendition.taps = [Tap(.post, work)] }
    #expect(error.message.contains(words), "\(error.message)")
  }

  @Test func valuesMayHoldBrackets() throws {
    let request = try FilterRequest(
      parsing: "firequalizer=gain_entry=entry(0,3):delay=0.02,bass=g=3")
    #expect(request.filters.map(\.name) == ["firequalizer", "bass"])
    #expect(request.filters[0].options.map(\.value) == ["entry(0,3)", "0.02"])
  }
}
