// SPDX-License-Identifier: Apache-2.0
import AC4
import AudioCore
import CAllocations
import Foundation

import Platform

/// Prints what decoding costs: CPU seconds for a minute of an AC-4 elementary stream, best of three, and
/// how many blocks of memory the decoder asks for once the first frames are through.
///
/// Usage: AC4Bench FILE.ac4
@main struct AC4Bench {
  static func main() throws {
    guard CommandLine.arguments.count == 2 else {
      print("usage: AC4Bench FILE.ac4")
      return
    }
    let file = URL(fileURLWithPath: CommandLine.arguments[1])
    var scanner = AC4FrameScanner()
    scanner.push(try Data(contentsOf: file))
    scanner.finish()
    var frames: [[UInt8]] = []
    while let frame = scanner.next() { frames.append(frame.rawFrame) }
    guard let first = frames.first else { return }
    var best = Double.infinity
    var seconds = 0.0
    var allocations = 0
    var initial = 0
    for _ in 0..<3 {
      initial = pinna_allocations()
      allocations = 0
      let decoder = try AC4Decoder(rawFrame: first)
      let rate = decoder.format.sampleRate
      let output = ProgrammeBlock(
        Programme(sampleRate: rate, elements: decoder.elements), capacity: 8192)
      var samples = 0
      var spent = 0.0
      for (number, frame) in frames.enumerated() {
        if number == warmUp { initial = pinna_allocations() - initial }
        // The use of the block isn't the decoder's cost.
        let before = (pinna_allocations(), processTime())
        try decoder.decode(rawFrame: frame, into: output)
        spent += processTime() - before.1
        if number >= warmUp { allocations += pinna_allocations() - before.0 }
        samples += output.frames
        output.removeAll()
      }
      decoder.flush(into: output)
      samples += output.frames
      seconds = Double(samples) / Double(rate)
      best = min(best, spent)
    }
    print(
      "\(allocations) allocations in \(max(0, frames.count - warmUp)) frames, \(initial) before")
    print("\(best * 60 / seconds) CPU seconds a minute, \(seconds / best) times real time")
  }

  /// Frames that may still set memory up.
  private static let warmUp = 8

  private static func processTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
