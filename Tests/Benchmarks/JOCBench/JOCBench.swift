// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CAllocations
import Foundation
import JOC
import Platform

/// Prints what the objects of E-AC-3 cost beside the decoder of their downmix: CPU seconds for a minute of sound,
/// best of three, and how many blocks of memory their decoder asks for once the first access units are through.
/// Noise stands for the downmix, because the cost doesn't depend on its samples.
///
/// Usage: JOCBench FILE.ec3
@main struct JOCBench {
  /// Units that may still set memory up.
  private static let warmUp = 8
  /// Units of a run; those of the file are repeated.
  private static let count = 2_000

  static func main() throws {
    guard CommandLine.arguments.count == 2 else {
      print("usage: JOCBench FILE.ec3")
      return
    }
    let units = split(
      [UInt8](try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))))
    var survey = JOCSurvey()
    for unit in units.prefix(JOCSurvey.units) { unit.withUnsafeBufferPointer { survey.take($0) } }
    guard let layout = ChannelLayout(name: "5.1(side)"),
      let programme = survey.programme?.including(layout)
    else {
      print("no objects in \(CommandLine.arguments[1])")
      return
    }
    var best = Double.infinity
    var allocations = 0
    for _ in 0..<3 {
      let found = try run(units, programme, layout)
      best = min(best, found.seconds)
      allocations = found.allocations
    }
    let seconds = Double(count * JOCDecoder.frame) / 48_000
    print("\(allocations) allocations in \(count - warmUp) units")
    print("\(best * 60 / seconds) CPU seconds a minute, \(seconds / best) times real time")
  }

  /// Decodes all units.
  private static func run(
    _ units: [[UInt8]], _ programme: JOCProgramme, _ layout: ChannelLayout
  ) throws -> (seconds: Double, allocations: Int) {
    let decoder = try JOCDecoder(programme, downmix: layout, sampleRate: 48_000)
    let block = ProgrammeBlock(Programme(sampleRate: 48_000, elements: programme.elements))
    let downmix = noise(channels: layout.count)
    var (seconds, allocations) = (0.0, 0)
    for index in 0..<count {
      block.removeAll()
      let before = (pinna_allocations(), processTime())
      try units[index % units.count].withUnsafeBufferPointer {
        try decoder.decode($0, downmix, into: block)
      }
      seconds += processTime() - before.1
      if index >= warmUp { allocations += pinna_allocations() - before.0 }
    }
    return (seconds, allocations)
  }

  private static func noise(channels: Int) -> AudioBuffer {
    let buffer = AudioBuffer(channels: channels, capacity: JOCDecoder.frame)
    buffer.grow(by: JOCDecoder.frame)
    var state: UInt32 = 1
    for channel in 0..<channels {
      let plane = buffer.channel(channel)
      for sample in plane.indices {
        state = state &* 1_664_525 &+ 1_013_904_223
        plane[sample] = Float(Int32(bitPattern: state)) / 4e9
      }
    }
    return buffer
  }

  /// The frames of a stream with one frame in each access unit.
  private static func split(_ bytes: [UInt8]) -> [[UInt8]] {
    var units: [[UInt8]] = []
    var place = 0
    while place + 6 < bytes.count, bytes[place] == 0x0B, bytes[place + 1] == 0x77 {
      let size = 2 * ((Int(bytes[place + 2] & 7) << 8 | Int(bytes[place + 3])) + 1)
      guard place + size <= bytes.count else { break }
      units.append(Array(bytes[place..<place + size]))
      place += size
    }
    return units
  }

  private static func processTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
