// SPDX-License-Identifier: Apache-2.0
import Foundation
import Signal
import TestSupport
import Testing

@testable import TrueHD

/// Fields of headers and samples of single units against a trace of another decoder.
@Suite(.tags(.media, .system), .enabled(if: TrueHDOracle.isPresent, "../shared is missing"))
struct TraceTests {
  @Test(
    "blocks have the fields, and presentations the samples, of the trace",
    arguments: [
      ("truehd/streams/01_books.thd", "01_books.units0-0"),
      ("truehd/streams/03_iir.thd", "03_iir.units0-2"),
      ("truehd/streams/04_matrix_31ea.thd", "04_matrix_31ea.units0-1"),
      ("truehd/streams/06_nested_71.thd", "06_nested_71.units0-1"),
      ("truehd/streams/22_atmos_nested.thd", "22_atmos_nested.units5-7"),
      ("truehd/oracle/real/fba_atmos_dimtrim.mlp", "fba_atmos_dimtrim.units0-1"),
    ])
  func unitsAreThoseOfTheTrace(stream: String, trace: String) throws {
    let path = try #require(SharedMedia.beside("truehd/oracle/trace/\(trace).jsonl.gz"))
    let rows = try TrueHDOracle.lines(Tool.run("gzip", ["-dc", path]).output)
    var compared = 0
    _ = try DecodedStream(TrueHDOracle.bytes(stream)) { _, decoder, _ in
      for row in rows where row["unit"] as? Int == decoder.units - 1 {
        if let programme = row["programme"] as? Int {
          try expectSamples(decoder, programme, row)
          compared += 1
        } else if try expectBlock(decoder, row) {
          compared += 1
        }
      }
    }
    #expect(compared >= 2)
  }

  private func expectSamples(
    _ decoder: UnitDecoder, _ programme: Int, _ row: [String: Any]
  ) throws {
    let index = try #require((0..<4).first { decoder.sync.top($0) == programme })
    let wanted = try #require(row["pcm"] as? [[Int]])
    #expect(decoder.channels(index) == wanted.count)
    for (channel, values) in wanted.enumerated() {
      let samples = try #require(decoder.samples(index, channel: channel))
      #expect(values.indices.map { Int(samples[$0]) } == values, "\(row["unit"] ?? "")")
    }
  }

  /// Compares what is in force behind the unit; answers whether the block is the unit's last one.
  private func expectBlock(_ decoder: UnitDecoder, _ row: [String: Any]) throws -> Bool {
    let (at, size) = (row["at"] as? Int ?? 0, row["size"] as? Int ?? 0)
    guard at + size == decoder.sync.unitLength, let index = row["substream"] as? Int else {
      return false
    }
    let substream = decoder.substream(index)
    let header = substream.header
    #expect(substream.blockSize == size && substream.guards == row["guards"] as? Int)
    #expect(String(header.kind.rawValue, radix: 16).uppercased() == row["kind"] as? String)
    let range = [header.firstChannel, header.lastChannel, header.topChannel]
    #expect(range == row["channels"] as? [Int])
    let steps = (0...header.lastChannel).map { substream.steps.base[$0] }
    #expect(steps == row["steps"] as? [Int])
    let shifts = (0..<header.channels).map { substream.outputShifts.base[$0] }
    #expect(shifts == row["out_shift"] as? [Int])
    expectChannels(substream, row)
    try expectMatrices(substream, try #require(row["matrices"] as? [[String: Any]]))
    if let sent = row["header"] as? [String: Any] { expectHeader(header, sent) }
    return true
  }

  private func expectHeader(_ header: RestartHeader, _ sent: [String: Any]) {
    #expect(header.outputTiming == sent["output_timing"] as? Int)
    #expect(header.noiseShift == sent["noise_shift"] as? Int)
    #expect(header.seed == sent["seed"] as? Int && header.losslessCheck == sent["check"] as? Int)
    #expect((0..<header.channels).map(header.place) == sent["assign"] as? [Int])
  }

  private func expectChannels(_ substream: Substream, _ row: [String: Any]) {
    let channels = substream.coded.map { substream.channels.base[$0] }
    #expect(channels.map(\.book) == row["books"] as? [Int])
    #expect(channels.map(\.lowBits) == row["lsbs"] as? [Int])
    #expect(channels.map(\.offset) == row["offsets"] as? [Int])
    let filters = { (first: Int, order: KeyPath<Substream.Channel, Int>) in
      zip(substream.coded, channels).map { index, channel in
        (0..<channel[keyPath: order]).map {
          Int(substream.taps.base[index * Substream.tapStride + first + $0])
        }
      }
    }
    #expect(filters(0, \.firOrder) == row["fir"] as? [[Int]])
    #expect(filters(Substream.firTaps, \.iirOrder) == row["iir"] as? [[Int]])
    #expect(channels.map { [$0.firPrecision, $0.iirPrecision] } == row["q"] as? [[Int]])
  }

  private func expectMatrices(_ substream: Substream, _ rows: [[String: Any]]) throws {
    let set = substream.matrices
    #expect(set.count == rows.count)
    for (index, row) in rows.enumerated() {
      let matrix = set.matrices.base[index]
      let found = [matrix.target, matrix.fraction, matrix.bypass, matrix.dither]
      let wanted = ["target", "frac", "bypass", "scale"].map { row[$0] as? Int }
      #expect(found == wanted)
      let first = index * MatrixSet.columns
      let changes = try #require(row["delta"] as? [Int])
      #expect(changes.indices.map { Int(set.changes.base[first + $0]) } == changes)
      // Behind the unit, coefficients have moved on by their changes.
      let coefficients = try #require(row["coef"] as? [Int])
      let reached = zip(coefficients, changes).map { $0 + $1 }
      #expect(reached.indices.map { Int(set.coefficients.base[first + $0]) } == reached)
    }
  }
}
