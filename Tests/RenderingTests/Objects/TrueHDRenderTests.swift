// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Report
import TestSupport
import Testing

@testable import Rendering
@testable import Spatial

/// TrueHD with objects from a whole input to outputs.
@Suite(
  .tags(.media), .enabled(if: SharedMedia.beside("truehd/streams") != nil, "../shared is missing"))
struct TrueHDRenderTests {
  private static let folder = SharedMedia.beside("truehd/streams") ?? "/nowhere"

  /// An object that stands still and sounds by itself, by the description of the scene.
  private struct Standing {
    let number: Int
    let samples: Range<Int>
    /// Whether it clicks.
    let clicks: Bool
    /// A frequency that it sounds with.
    let frequency: Double
    let direction: Direction
  }

  /// The description of a stream's scene.
  private func scene(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/\(name).scene.json"))
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  /// The objects of a scene that never move.
  private func standing(_ name: String) throws -> [Standing] {
    let scene = try scene(name)
    let updates = scene["updates"] as? [[String: Any]] ?? []
    let places = updates.compactMap { $0["positions"] as? [[Double]] }
    return try (scene["objects"] as? [[String: Any]] ?? []).enumerated().compactMap {
      index, object in
      let own = try #require(places.first)[index]
      guard places.allSatisfy({ $0[index] == own }), let hertz = object["hertz"] as? Double,
        let range = (object["sounding"] as? [[Int]])?.first
      else { return nil }
      // Clicks have all multiples of their rate; one near 700 Hz is taken.
      let frequency =
        object["sound"] as? String == "clicks" ? hertz * (700 / hertz).rounded() : hertz
      return Standing(
        number: index, samples: range[0]..<range[1], clicks: object["sound"] as? String == "clicks",
        frequency: frequency,
        direction: ToneScene.direction(of: ToneScene.place(SIMD3(own[0], own[1], own[2]))))
    }
  }

  /// Samples around the loudest click in `samples` that lies far enough from both ends: the object before fades out in the first
  /// thousand.
  private func click(in samples: Range<Int>, _ ears: [[Float]]) -> Range<Int> {
    let inner = samples.lowerBound + 2000..<samples.upperBound - 1100
    let peak = inner.max { one, other in
      max(ears[0][one].magnitude, ears[1][one].magnitude)
        < max(ears[0][other].magnitude, ears[1][other].magnitude)
    }
    let place = peak ?? inner.lowerBound
    return place - 1024..<place + 1024
  }

  @Test("every standing object is heard from its place, by level and delay between the ears")
  func standingObjectsAreHeardFromTheirPlaces() async throws {
    let test = try RenderCase(path: Self.folder + "/51_audible_nested.thd")
    let report = try await test.run()
    #expect(abs(try #require(report.outputs.first?.integrated) + 16) < 0.05)
    #expect(report.inputs.first?.objectCoding?.objects == 10)
    #expect(report.degradations.isEmpty, "\(report.degradations)")
    let ears = try test.decoded().planes
    let designer = HRIRDesigner(try HRTFSet.builtIn(), rate: 48_000)
    let objects = try standing("51_audible_nested")
    #expect(objects.count == 7)
    for object in objects {
      let window = object.clicks ? click(in: object.samples, ears) : object.samples
      let heard = InterauralTone(ears.map { Array($0[window]) }, frequency: object.frequency)
      let pair = designer.pair(for: object.direction)
      let wanted = InterauralTone(left: pair.left, right: pair.right, frequency: object.frequency)
      #expect(
        abs(heard.level - wanted.level) <= 0.5,
        "object \(object.number): \(heard.level), not \(wanted.level) dB")
      let delay = InterauralTone.gap(heard.phase, wanted.phase) / (2 * .pi * object.frequency)
      #expect(delay <= 20e-6, "object \(object.number): \(delay * 1e6) µs")
    }
  }

  @Test("objects are louder at the ear on whose side their paths are")
  func movingObjectsAreOnTheirSides() async throws {
    let test = try RenderCase(path: Self.folder + "/50_audible.thd")
    _ = try await test.run()
    let ears = try test.decoded().planes
    let scene = try scene("50_audible")
    let updates = scene["updates"] as? [[String: Any]] ?? []
    let times = updates.compactMap { $0["time"] as? Int }
    let places = updates.compactMap { $0["positions"] as? [[Double]] }
    var judged = 0
    for (number, object) in (scene["objects"] as? [[String: Any]] ?? []).enumerated() {
      let range = try #require((object["sounding"] as? [[Int]])?.first)
      // A step of 100 ms holds a click at least. The object before fades out in the first one.
      for start in stride(from: range[0] + 4800, to: range[1], by: 4800) {
        let near = times.indices.filter { times[$0] > start - 3072 && times[$0] < start + 4800 }
        let own = near.map {
          ToneScene.place(
            SIMD3(places[$0][number][0], places[$0][number][1], places[$0][number][2]))
        }
        let sides = own.map { $0.x > 0.5 ? 1 : $0.x < -0.5 ? -1 : 0 }
        guard let side = sides.first, side != 0, sides.allSatisfy({ $0 == side }),
          own.allSatisfy({ $0.z.magnitude < 0.7 })
        else { continue }
        let powers = ears.map { ear in
          ear[start..<start + 4800].reduce(0.0) { $0 + Double($1 * $1) }
        }
        let level = 10 * log10(powers[1] / powers[0])
        #expect(level * Double(side) > 1, "object \(number) at \(start): \(level) dB to the right")
        judged += 1
      }
    }
    #expect(judged >= 8)
  }

  @Test("objects that are kept in BW64 are the objects of the disc, rendered to loudspeakers")
  func keptObjectsAreThoseOfTheDisc() async throws {
    var keeping = try RenderCase(path: Self.folder + "/51_audible_nested.thd")
    keeping.job.form = .bw64
    keeping.job.outputs[0].endpoint = .none
    keeping.job.rendition.level = nil
    let report = try await keeping.run()
    #expect(report.outputs.first?.samples == 96_000)
    var planes: [[[Float]]] = []
    for path in [Self.folder + "/51_audible_nested.thd", keeping.outputPath] {
      var test = try RenderCase(path: path)
      test.job.outputs[0].endpoint = .none
      test.job.layout = ChannelLayout(name: "7.1.4")
      test.job.rendition.level = nil
      _ = try await test.run()
      planes.append(try test.decoded().planes)
    }
    #expect(planes[0].count == 12)
    let gaps = zip(planes[0], planes[1]).flatMap { zip($0, $1).map { abs($0 - $1) } }
    // −100 dB.
    #expect(try #require(gaps.max()) < 1e-5)
  }
}
