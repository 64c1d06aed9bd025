// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import AC4

/// Levels of spectral extension against plain code in double precision.
@Suite struct LevelTests {
  /// Quantised levels by the steps of TS 103 190-1, 5.7.6.3.4.
  private struct SlowLevels {
    var last: [Int] = []
    var lastHigh = false
    var lastNoise: [Int] = []

    mutating func decode(_ channel: ASPXChannel, _ bands: ASPXBands, _ step: Int) -> (
      signal: [[Int]], noise: [[Int]]
    ) {
      var signal: [[Int]] = []
      for envelope in 0..<channel.framing.envelopes {
        let isHigh = channel.framing.isHigh(envelope)
        let borders = isHigh ? bands.signalHigh : bands.signalLow
        var levels: [Int] = []
        for group in 0..<borders.count - 1 {
          let value = step * Int(channel.signal.base[envelope * ASPXChannel.rowLength + group])
          guard channel.signalOverTime >> UInt8(envelope) & 1 == 1 else {
            levels.append((levels.last ?? 0) + value)
            continue
          }
          var place = group
          if isHigh, !lastHigh {
            place =
              (0..<bands.signalLow.count - 1).last { bands.signalLow[$0] <= borders[group] } ?? 0
          } else if !isHigh, lastHigh {
            place = bands.signalHigh.firstIndex(of: borders[group]) ?? 0
          }
          levels.append((place < last.count ? last[place] : 0) + value)
        }
        signal.append(levels)
        last = levels
        lastHigh = isHigh
      }
      var noise: [[Int]] = []
      for envelope in 0..<channel.framing.noiseEnvelopes {
        var levels: [Int] = []
        for group in 0..<bands.noiseCount {
          let value = step * Int(channel.noise.base[envelope * ASPXChannel.rowLength + group])
          if channel.noiseOverTime >> UInt8(envelope) & 1 == 1 {
            levels.append((group < lastNoise.count ? lastNoise[group] : 0) + value)
          } else {
            levels.append((levels.last ?? 0) + value)
          }
        }
        noise.append(levels)
        lastNoise = levels
      }
      return (signal, noise)
    }
  }

  private static func channel(_ noise: inout SeededNoise) -> ASPXChannel {
    let channel = ASPXChannel()
    channel.framing = ASPXFraming(whole: 16)
    channel.framing.envelopes = Int.random(in: 1...5, using: &noise)
    channel.framing.noiseEnvelopes = channel.framing.envelopes > 1 ? 2 : 1
    channel.framing.highResolution = UInt8.random(in: 0...255, using: &noise)
    channel.isCoarse = Bool.random(using: &noise)
    channel.signalOverTime = UInt8.random(in: 0...255, using: &noise)
    channel.noiseOverTime = UInt8.random(in: 0...255, using: &noise)
    for place in 0..<channel.signal.count {
      channel.signal.base[place] = Int16.random(in: -4...4, using: &noise)
    }
    for place in 0..<channel.noise.count {
      channel.noise.base[place] = Int16.random(in: -3...3, using: &noise)
    }
    return channel
  }

  private static func bands(_ noise: inout SeededNoise) throws -> ASPXBands {
    var settings = ASPXConfiguration()
    settings.isHighTemplate = Bool.random(using: &noise)
    settings.start = Int.random(in: 0...3, using: &noise)
    settings.noiseGroups = 2
    return try ASPXBands(
      settings, offset: Int.random(in: 0...5, using: &noise), is48kHz: true)
  }

  @Test("A-SPX levels of one channel are decoded as coded") func levelsOfOneChannel() throws {
    var noise = SeededNoise(seed: 41)
    for _ in 0..<100 {
      let bands = try LevelTests.bands(&noise)
      let levels = ASPXLevels()
      var slow = SlowLevels()
      for _ in 0..<4 {
        let channel = LevelTests.channel(&noise)
        let wanted = slow.decode(channel, bands, 1)
        levels.decode(channel, bands, isBalance: false)
        levels.dequantise(channel, bands)
        let scale = channel.isCoarse ? 1.0 : 2
        for (envelope, row) in wanted.signal.enumerated() {
          var energies = row.map { 64 * pow(2, Double($0) / scale) }
          let alongFrequency = channel.signalOverTime >> UInt8(envelope) & 1 == 0
          if alongFrequency, row.count > 1, row[0] == 0, row[1] < 0 { energies[0] = energies[1] }
          for (group, energy) in energies.enumerated() {
            let found = levels.signal.base[envelope * ASPXLevels.rowLength + group]
            #expect(abs(Double(found) / energy - 1) < 1e-5)
          }
        }
        for (envelope, row) in wanted.noise.enumerated() {
          for (group, step) in row.enumerated() {
            let found = levels.noise.base[envelope * ASPXLevels.rowLength + group]
            #expect(abs(Double(found) / pow(2, 6 - Double(step)) - 1) < 1e-5)
          }
        }
      }
    }
  }

  /// Balances: both channels together hold twice the total's energy, shared by the balance.
  @Test("A-SPX levels of a balanced pair share the total's energy") func levelsOfABalancedPair()
    throws
  {
    var noise = SeededNoise(seed: 43)
    for _ in 0..<100 {
      let bands = try LevelTests.bands(&noise)
      let levels = [ASPXLevels(), ASPXLevels()]
      var slow = [SlowLevels(), SlowLevels()]
      let channels = [LevelTests.channel(&noise), LevelTests.channel(&noise)]
      channels[1].framing = channels[0].framing
      channels[1].isCoarse = channels[0].isCoarse
      let total = slow[0].decode(channels[0], bands, 1)
      let balance = slow[1].decode(channels[1], bands, 2)
      levels[0].decode(channels[0], bands, isBalance: false)
      levels[1].decode(channels[1], bands, isBalance: true)
      levels[0].dequantise(channels[0], bands, balanced: levels[1])
      let scale = channels[0].isCoarse ? 1.0 : 2
      for (envelope, row) in total.signal.enumerated() {
        for (group, step) in row.enumerated() {
          let sum = 64 * pow(2, Double(step) / scale + 1)
          let share = pow(2, Double(balance.signal[envelope][group]) / scale - 12)
          let place = envelope * ASPXLevels.rowLength + group
          let left = Double(levels[0].signal.base[place])
          let right = Double(levels[1].signal.base[place])
          #expect(abs((left + right) / sum - 1) < 1e-5)
          #expect(abs(left / right / share - 1) < 1e-4)
        }
      }
      for (envelope, row) in total.noise.enumerated() {
        for (group, step) in row.enumerated() {
          let sum = pow(2, 7 - Double(step))
          let share = pow(2, Double(balance.noise[envelope][group]) - 12)
          let place = envelope * ASPXLevels.rowLength + group
          let left = Double(levels[0].noise.base[place])
          let right = Double(levels[1].noise.base[place])
          #expect(abs((left + right) / sum - 1) < 1e-5)
          #expect(abs(left / right / share - 1) < 1e-4)
        }
      }
    }
  }
}
