// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import AC4

/// The subband groups of A-SPX, by the steps of TS 103 190-1, 5.7.6.3.1, one after the other.
struct SlowBands {
  var master: [Int] = []
  var high: [Int] = []
  var low: [Int] = []
  var noise: [Int] = []
  var patches: [(start: Int, count: Int)] = []
  var limiter: [Int] = []

  init?(_ configuration: ASPXConfiguration, _ offset: Int, goal: Int) {
    let lowTemplate = Array(10...20) + [22, 24, 26, 28, 30, 32, 35, 38, 42, 46]
    let highTemplate =
      Array(18...24) + [26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 47, 50, 53, 56, 59, 62]
    let template = configuration.isHighTemplate ? highTemplate : lowTemplate
    let masterCount =
      (configuration.isHighTemplate ? 22 : 20) - 2 * configuration.start - 2 * configuration.stop
    guard offset < masterCount else { return nil }
    for index in 0...masterCount { master.append(template[2 * configuration.start + index]) }
    for index in 0...masterCount - offset { high.append(master[offset + index]) }
    let highCount = high.count - 1
    let lowCount = highCount - highCount / 2
    low = [high[0]]
    for index in 1...lowCount {
      low.append(highCount % 2 == 0 ? high[2 * index] : high[2 * index - 1])
    }
    let octaves = log2(Double(high[highCount]) / Double(high[0]))
    let noiseCount = max(1, Int(floor(Double(configuration.noiseGroups) * octaves + 0.5)))
    guard noiseCount <= 5, noiseCount <= lowCount else { return nil }
    noise = [low[0]]
    var index = 0
    for group in 1...noiseCount {
      index += (lowCount - index) / (noiseCount + 1 - group)
      noise.append(low[index])
    }
    guard makePatches(configuration.isHighTemplate ? 4 : 2, goal) else { return nil }
    makeLimiter()
  }

  private mutating func makePatches(_ lowEdge: Int, _ goal: Int) -> Bool {
    let sba = master[0]
    let sbz = master[master.count - 1]
    var sbg = master.count - 1
    if goal < sbz { sbg = master.filter { $0 < goal }.count }
    var msb = sba
    var usb = high[0]
    for _ in 0..<20 {
      var j = sbg
      var sb = master[j]
      var odd = (sb - 2 + sba) % 2
      while sb > sba - lowEdge + msb - odd {
        j -= 1
        if j < 0 { return false }
        sb = master[j]
        odd = (sb - 2 + sba) % 2
      }
      let count = max(sb - usb, 0)
      if count > 0 {
        patches.append((sba - odd - count, count))
        usb = sb
        msb = sb
      } else {
        msb = high[0]
      }
      if master[sbg] - sb < 3 { sbg = master.count - 1 }
      if sb == sbz {
        if patches.count > 1, patches[patches.count - 1].count < 3 { patches.removeLast() }
        return true
      }
    }
    return false
  }

  private mutating func makeLimiter() {
    var patchBorders = [high[0]]
    for patch in patches { patchBorders.append(patchBorders[patchBorders.count - 1] + patch.count) }
    limiter = (low + patchBorders.dropFirst().dropLast()).sorted()
    let end = low[low.count - 1]
    var index = 1
    while index < limiter.count {
      let here = limiter[index]
      let before = limiter[index - 1]
      if log2(Double(here) / Double(before)) >= 0.245 {
        index += 1
      } else if here == before || (!patchBorders.contains(here) && here != end) {
        limiter.remove(at: index)
      } else if patchBorders.contains(before) {
        index += 1
      } else {
        limiter.remove(at: index - 1)
      }
    }
  }
}
