// SPDX-License-Identifier: Apache-2.0
import Foundation
import Platform
import TestSupport
import Testing

@testable import TrueHD

/// Streams with what a decoder has to make of them; beside the checkout, not part of it.
enum TrueHDOracle {
  static var isPresent: Bool { SharedMedia.beside("truehd/streams") != nil }

  /// Raw streams, synthetic and real ones, without their folder.
  static let streams: [String] = ["truehd/streams", "truehd/oracle/real"].flatMap { folder in
    let names = SharedMedia.beside(folder).flatMap {
      try? FileManager.default.contentsOfDirectory(atPath: $0)
    }
    return (names ?? []).filter { $0.hasSuffix(".thd") || $0.hasSuffix(".mlp") }
      .map { "\(folder)/\($0)" }.sorted()
  }

  /// Streams with metadata of objects.
  static let withMetadata = streams.filter {
    SharedMedia.beside(($0 as NSString).deletingPathExtension + ".oamd.jsonl") != nil
  }

  static func data(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: try #require(SharedMedia.beside(name))))
  }

  /// The bytes of a stream by its whole name, or by the short one of a synthetic stream.
  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try data(name.contains("/") ? name : "truehd/streams/\(name).thd"))
  }

  /// The facts of a stream.
  static func facts(_ name: String) throws -> [String: Any] {
    let path = (name as NSString).deletingPathExtension + ".json"
    let facts = try JSONSerialization.jsonObject(with: data(path)) as? [String: Any]
    return try #require(facts)
  }

  /// Lines of text, each a JSON object.
  static func lines(_ data: Data) throws -> [[String: Any]] {
    try data.split(separator: UInt8(ascii: "\n")).map { line in
      try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] ?? [:]
    }
  }

  /// The units of a raw stream.
  static func units(_ bytes: [UInt8]) -> [[UInt8]] {
    var stream = RawUnits()
    stream.push(bytes)
    stream.finish()
    var units: [[UInt8]] = []
    while let item = stream.next() {
      if case .unit = item { units.append(stream.withUnit(Array.init)) }
    }
    return units
  }
}

/// A raw stream, decoded to several presentations.
struct DecodedStream {
  /// Digest of each presentation's samples: 24 bits, the lowest byte first, channels in the stream's order.
  var digests: [Int: String] = [:]
  /// Events as one line each; reasons are left out.
  var events: [String] = []
  var counts: [Int: TrueHDCounts] = [:]
  var channels: [Int: Int] = [:]
  var samples: Int64 = 0
  var units = 0
  var sync: MajorSync?
  var controls: [RangeControl?] = []

  /// Decodes `bytes`.
  /// - Parameters:
  ///   - wanted: presentations; `nil` for all.
  ///   - visit: sees each unit behind its decoding, with the first of its samples; `nil` where the unit is dropped.
  init(
    _ bytes: [UInt8], wanted: [Int]? = nil, piece: Int = .max,
    visit: (UnsafeBufferPointer<UInt8>, UnitDecoder, Int64?) throws -> Void = { _, _, _ in }
  ) throws {
    var stream = RawUnits()
    var decoder: UnitDecoder?
    var outputs: [Int: Interleaver] = [:]
    var place = 0
    reading: while true {
      guard let item = stream.next() else {
        guard place < bytes.count else { break }
        let end = min(bytes.count, place + min(piece, bytes.count))
        stream.push(bytes[place..<end])
        place = end
        if place == bytes.count { stream.finish() }
        continue
      }
      switch item {
      case .rest(let count):
        events.append("trailing_bytes \(count) at \(units) \(samples)")
      case .unit(_, let skipped):
        do {
          try stream.withUnit { unit in
            if decoder == nil {
              let stream = try TrueHDStream(firstUnit: unit)
              let all = stream.presentations.map(\.index)
              decoder = UnitDecoder(stream.sync, presentations: wanted ?? all)
              for index in wanted ?? all { outputs[index] = Interleaver() }
            }
            guard let decoder else { return }
            if skipped > 0 { decoder.skip(bytes: skipped) }
            let outcome = try decoder.decode(unit)
            for index in outputs.keys { outputs[index]?.add(decoder, index, outcome) }
            (units, samples) = (decoder.units, decoder.position)
            let first = decoder.position - Int64(outcome.samples)
            try visit(unit, decoder, outcome.isDuplicate ? nil : first)
            events += decoder.takeEvents().map(DecodedStream.line)
          }
        } catch let error as TrueHDError {
          events += decoder?.takeEvents().map(DecodedStream.line) ?? []
          guard case .refused = error else { throw error }
          events.append("refused at \(units) \(samples)")
          break reading
        }
      }
    }
    guard let decoder else { return }
    (sync, controls) = (decoder.sync, decoder.controls)
    for (index, output) in outputs {
      digests[index] = output.digest.hexadecimal
      counts[index] = decoder.counts(index)
      channels[index] = decoder.channels(index)
    }
  }

  /// An event as a line; what is only for people is left out.
  static func line(_ event: TrueHDEvent) -> String {
    let text =
      switch event.kind {
      case .seam(let step, let timing): "seam \(step) \(timing)"
      case .duplicate: "duplicate"
      case .end(let zeros): "end \(zeros)"
      case .segmentLost(let substream, _): "segment_lost \(substream)"
      case .unitLost: "unit_lost"
      case .timingBreak(let step): "timing_break \(step)"
      case .bytesSkipped(let count): "bytes_skipped \(count)"
      case .gap(let samples): "gap \(samples)"
      case .gapUnknown(let step): "gap_unknown \(step)"
      case .losslessMismatch(let substream): "lossless_mismatch \(substream)"
      case .wide(let substream): "wide \(substream)"
      case .metadataLost: "metadata_lost"
      }
    return "\(text) at \(event.unit) \(event.sample)"
  }

  /// An event of a stream's facts as such a line.
  static func line(_ fact: [String: Any]) -> String {
    let values = ["step", "output_timing", "zeros", "substream", "bytes", "samples"]
      .compactMap { fact[$0] as? Int }.map { " \($0)" }.joined()
    let name = fact["event"] as? String ?? ""
    return "\(name)\(values) at \(fact["unit"] as? Int ?? -1) \(fact["sample"] as? Int ?? -1)"
  }
}

/// Puts samples of a presentation into a digest.
private struct Interleaver {
  private(set) var digest = Digest(.sha256)
  private var bytes: [UInt8] = []

  mutating func add(_ decoder: UnitDecoder, _ index: Int, _ outcome: UnitDecoder.Outcome) {
    let channels = decoder.channels(index)
    bytes.removeAll(keepingCapacity: true)
    bytes.append(
      contentsOf: repeatElement(0, count: 3 * channels * (outcome.gap + outcome.samples)))
    let first = 3 * channels * outcome.gap
    bytes.withUnsafeMutableBufferPointer { bytes in
      for channel in 0..<channels {
        guard let samples = decoder.samples(index, channel: channel) else { continue }
        var place = first + 3 * channel
        for sample in 0..<outcome.samples {
          let value = UInt32(bitPattern: samples[sample])
          bytes[place] = UInt8(truncatingIfNeeded: value)
          bytes[place &+ 1] = UInt8(truncatingIfNeeded: value &>> 8)
          bytes[place &+ 2] = UInt8(truncatingIfNeeded: value &>> 16)
          place &+= 3 &* channels
        }
      }
    }
    digest.update(bytes)
  }
}
