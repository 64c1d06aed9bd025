// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import LibAV
import TestSupport
import Testing

@testable import Rendering

/// Taps as users ask for them work on every channel of every number of them.
struct ChannelCountTests {
  /// Filters that work on each channel by itself.
  private enum Kind: String, CaseIterable {
    case equalizer, curve, response, filter, program

    func work(_ folder: TemporaryFolder) throws -> Tap.Work {
      switch self {
      case .equalizer:
        let path = folder.file("eq.txt")
        try Data("Preamp: -3 dB\nFilter: ON PK Fc 1000 Hz Gain 6 dB Q 1\n".utf8)
          .write(to: folder.url("eq.txt"))
        return .equalizer(path: path)
      case .curve:
        try Data("GraphicEQ: 100 -6; 10000 6\n".utf8).write(to: folder.url("curve.txt"))
        return .equalizer(path: folder.file("curve.txt"))
      case .response:
        try WAVBytes.float32([[0.5, 0.25, -0.125]], rate: 48_000)
          .write(to: folder.url("fir.wav"))
        return .impulse(ImpulseRequest(path: folder.file("fir.wav"), alignment: .start))
      case .filter: return .filters(try FilterRequest(parsing: "highpass=f=80"))
      case .program: return .program(ProgramRequest(["cat"]))
      }
    }
  }

  @Test("each of 1 to 24 channels passes a tap as it does alone", arguments: Kind.allCases)
  private func channelsDontDependOnEachOther(kind: Kind) throws {
    if kind == .filter, FilterLibrary.current == nil { return }
    let folder = try TemporaryFolder()
    let tap = Tap(.item, try kind.work(folder))
    let loader = TapLoader(launcher: RenderEnvironment().programs, log: DiagnosticLog())
    let loaded = try #require(try loader.load([tap]).first)
    let different = try ChannelCounts.firstThatDiffers(by: 1e-6, frames: 2000) { format in
      let made = try loaded.make(TapContext(point: .item, format: format), known: TapProof())
      return TapHost(made, name: kind.rawValue)
    }
    #expect(different == nil)
  }

  /// A peak filter in double precision by R. Bristow-Johnson's cookbook.
  private func peak(
    _ signal: [Double], frequency: Double, gain: Double, quality: Double
  ) -> [Double] {
    let turn = 2 * Double.pi * frequency / 48_000
    let (a, alpha) = (pow(10, gain / 40), sin(turn) / (2 * quality))
    let (b0, b1, b2) = (1 + alpha * a, -2 * cos(turn), 1 - alpha * a)
    let (a0, a2) = (1 + alpha / a, 1 - alpha / a)
    var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
    return signal.map { x in
      let fresh: Double = b0 * x + b1 * x1 + b2 * x2
      let y = (fresh - b1 * y1 - a2 * y2) / a0
      (x2, x1, y2, y1) = (x1, x, y1, y)
      return y
    }
  }

  @Test(
    "an equaliser of two filters works on each channel of mono, stereo, 3.0, 5.0 and 7.0",
    arguments: [UInt32(0x4), 0x3, 0x7, 0x37, 0x637], [TapPoint.item, .programme, .post])
  func anEqualiserWorksOnEachChannel(mask: UInt32, point: TapPoint) async throws {
    let test = try QueueCase()
    let noise = ChannelCounts.noise(mask.nonzeroBitCount, 9600)
    try WAVBytes.float32(noise, rate: 48_000, mask: mask).write(to: test.folder.url("in.wav"))
    let text = """
      Preamp: -3.0 dB
      Filter 1: ON PK Fc 105 Hz Gain 5.0 dB Q 1.00
      Filter 2: ON PK Fc 2000 Hz Gain -6.0 dB Q 0.70
      """
    let file = try test.write("eq.txt", text)
    let (planes, report) = try await test.render(.file(test.folder.file("in.wav"))) {
      $0.rendition.taps = [Tap(point, .equalizer(path: file))]
    }
    #expect(report.outputs.first?.taps?.count == 1)
    #expect(planes.count == noise.count)
    for (plane, source) in zip(planes, noise) {
      let quiet = source.map { Double($0) * pow(10, -3.0 / 20) }
      let low = peak(quiet, frequency: 105, gain: 5, quality: 1)
      let wanted = peak(low, frequency: 2000, gain: -6, quality: 0.7)
      #expect(Signals.greatestDifference(plane, wanted.map(Float.init)) < 1e-6)
    }
  }
}
