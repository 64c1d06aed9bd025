// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Rendering
import Synchronization
import TestSupport
import Testing

/// A test signal finds out what taps don't state, and what they state wrongly.
struct TapProbeTests {
  /// Delays by one number of samples and states another; may vary from run to run or by block.
  private final class Liar: AudioTap {
    let latency: Int
    private let delay: Int
    private let gain: (Int) -> Float
    private var pending: AudioBuffer?

    init(states latency: Int, delays delay: Int, gain: @escaping (Int) -> Float = { _ in 1 }) {
      self.latency = latency
      self.delay = delay
      self.gain = gain
    }

    func prepare(_ format: AudioFormat) -> AudioFormat {
      let buffer = AudioBuffer(channels: format.channels)
      buffer.appendSilence(delay)
      pending = buffer
      return format
    }

    func process(_ input: AudioBuffer, into output: AudioBuffer) {
      guard let pending else { return }
      pending.append(input)
      let start = output.frames
      output.append(pending, range: 0..<input.frames)
      pending.removeFirst(input.frames)
      let gain = gain(input.frames)
      for channel in 0..<output.channels {
        for index in start..<output.frames { output.channel(channel)[index] *= gain }
      }
    }

    func finish(into output: AudioBuffer) {
      guard let pending else { return }
      // As many samples as it states, whatever they are.
      pending.appendSilence(max(0, latency - pending.frames))
      output.append(pending, range: 0..<latency)
    }
  }

  /// Counts from 1.
  private final class Counter: Sendable {
    private let count = Mutex(0)

    var next: Int {
      count.withLock {
        $0 += 1
        return $0
      }
    }
  }

  private func render(
    blockSize: Int? = nil, _ make: @escaping @Sendable () -> any AudioTap
  ) async throws -> ([[Float]], RenderedTap) {
    let test = try QueueCase()
    let path = try test.write("in.wav", QueueCase.noise(2, 20_000))
    let (planes, report) = try await test.render(.file(path)) { job in
      job.blockSize = blockSize
      job.rendition.taps = [Tap(.programme, "liar") { _ in make() }]
    }
    return (
      planes,
      RenderedTap(
        measured: report.outputs[0].taps?.first?.latency.measured,
        isDeterministic: report.outputs[0].taps?.first?.deterministic ?? false,
        decisions: report.decisions.filter { $0.code == .tap }.map { $0.chose + ": " + $0.why },
        degradations: report.degradations.map(\.code))
    )
  }

  private struct RenderedTap {
    let measured: Int?
    let isDeterministic: Bool
    let decisions: [String]
    let degradations: [DegradationCode]
  }

  @Test(
    "a tap that states a wrong delay is found out",
    arguments: [(0, 2), (0, 239), (64, 0), (64, 66), (4096, 4000)])
  func aLieAboutTheDelayIsFoundOut(states: Int, delays: Int) async throws {
    let test = try QueueCase()
    let path = try test.write("in.wav", QueueCase.noise(2, 20_000))
    let error = try await test.failure(.file(path)) { job in
      job.rendition.taps = [
        Tap(.programme, "liar") { _ in Liar(states: states, delays: delays) }
      ]
    }
    #expect(error.kind == .verificationFailed)
    #expect(
      error.message.contains(
        "the tap programme:own liar: states a delay of \(states) samples, but delays a test signal by \(delays);"
      ),
      "\(error.message)")
  }

  @Test("a tap that states its delay is confirmed", arguments: [0, 1, 239, 47_999])
  func theTruthIsConfirmed(delay: Int) async throws {
    let (_, tap) = try await render { Liar(states: delay, delays: delay, gain: { _ in -0.5 }) }
    #expect(tap.measured == delay)
    #expect(tap.isDeterministic)
    #expect(tap.degradations.isEmpty)
  }

  @Test("a tap with a varying output is reported as not deterministic") func whatVariesIsTold()
    async throws
  {
    let counter = Counter()
    let (_, tap) = try await render {
      let number = counter.next
      return Liar(states: 0, delays: 0, gain: { _ in 1 / Float(number) })
    }
    #expect(!tap.isDeterministic)
    #expect(tap.degradations == [.tapVaries])
  }

  @Test("a tap whose output depends on blocks gets blocks of one size")
  func whatDependsOnBlocksGetsOneSize() async throws {
    var planes: [[[Float]]] = []
    for size in [nil, 100, 4096] as [Int?] {
      let (found, tap) = try await render(blockSize: size) {
        Liar(states: 0, delays: 0, gain: { 1 / Float($0) })
      }
      planes.append(found)
      #expect(tap.decisions.contains { $0.hasPrefix("blocks of 1024: ") })
      #expect(tap.isDeterministic)
    }
    #expect(planes[0] == planes[1] && planes[1] == planes[2])
  }

  @Test("a tap in whose output the test signal can't be found is reported")
  func whatCantBeFoundAgainIsTold() async throws {
    let (_, tap) = try await render { Liar(states: 3, delays: 3, gain: { _ in 0 }) }
    #expect(tap.measured == nil)
    #expect(tap.decisions.contains { $0.hasPrefix("3 samples of delay: ") })
  }

  /// An error of a tap's own type names the tap, wherever it is thrown.
  @Test func anErrorOfItsOwnNamesTheTap() async throws {
    struct Odd: Error {}
    final class Thrower: AudioTap {
      let isProbe: Bool
      let latency = 0
      init(isProbe: Bool) { self.isProbe = isProbe }
      func prepare(_ format: AudioFormat) -> AudioFormat { format }
      func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
        guard isProbe else { throw Odd() }
        output.append(input)
      }
      func finish(into output: AudioBuffer) {}
    }
    let test = try QueueCase()
    let path = try test.write("in.wav", QueueCase.noise(2, 20_000))
    let error = try await test.failure(.file(path)) { job in
      job.rendition.taps = [Tap(.post, "odd") { Thrower(isProbe: $0.isProbe) }]
    }
    #expect(error.message.contains("the tap post:own odd"), "\(error.message)")
  }
}
