// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CAllocations
import Foundation
import Platform
import TrueHD

/// Prints what presentations of a raw stream of TrueHD cost: CPU seconds for a minute of sound, best of three, and how many blocks of
/// memory their decoder asks for once the first units are through.
///
/// Usage: TrueHDBench FILE.thd
@main struct TrueHDBench {
  /// Units that may still set memory up: the vectors of a restart interval and of all updates.
  private static let warmUp = 200
  /// Units between two looks at the clock.
  private static let batch = 100
  /// Units of a run at least; the file is repeated.
  private static let count = 20_000

  static func main() throws {
    guard CommandLine.arguments.count == 2 else {
      print("usage: TrueHDBench FILE.thd")
      return
    }
    let units = split([UInt8](try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))))
    var survey = TrueHDSurvey()
    for unit in units.prefix(TrueHDSurvey.units) {
      try unit.withUnsafeBufferPointer { try survey.take($0) }
    }
    for preference in [TrueHDStream.Preference.objects, .bed, .stereo] {
      guard let programme = survey.programme(preference) else {
        print("no TrueHD in \(CommandLine.arguments[1])")
        return
      }
      var best = Double.infinity
      var (allocations, seconds) = (0, 0.0)
      for _ in 0..<3 {
        let found = try run(units, programme)
        best = min(best, found.seconds)
        (allocations, seconds) = (found.allocations, found.length)
      }
      print(
        "presentation \(programme.presentation): \(allocations) allocations, "
          + "\(best * 60 / seconds) CPU seconds a minute, \(seconds / best) times real time")
    }
  }

  /// Decodes all units, over and over.
  private static func run(
    _ units: [[UInt8]], _ programme: TrueHDProgramme
  ) throws -> (seconds: Double, allocations: Int, length: Double) {
    let decoder = TrueHDDecoder(programme)
    let rate = programme.stream.sampleRate
    let block = ProgrammeBlock(Programme(sampleRate: rate, elements: programme.elements))
    var (seconds, allocations) = (0.0, 0)
    for first in stride(from: 0, to: max(count, units.count), by: batch) {
      // Asking for the time takes as long as a unit of two channels.
      let before = (pinna_allocations(), processTime())
      for index in first..<first + batch {
        let place = index % units.count
        if place == 0 { decoder.finish() }
        try units[place].withUnsafeBufferPointer { try decoder.decode($0, into: block) }
      }
      seconds += processTime() - before.1
      if first >= warmUp { allocations += pinna_allocations() - before.0 }
      block.removeAll()
      if decoder.hasEvents { _ = decoder.takeEvents() }
    }
    return (seconds, allocations, Double(decoder.position) / Double(rate))
  }

  private static func split(_ bytes: [UInt8]) -> [[UInt8]] {
    var stream = RawUnits()
    stream.push(bytes)
    stream.finish()
    var units: [[UInt8]] = []
    while case .unit = stream.next() { units.append(stream.withUnit(Array.init)) }
    return units
  }

  private static func processTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
