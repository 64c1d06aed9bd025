// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import TrueHD

/// The extent of a loss: what is lost, until when, and what is told of it.
@Suite(.tags(.media), .enabled(if: TrueHDOracle.isPresent, "../shared is missing"))
struct DamageTests {
  /// Samples of a stream's presentations, channel after channel.
  private struct Samples {
    var planes: [Int: [[Int32]]] = [:]
    let decoded: DecodedStream

    init(_ bytes: [UInt8]) throws {
      var planes: [Int: [[Int32]]] = [:]
      decoded = try DecodedStream(bytes) { _, decoder, first in
        guard let first else { return }
        for index in 0..<4 where decoder.sync.masks[index] != 0 {
          let count = decoder.channels(index)
          var all = planes[index] ?? Array(repeating: [], count: count)
          for channel in all.indices {
            let silence = Int(first) - all[channel].count
            all[channel] += Array(repeating: 0, count: silence)
            let length = Int(decoder.position - first)
            if let samples = decoder.samples(index, channel: channel) {
              all[channel] += UnsafeBufferPointer(start: samples, count: length)
            } else {
              all[channel] += Array(repeating: 0, count: length)
            }
          }
          planes[index] = all
        }
      }
      self.planes = planes
    }
  }

  /// Three presentations for themselves, with a major sync in every eighth unit or so.
  private struct Subject {
    let units = TrueHDOracle.units((try? TrueHDOracle.bytes("07_independent_71")) ?? [])
    var syncs: [Int] {
      units.indices.filter { index in
        units[index].withUnsafeBufferPointer {
          MajorSync.begins(UnsafeBufferPointer(rebasing: $0[4...]))
        }
      }
    }

    /// Unit behind the second major sync, and the next major sync.
    func hit() throws -> (unit: Int, restart: Int) {
      let syncs = syncs
      try #require(syncs.count > 2)
      return (syncs[1] + 1, syncs[2])
    }
  }

  @Test(
    "a damaged segment silences its presentations up to the next restart header, and no other",
    arguments: [0, 1, 2])
  func segmentsAreLostAlone(substream: Int) throws {
    let subject = Subject()
    let (unit, restart) = try subject.hit()
    var units = subject.units
    let parts = try units[unit].withUnsafeBufferPointer {
      try AccessUnit($0, substreams: 3, UnitChecks())
    }
    units[unit][parts.segment(substream).lowerBound + 5] ^= 0x10
    let whole = try Samples(subject.units.flatMap { $0 })
    let found = try Samples(units.flatMap { $0 })
    #expect(found.decoded.events.first == "segment_lost \(substream) at \(unit) \(unit * 40)")
    #expect(found.decoded.events.dropFirst() == whole.decoded.events[...])
    for index in 0..<3 {
      var wanted = try #require(whole.planes[index])
      if index == substream {
        for channel in wanted.indices {
          let range = unit * 40..<restart * 40
          wanted[channel].replaceSubrange(range, with: Array(repeating: 0, count: range.count))
        }
      }
      #expect(found.planes[index] == wanted, "presentation \(index)")
      let silent = index == substream ? (restart - unit) * 40 : 0
      #expect(found.decoded.counts[index]?.concealed == Int64(silent))
    }
  }

  @Test("a raw stream with bytes that are no unit keeps its length, and tells the gap")
  func gapsAreFilled() throws {
    let subject = Subject()
    let (unit, restart) = try subject.hit()
    var units = subject.units
    units[unit] = Array(repeating: 0, count: units[unit].count)
    let whole = try Samples(subject.units.flatMap { $0 })
    let found = try Samples(units.flatMap { $0 })
    let bytes = subject.units[unit..<restart].reduce(0) { $0 + $1.count }
    let place = "at \(unit) \(unit * 40)"
    let gap = (restart - unit) * 40
    #expect(
      found.decoded.events.prefix(2) == ["bytes_skipped \(bytes) \(place)", "gap \(gap) \(place)"])
    #expect(found.decoded.samples == whole.decoded.samples)
    let wanted = try #require(whole.planes[2])
    for (channel, plane) in try #require(found.planes[2]).enumerated() {
      #expect(plane[(restart * 40)...] == wanted[channel][(restart * 40)...])
      #expect(plane[(unit * 40)..<(restart * 40)].allSatisfy { $0 == 0 })
    }
  }

  @Test("a gap that isn't a number of units is told, and nothing stands for it")
  func unknownGapsAreTold() throws {
    let subject = Subject()
    let (unit, restart) = try subject.hit()
    var units = subject.units
    units[unit] = Array(repeating: 0, count: units[unit].count)
    let parts = try units[restart].withUnsafeBufferPointer {
      try AccessUnit($0, substreams: 3, UnitChecks())
    }
    // The lowest bit of the output timing lies 29 bits behind the two flags of the first block.
    for substream in 0..<3 {
      let bit = 8 * parts.segment(substream).lowerBound + 2 + 29
      units[restart][bit / 8] ^= 0x80 >> UInt8(bit % 8)
    }
    let tail = RepairedStream(units[restart...].flatMap { $0 }).stream
    let found = try Samples(units[..<restart].flatMap { $0 } + tail)
    let events = found.decoded.events
    #expect(events.count > 1 && events[1].hasPrefix("gap_unknown"), "\(events)")
    #expect(found.decoded.samples == Int64((subject.units.count - restart + unit) * 40))
  }

  @Test("a lost packet is a unit of silence, and its substreams wait for restart headers")
  func lostPacketsAreSilent() throws {
    let subject = Subject()
    let (unit, restart) = try subject.hit()
    var survey = TrueHDSurvey()
    try subject.units[0].withUnsafeBufferPointer { try survey.take($0) }
    let decoder = TrueHDDecoder(try #require(survey.programme(.bed)))
    let block = ProgrammeBlock(
      Programme(sampleRate: 48_000, elements: decoder.programme.elements))
    for (index, bytes) in subject.units.enumerated() {
      switch index {
      case unit: decoder.loseUnit(into: block)
      // A packet that is cut is lost, too.
      case unit + 1:
        try bytes.dropLast(10).withUnsafeBufferPointer { try decoder.decode($0, into: block) }
      default: try bytes.withUnsafeBufferPointer { try decoder.decode($0, into: block) }
      }
    }
    let lines = decoder.takeEvents().map(DecodedStream.line)
    #expect(
      lines.prefix(2) == [
        "unit_lost at \(unit) \(unit * 40)", "unit_lost at \(unit + 1) \(unit * 40 + 40)",
      ])
    #expect(block.frames == subject.units.count * 40)
    #expect(decoder.counts.concealed == Int64((restart - unit) * 40))
    #expect(decoder.counts.wrongChecks == 0)
  }

  @Test("a lossless check that is wrong is told, and the sound is kept")
  func wrongChecksAreTold() throws {
    let subject = Subject()
    let sync = subject.syncs[1]
    var units = subject.units
    let parts = try units[sync].withUnsafeBufferPointer {
      try AccessUnit($0, substreams: 3, UnitChecks())
    }
    // The check lies 89 bits behind the two flags of the first block.
    let bit = 8 * parts.segment(1).lowerBound + 2 + 89
    units[sync][bit / 8] ^= 0x80 >> UInt8(bit % 8)
    let found = try Samples(RepairedStream(units.flatMap { $0 }).stream)
    let whole = try Samples(subject.units.flatMap { $0 })
    #expect(found.planes == whole.planes)
    #expect(found.decoded.events.first == "lossless_mismatch 1 at \(sync) \(sync * 40)")
    #expect(found.decoded.counts[1]?.wrongChecks == 1 && found.decoded.counts[2]?.wrongChecks == 0)
  }

  @Test("a raw stream may begin and end inside a unit")
  func streamsMayBeCut() throws {
    let subject = Subject()
    let sync = subject.syncs[1]
    let whole = try Samples(subject.units.flatMap { $0 })
    let late = try Samples(
      Array(subject.units.flatMap { $0 }.dropFirst(subject.units[0].count / 2)))
    #expect(late.decoded.events.first?.hasPrefix("bytes_skipped") == true)
    for (channel, plane) in try #require(whole.planes[1]).enumerated() {
      #expect(late.planes[1]?[channel][...] == plane[(sync * 40)...])
    }
    let early = try Samples(Array(subject.units.flatMap { $0 }.dropLast(7)))
    let left = (subject.units.last?.count ?? 0) - 7
    let count = subject.units.count - 1
    #expect(early.decoded.events == ["trailing_bytes \(left) at \(count) \(count * 40)"])
  }

  @Test("time stamps before units are passed over")
  func timeStampsArePassedOver() throws {
    let subject = Subject()
    let stamp: [UInt8] = [1, 0x10] + Array(repeating: 0, count: 12) + [0x80, 0]
    let sync = subject.syncs[1]
    var units = subject.units
    units[sync] = stamp + units[sync]
    let (found, whole) = (
      try Samples(units.flatMap { $0 }), try Samples(subject.units.flatMap { $0 })
    )
    #expect(found.planes == whole.planes)
    #expect(found.decoded.events.first == "bytes_skipped 16 at \(sync) \(sync * 40)")
  }

  @Test("a stream that changes its form is refused from there")
  func changesAreRefused() throws {
    let first = try TrueHDOracle.bytes("01_books")
    let found = try DecodedStream(first + TrueHDOracle.bytes("12_rate_96k"))
    #expect(found.events.last == "refused at 100 4000" && found.samples == 4000)
  }
}
