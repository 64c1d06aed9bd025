// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import PlayQueue

/// The items from the sound of a cue sheet's files, over sheets of random structure.
@Suite struct CueItemsTests {
  /// A sheet with the frames of each file where an index lies, and the length that the test gives each file.
  private struct Made {
    var text = ""
    /// Frames of each file.
    var lengths: [Int64] = []
    /// Frames of silence in front of and behind tracks.
    var silence: Int64 = 0
  }

  private static func time(_ frames: Int64) -> String {
    let parts = [frames / 75 / 60, frames / 75 % 60, frames % 75]
    return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  /// One to three files, each with one to four tracks, with and without gaps of both kinds; a file may be named again where
  /// its times go on.
  private static func made(_ random: inout SeededNoise) -> Made {
    var made = Made()
    var track = 1
    for file in 0..<Int.random(in: 1...3, using: &random) {
      made.text += "FILE \"\(file).wav\" WAVE\n"
      var place: Int64 = file == 0 ? Int64.random(in: 0...200, using: &random) : 0
      for number in 0..<Int.random(in: 1...4, using: &random) {
        let again = "FILE \"\(file).wav\" WAVE\n"
        if number > 0, Bool.random(using: &random) { made.text += again }
        made.text += "  TRACK \(track < 10 ? "0" : "")\(track) AUDIO\n"
        track += 1
        if Bool.random(using: &random) {
          let pregap = Int64.random(in: 1...151, using: &random)
          made.text += "    PREGAP \(time(pregap))\n"
          made.silence += pregap
        }
        if number > 0 || file == 0, Bool.random(using: &random) {
          made.text += "    INDEX 00 \(time(place))\n"
          place += Int64.random(in: 1...333, using: &random)
          if Bool.random(using: &random) { made.text += again }
        }
        made.text += "    INDEX 01 \(time(place))\n"
        place += Int64.random(in: 1...9999, using: &random)
        if Bool.random(using: &random) {
          let postgap = Int64.random(in: 1...77, using: &random)
          made.text += "    POSTGAP \(time(postgap))\n"
          made.silence += postgap
        }
      }
      made.lengths.append(place)
    }
    return made
  }

  /// Frames of each piece, which must follow one another in each file; the number of frames that files give.
  private func count(
    _ items: [CueItem], _ made: Made, isWhole: Bool
  ) -> (sound: Int64, silence: Int64) {
    var reached = Array(repeating: Int64(0), count: made.lengths.count)
    var (sound, silence) = (Int64(0), Int64(0))
    for piece in items.flatMap(\.pieces) {
      switch piece {
      case .silence(let time): silence += time.ticks
      case .file(let index, let start, let end):
        let last = end?.ticks ?? made.lengths[index]
        #expect(start.rate == 75 && last > start.ticks)
        #expect(isWhole ? start.ticks == reached[index] : start.ticks >= reached[index])
        reached[index] = last
        sound += last - start.ticks
      }
    }
    if isWhole { #expect(reached == made.lengths) }
    return (sound, silence)
  }

  @Test("every frame of a random cue sheet is heard once, and none twice where gaps are dropped")
  func everyFrameIsHeardOnceUnlessGapsAreDropped() throws {
    var random = SeededNoise(seed: 11)
    for _ in 0..<500 {
      let made = Self.made(&random)
      let names = made.lengths.indices.map { "\($0).wav" }
      let folder = ListFolder(exists: { names.contains($0) }, list: { _ in names })
      let sheet = try CueSheet(Array(made.text.utf8), in: folder)
      let whole = made.lengths.reduce(0, +)
      for gaps in [CueGaps.append, .prepend] {
        let found = count(sheet.items(gaps: gaps), made, isWhole: true)
        #expect(found.sound == whole && found.silence == made.silence, "\(gaps): \(made.text)")
      }
      let dropped = count(sheet.items(gaps: .drop), made, isWhole: false)
      #expect(dropped.sound <= whole && dropped.silence == 0)
    }
  }
}
