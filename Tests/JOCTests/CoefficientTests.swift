// SPDX-License-Identifier: Apache-2.0
import Foundation
import Signal
import TestSupport
import Testing

@testable import JOC

/// Containers and coefficients against those that other implementations found.
@Suite(.tags(.media), .enabled(if: JOCOracle.isPresent, "../shared is missing"))
struct CoefficientTests {
  static let streams = ["sample", "made.coding", "made.moving"]

  @Test("payloads of each frame have the oracle's sizes and sample offsets", arguments: streams)
  func containersLieWhereTheyAreFound(name: String) throws {
    let frames = try JOCOracle.frames(name)
    let facts = try JOCOracle.lines("\(name).sideinfo.jsonl.gz")
    try #require(frames.count == facts.count && frames.count > 20)
    for (frame, fact) in zip(frames, facts) {
      let emdf = try #require(fact["emdf"] as? [String: Any])
      let payloads = try #require(emdf["payloads"] as? [[String: Any]])
      let found = try #require(frame.withUnsafeBufferPointer { MetadataScanner.container(in: $0) })
      for (id, payload) in [(11, found.objects), (14, found.coefficients)] {
        let wanted = payloads.first { $0["id"] as? Int == id }
        #expect(payload?.size == wanted?["size"] as? Int)
        #expect(payload?.sampleOffset == wanted?["smploffst"] as? Int ?? 0)
      }
    }
  }

  @Test("payloads of the sample are the oracle's bytes")
  func payloadsAreTheBytesOfTheOracle() throws {
    let frames = try JOCOracle.frames("sample")
    for (frame, fact) in zip(frames, try JOCOracle.lines("sample.payloads.jsonl.gz")) {
      try frame.withUnsafeBufferPointer { bytes in
        let found = try #require(MetadataScanner.container(in: bytes))
        for (payload, key) in [(found.objects, "oamd"), (found.coefficients, "joc")] {
          let payload = try #require(payload)
          var bits = payload.bits(in: bytes)
          let hex = try bits.bytes(payload.size).map { String(format: "%02x", $0) }.joined()
          #expect(hex == fact[key] as? String)
        }
      }
    }
  }

  @Test("a plain E-AC-3 stream has no coefficients") func aPlainStreamHasNone() throws {
    let path = try #require(SharedMedia.beside("media/sample_eac3.mp4"))
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(bytes.withUnsafeBufferPointer { MetadataScanner.container(in: $0) } == nil)
  }

  @Test("coefficients of real streams are the oracle's", arguments: streams)
  func coefficientsAreThoseOfTheOracle(name: String) throws {
    let facts = try JOCOracle.lines("\(name).sideinfo.jsonl.gz")
    try JOCOracle.readEach(name) { index, reader in
      let fact = try #require(facts[index]["joc"] as? [String: Any])
      try expect(reader.coefficients, fact, "frame \(index)")
    }
  }

  /// Payloads for what no real stream has: sparse, coarse, two points, seven channels.
  @Test("made payloads of coefficients and their matrices are the model's within 2e-6")
  func madePayloadsAreReadAsTheModelReadsThem() throws {
    let cases = try JOCOracle.lines("synthetic.jsonl").filter { $0["kind"] as? String == "joc" }
    #expect(cases.count >= 5)
    for made in cases {
      let name = made["name"] as? String ?? ""
      let frame = try read(hex: try #require(made["hex"] as? String))
      try expect(frame, try #require(made["parsed"] as? [String: Any]), name)
      let matrix = MatrixFrame(steepShift: 1)
      matrix.set(frame, after: MatrixFrame(steepShift: 1))
      let slots = made["matrix_slots"] as? [String: [[[Double]]]] ?? [:]
      for (slot, objects) in slots {
        for (object, channels) in objects.enumerated() {
          for (channel, values) in channels.enumerated() {
            for (band, wanted) in zip([0, 5, 20, 63], values) {
              let found = matrix.coefficient(object, channel, slot: Int(slot) ?? 0, subband: band)
              #expect(abs(Double(found) - wanted) < 2e-6, "\(name), slot \(slot)")
            }
          }
        }
      }
    }
  }

  private func read(hex: String) throws -> CoefficientFrame {
    let bytes = MadePayload.bytes(hex: hex)
    let frame = CoefficientFrame()
    try bytes.withUnsafeBufferPointer {
      try CoefficientReader().read(BitReader($0), size: bytes.count, into: frame)
    }
    return frame
  }

  private func expect(
    _ frame: CoefficientFrame, _ fact: [String: Any], _ place: String
  ) throws {
    #expect(frame.configuration == fact["dmx"] as? Int, "\(place)")
    #expect(frame.count == fact["objects"] as? Int, "\(place)")
    #expect(frame.clipGain == fact["clipgain"] as? Double, "\(place)")
    #expect(frame.sequence == fact["seq"] as? Int, "\(place)")
    #expect(frame.endsExactly, "\(place)")
    let objects = try #require(fact["obj"] as? [Any])
    for (object, entry) in objects.enumerated() {
      let header = frame.headers[object]
      guard let entry = entry as? [String: Any] else {
        #expect(!header.isPresent, "\(place), object \(object)")
        continue
      }
      #expect(header.isPresent && header.bands == entry["bands"] as? Int, "\(place)")
      #expect(header.isSparse == (entry["sparse"] as? Int == 1), "\(place)")
      #expect(header.isFine == (entry["fine"] as? Int == 1), "\(place)")
      #expect(header.isSteep == (entry["steep"] as? Int == 1), "\(place)")
      let offsets = entry["offset_ts"] as? [Int] ?? []
      #expect(offsets.first.map { $0 == header.offsets.0 } ?? true, "\(place)")
      #expect(offsets.count < 2 || offsets[1] == header.offsets.1, "\(place)")
      let codes = try #require(entry["q"] as? [[[Int]]])
      #expect(codes.count == header.points, "\(place)")
      for (point, channels) in codes.enumerated() {
        for (channel, wanted) in channels.enumerated() {
          let found = frame.codes(object: object, point: point, channel: channel)
          #expect(
            wanted == (0..<header.bands).map { Int(found[$0]) },
            "\(place), object \(object), channel \(channel)")
        }
      }
    }
  }

  /// Matrices of the first twelve frames, slot by slot.
  @Test("matrices of the first twelve frames are the model's") func matricesAreThoseOfTheModel()
    throws
  {
    let model = Signals.floats(try JOCOracle.unpacked("sample.matrix.000-011.f32.gz"))
    try #require(model.count == 288 * 15 * 5 * 12)
    var before = MatrixFrame(steepShift: 1)
    var matrix = MatrixFrame(steepShift: 1)
    let firsts = [0, 1, 2, 3, 4, 6, 8, 11, 14, 18, 23, 35]
    var worst: Float = 0
    try JOCOracle.readEach("sample", first: 12) { index, reader in
      (before, matrix) = (matrix, before)
      matrix.set(reader.coefficients, after: before)
      for slot in 0..<24 {
        for object in 0..<15 {
          for channel in 0..<5 {
            for (band, subband) in firsts.enumerated() {
              let place = (((24 * index + slot) * 15 + object) * 5 + channel) * 12 + band
              let found = matrix.coefficient(object, channel, slot: slot, subband: subband)
              worst = max(worst, abs(found - model[place]))
            }
          }
        }
      }
    }
    #expect(worst < 1e-6, "\(worst)")
  }
}
