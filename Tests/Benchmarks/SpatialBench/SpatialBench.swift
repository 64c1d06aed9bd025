// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Spatial

/// Prints what the binaural stage alone costs: CPU seconds for ten minutes at 48 kHz, one line a
/// layout, and those until the stage for 5.1 is ready (`start-up`), best of three. With the argument
/// `scenes` it prints those of the scene stage for many objects, best of three too; words after it leave the
/// rows whose names have one of them.
@main struct SpatialBench {
  private static let seconds = 600
  static let rate = 48_000
  private static let block = 4096

  static func main() throws {
    let words = CommandLine.arguments.dropFirst()
    guard words.first != "scenes" else { return try printScenes(Array(words.dropFirst())) }
    for name in ["5.1", "7.1"] {
      guard let layout = ChannelLayout(name: name) else { continue }
      var best = Double.infinity
      for _ in 0..<3 { best = min(best, try cost(layout)) }
      print("\(name) \(best)")
    }
    try printStartUp()
  }

  private static func printScenes(_ words: [String]) throws {
    for row in SceneCost.all where words.isEmpty || words.contains(where: row.name.contains) {
      var best = Double.infinity
      for _ in 0..<3 { best = min(best, try row.measure()) }
      print("\(row.name) \(best)")
    }
  }

  /// Decodes the built-in set and designs the filters of 5.1.
  private static func printStartUp() throws {
    guard let layout = ChannelLayout(name: "5.1") else { return }
    var best = Double.infinity
    for _ in 0..<3 {
      let start = processTime()
      let stage = SceneRenderer(hrtf: try HRTFSet.builtIn())
      _ = try stage.prepare(Programme(sampleRate: rate, elements: [.bed(layout)]))
      best = min(best, processTime() - start)
    }
    print("start-up \(best)")
  }

  private static func cost(_ layout: ChannelLayout) throws -> Double {
    let programme = Programme(sampleRate: rate, elements: [.bed(layout)])
    let stage = SceneRenderer(hrtf: try HRTFSet.builtIn())
    let output = AudioBuffer(channels: try stage.prepare(programme).channels, capacity: 4 * block)
    let input = noise(layout.count, block)
    let start = processTime()
    for index in 0..<seconds * rate / block {
      output.removeAll()
      try stage.process(
        ProgrammeBlock(programme, audio: input, start: Int64(index * block)), into: output)
    }
    return processTime() - start
  }

  /// `count` samples of noise in each of `channels` planes.
  static func noise(_ channels: Int, _ count: Int) -> AudioBuffer {
    let buffer = AudioBuffer(channels: channels, capacity: count)
    buffer.grow(by: count)
    var state: UInt64 = 1
    for channel in 0..<channels {
      let plane = buffer.channel(channel)
      for index in 0..<count {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        plane[index] = Float(Int32(truncatingIfNeeded: state >> 32)) * 0x1p-33
      }
    }
    return buffer
  }

  /// CPU seconds that the program has taken.
  static func processTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
