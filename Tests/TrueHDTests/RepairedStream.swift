// SPDX-License-Identifier: Apache-2.0

/// A raw stream whose checks are made right again behind changes, so that changes reach what the checks protect.
struct RepairedStream {
  /// The stream with right checks, as far as its units can be found by their lengths.
  private(set) var stream: [UInt8]
  private var substreams = 0

  /// Repairs `bytes`.
  init(_ bytes: [UInt8]) {
    stream = bytes
    var place = 0
    while place + 8 <= stream.count {
      let size = 2 * (number(place, 2) & 0xFFF)
      guard size >= 8, place + size <= stream.count else { break }
      repair(place..<place + size)
      place += size
    }
  }

  private func number(_ first: Int, _ count: Int) -> Int {
    (first..<first + count).reduce(0) { $0 << 8 | Int(stream[$1]) }
  }

  private mutating func repair(_ unit: Range<Int>) {
    var place = unit.lowerBound + 4
    if number(place, 4) & ~1 == 0xF872_6FBA {
      let isLong = stream[place + 3] == 0xBA && unit.count >= 32 && stream[place + 25] & 1 == 1
      let length = isLong ? 30 + 2 * Int(stream[place + 26] >> 4) : 28
      guard place + length <= unit.upperBound else { return }
      let sum = remainder(8 * place, 8 * (length - 2), width: 16, 0x2D, start: 0)
      (stream[place + length - 2], stream[place + length - 1]) = (
        UInt8(sum >> 8), UInt8(sum & 0xFF)
      )
      substreams = Int(stream[place + 16] >> 4)
      place += length
    }
    let first = place
    var ends: [(Int, isChecked: Bool)] = []
    for _ in 0..<substreams {
      guard place + 4 <= unit.upperBound else { return }
      let word = number(place, 2)
      ends.append((word & 0xFFF, word & 0x2000 != 0))
      place += word & 0x8000 != 0 ? 4 : 2
    }
    repairHead(unit.lowerBound, directory: first..<place)
    var last = place
    for (end, isChecked) in ends {
      let end = place + 2 * end
      guard end >= last, end <= unit.upperBound else { return }
      repairSegment(last..<end, isChecked: isChecked)
      last = end
    }
  }

  private mutating func repairHead(_ start: Int, directory: Range<Int>) {
    stream[start] &= 0x0F
    let all = Array(start..<start + 4) + Array(directory)
    let sum = all.reduce(0) { $0 ^ stream[$1] }
    stream[start] |= (0xF ^ sum >> 4 ^ sum & 0xF) << 4
  }

  private mutating func repairSegment(_ range: Range<Int>, isChecked: Bool) {
    guard range.count >= 24 else { return }
    let start = 8 * range.lowerBound
    if stream[range.lowerBound] >> 6 == 3 {
      // A restart header: 38 bits before the last matrix channel, 71 behind it, then the order of channels.
      let count = 38 + 4 + 71 + 6 * (field(start + 2 + 38, 4) + 1)
      if start + 2 + count + 8 <= 8 * range.upperBound {
        let sum = remainder(start + 2, count, width: 8, 0x1D, start: 0)
        for bit in 0..<8 { set(start + 2 + count + bit, sum >> (7 - bit) & 1) }
      }
    }
    guard isChecked else { return }
    let body = range.lowerBound..<range.upperBound - 2
    stream[range.upperBound - 2] = body.reduce(0xA9) { $0 ^ stream[$1] }
    let sum = remainder(start, 8 * body.count, width: 8, 0x63, start: 0xA2)
    stream[range.upperBound - 1] = UInt8(sum)
  }

  private func field(_ first: Int, _ count: Int) -> Int {
    (first..<first + count).reduce(0) { $0 << 1 | bit($1) }
  }

  private func bit(_ place: Int) -> Int { Int(stream[place / 8] >> UInt8(7 - place % 8)) & 1 }

  private mutating func set(_ place: Int, _ bit: Int) {
    let mask = UInt8(0x80) >> UInt8(place % 8)
    stream[place / 8] = stream[place / 8] & ~mask | (bit == 1 ? mask : 0)
  }

  private func remainder(_ first: Int, _ count: Int, width: Int, _ polynomial: Int, start: Int)
    -> Int
  {
    (first..<first + count).reduce(start) { sum, place in
      let next = sum << 1 | bit(place)
      return next >> width == 1 ? next ^ 1 << width ^ polynomial : next
    }
  }
}
