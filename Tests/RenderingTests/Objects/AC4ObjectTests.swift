// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import MediaIn
import Report
import TestSupport
import Testing

@testable import Rendering
@testable import Spatial

/// AC-4 with objects (A-JOC) from the file to outputs: nine tones at the loudspeakers of 5.1.4, eleven objects that repeat
/// them, and low frequencies.
@Suite(.tags(.media), .enabled(if: SharedMedia.isPresent, "../shared is missing"))
struct AC4ObjectTests {
  static let path = SharedMedia.path("sample_ac4_level4.mp4")
  static let frames = 20 * 2048
  /// Tones of the first nine objects, and the loudspeakers that they stand at.
  static let tones: [(frequency: Double, speaker: Speaker)] = [
    (1000, .frontLeft), (2500, .frontRight), (4000, .frontCenter), (5500, .sideLeft),
    (7000, .sideRight), (8500, .topFrontLeft), (10_000, .topFrontRight), (11_000, .topBackLeft),
    (12_000, .topBackRight),
  ]
  /// Samples in which all tones are steady.
  static let steady = 3 * 2048..<18 * 2048

  @Test func theRenderReachesItsLevelAndSaysWhatItHeard() async throws {
    let test = try RenderCase(path: AC4ObjectTests.path)
    let report = try await test.run()
    let output = try #require(report.outputs.first)
    let loudness = try #require(output.integrated)
    #expect(abs(loudness + 16) < 0.05, "\(loudness)")
    #expect(try #require(output.truePeak) <= -1)
    #expect(output.samples == Int64(AC4ObjectTests.frames))
    let input = try #require(report.inputs.first)
    #expect(input.objects == .yes)
    #expect(
      input.objectCoding
        == ObjectCodingReport(
          complexity: nil, bed: "LFE", objects: 20, downmix: "9 signals and LFE",
          updatesPerSecond: nil))
    let scene = try #require(input.scene)
    #expect(scene.map(\.type) == ["bed"] + Array(repeating: "object", count: 20))
    #expect(scene[1].least == [-1, 1, 0] && scene[9].least == [1, -1, 1])
    #expect(report.decisions.contains { $0.code == .objects && $0.why.contains("735 samples") })
    #expect(report.degradations.map(\.code) == [.headerInconsistent], "\(report.degradations)")
    // Whoever wrote the box copied the table's escape value.
    #expect(report.degradations[0].message.contains("states 16 objects, and the stream has 20"))
    let text = try Tool.run(
      "ffmpeg", ["-i", test.outputPath, "-af", "ebur128", "-f", "null", "-"])
    let line = text.errors.split(separator: "\n").last { $0.contains("I:") } ?? ""
    let found = line.split(separator: " ").compactMap { Double($0) }.first ?? 0
    #expect(abs(found + 16) < 0.11, "\(line)")
  }

  /// Every tone is heard as the filters of its objects' directions make it.
  @Test func everyToneIsHeardFromItsPlace() async throws {
    let test = try RenderCase(path: AC4ObjectTests.path)
    _ = try await test.run()
    let ears = try test.decoded().planes.map { Array($0[AC4ObjectTests.steady]) }
    let sources = try RenderedScene.tracks(AC4ObjectTests.path).map {
      Array($0[AC4ObjectTests.steady])
    }
    let designer = HRIRDesigner(try HRTFSet.builtIn(), rate: 48_000)
    var pairs: [[[Double]]?] = []
    for element in try RenderedScene.programme(AC4ObjectTests.path).elements {
      if case .object(_, let state) = element, case .cartesian(let x, let y, let z) = state.position
      {
        let pair = designer.pair(for: ToneScene.direction(of: SIMD3(x, y, z)))
        pairs.append([pair.left, pair.right])
      } else {
        // Low frequencies have no direction, and no tone.
        pairs.append(nil)
      }
    }
    #expect(pairs.count == 21)
    for (frequency, _) in AC4ObjectTests.tones {
      let heard = InterauralTone(ears, frequency: frequency)
      let (level, phase) = Phasor.betweenEars(sources, pairs, frequency)
      #expect(abs(heard.level - level) < 0.05, "\(frequency) Hz: \(heard.level), not \(level) dB")
      #expect(InterauralTone.gap(heard.phase, phase) < 0.01, "\(frequency) Hz")
    }
  }

  /// Each loudspeaker of 7.1.4 gets the tone of the object that stands there. A room's back corners are those of the
  /// loudspeakers behind the listener, not of those at the sides (ITU-R BS.2127, section 10).
  @Test func loudspeakersGetTheirTones() throws {
    let layout = try #require(ChannelLayout(name: "7.1.4"))
    let planes = try RenderedScene.planes(AC4ObjectTests.path, to: layout)
    #expect(planes.count == 12 && planes[0].count == AC4ObjectTests.frames)
    for (frequency, speaker) in AC4ObjectTests.tones {
      let levels = planes.map { plane in
        let tone = Phasor.of(Array(plane[AC4ObjectTests.steady]), frequency)
        return 10 * log10((tone * tone).sum() + 1e-20)
      }
      let loudest = levels.indices.max { levels[$0] < levels[$1] } ?? 0
      let behind: [Speaker: Speaker] = [.sideLeft: .backLeft, .sideRight: .backRight]
      #expect(layout.speakers[loudest] == behind[speaker] ?? speaker, "\(frequency) Hz: \(levels)")
      // Nothing else has the tone.
      let others = levels.enumerated().filter { $0.offset != loudest }.map(\.element)
      #expect(levels[loudest] - (others.max() ?? 0) > 60, "\(frequency) Hz: \(levels)")
    }
  }
}
