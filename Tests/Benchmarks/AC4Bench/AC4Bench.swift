import AC4
import AudioCore
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Prints what decoding costs: CPU seconds for a minute of an AC-4 elementary stream, best of three.
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
    for _ in 0..<3 {
      let decoder = try AC4Decoder(rawFrame: first)
      let output = AudioBuffer(channels: decoder.format.channels, capacity: 8192)
      var samples = 0
      let start = processTime()
      for frame in frames {
        try decoder.decode(rawFrame: frame, into: output)
        samples += output.frames
        output.removeAll()
      }
      decoder.flush(into: output)
      samples += output.frames
      seconds = Double(samples) / Double(decoder.format.sampleRate)
      best = min(best, processTime() - start)
    }
    print("\(best * 60 / seconds) CPU seconds a minute, \(seconds / best) times real time")
  }

  private static func processTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
