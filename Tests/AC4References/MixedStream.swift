// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import AC4

/// Writes streams whose presentation mixes several substreams without spectral extension.
struct MixedStream {
  /// One substream and what its metadata say.
  struct Part {
    var mode: AC4ChannelMode
    var content = 0
    /// `b_dialog` with `dialog_max_gain` and `pan_dialog`; only read as dialogue in old streams.
    var isDialogue = false
    var maximumGain: Int?
    var pans: [Int] = []
    /// Quarters of a dB below full scale; only in old streams.
    var dialnorm = 0
    /// Main, centre, front and angle; only in old streams.
    var scales: [Int?]?
    /// Coupled rather than without tools behind the transform.
    var coupling: CoupledElement.Settings?

    fileprivate func makeAudio() -> any SyntheticAudio {
      guard let coupling else { return SyntheticElement(2048, mode) }
      return CoupledElement(2048, mode, coupling, addsToSurrounds: false)
    }
  }

  /// Gains that the presentation's own substream states in a frame.
  struct Mix {
    /// `sg_gain` of each group; `nil` for none, empty to keep the last.
    var gains: [Int]?
    /// Main, centre, front and angle.
    var scales: [Int?]?
  }

  /// A frame and what is in it.
  struct Frame {
    var raw: [UInt8] = []
    /// For each substream its windows and lines.
    var parts: [SyntheticStream.Frame] = []
  }

  let configuration: Int
  var parts: [Part]
  /// Whether it is of bitstream version 0.
  var isOld = false
  /// Whether the presentation is an alternative one (`b_alternative`), which speaks of each substream.
  var isAlternative = false
  private var noise: SeededNoise
  private var counter = 0

  init(_ configuration: Int, _ parts: [Part], seed: UInt64, isOld: Bool = false) {
    self.configuration = configuration
    self.parts = parts
    self.isOld = isOld
    noise = SeededNoise(seed: seed)
  }

  /// The next frame, an I-frame.
  mutating func next(_ mix: Mix = Mix()) -> Frame {
    var frame = Frame()
    var substreams: [[UInt8]] = isOld ? [] : [presentation(mix)]
    for (place, part) in parts.enumerated() {
      var element = part.makeAudio()
      var audio = BitWriter()
      element.write(&audio, &noise)
      audio.align()
      var bits = BitWriter()
      bits.write(audio.bytes.count, 15)
      bits.write(0, 1)
      bits.write(audio.bytes)
      writeMetadata(part, place, &bits)
      bits.align()
      substreams.append(bits.bytes)
      frame.parts.append(
        SyntheticStream.Frame(windows: element.windows, lines: element.lines))
    }
    frame.raw = table(substreams.map(\.count)) + substreams.flatMap { $0 }
    counter += 1
    return frame
  }

  // MARK: Metadata

  private func role(_ place: Int) -> SubstreamRole {
    SubstreamRole(configuration: configuration, place: place, content: parts[place].content)
  }

  private func writeMetadata(_ part: Part, _ place: Int, _ bits: inout BitWriter) {
    if isOld { bits.write(part.dialnorm, 7) }
    bits.write(0, 1)
    let isDialogue = isOld ? role(place) == .dialogue : part.isDialogue
    if isOld, role(place) == .associated {
      let scales = part.scales ?? [nil, nil, nil, 0]
      for scale in scales.prefix(3) { bits.write(optional: scale, 8) }
      if part.mode == .mono { bits.write((scales[3]) ?? 0, 8) }
    } else if !isOld {
      bits.write(part.isDialogue)
    }
    if isDialogue {
      bits.write(optional: part.maximumGain, 2)
      bits.write(!part.pans.isEmpty)
      for pan in part.pans { bits.write(pan, 8) }
      if part.pans.count == 2 { bits.write(0, 2) }
    }
    bits.write(0, 2)
    // Tools: no dynamic range control in old streams, no dialogue enhancement.
    bits.write(isOld ? 2 : 1, 7)
    bits.write(0, 1)
    bits.write(0, isOld ? 2 : 1)
    bits.write(0, 1)
  }

  private func presentation(_ mix: Mix) -> [UInt8] {
    var bits = BitWriter()
    if isAlternative {
      // No name, one target without additions, every substream inactive.
      bits.write(0, 1)
      bits.write(0, 2)
      bits.write(0, 7 + 3)
      bits.write(0, parts.count)
    }
    bits.write(0, 1)
    bits.write(92, 7)
    bits.write(0, 1)
    bits.write(1, 5)
    bits.write(0, 2)
    if configuration != 1 {
      bits.write(mix.gains != nil)
      if let gains = mix.gains {
        bits.write(gains.isEmpty)
        for gain in gains { bits.write(gain, 6) }
      }
    }
    bits.write(mix.scales != nil)
    if let scales = mix.scales {
      for scale in scales.prefix(3) { bits.write(optional: scale, 8) }
      bits.write(optional: scales[3], 8)
    }
    let number = parts[0].mode.rawValue
    if number >= 3 { bits.write(0, 1) }
    if number > 4 { bits.write(0, 1) }
    if number > 1 { bits.write(0, 2) }
    if number > 4 { bits.write(0, 1) }
    bits.align()
    return bits.bytes
  }

  // MARK: Table of contents

  private func table(_ sizes: [Int]) -> [UInt8] {
    var bits = BitWriter()
    bits.write(isOld ? 0 : 2, 2)
    bits.write(counter % 1020 + 1, 10)
    bits.write(0b0_1, 2)
    bits.write(13, 4)
    bits.write(isOld ? 0b110 : 0b1100, isOld ? 3 : 4)
    if isOld { writeOld(&bits) } else { writeNew(&bits) }
    SyntheticStream.writeSizes(sizes, &bits)
    return bits.bytes
  }

  private func writeNew(_ bits: inout BitWriter) {
    bits.write(0, 1)
    bits.write(configuration, 3)
    bits.write(0b10, 2)
    bits.write(0, 3 + 1)
    bits.write(0, 2 + 3 + 1 + 2 + 2)
    bits.write(0, 1)
    bits.write(0, 1)
    if configuration == 5 { bits.write(parts.count - 2, 2) }
    for group in parts.indices { bits.write(group, 3) }
    bits.write(0, 2)
    bits.write(isAlternative)
    bits.write(1, 1)
    bits.write(0, 2)
    for (place, part) in parts.enumerated() {
      bits.write(0b1_0_1_1, 4)
      writeMode(part.mode, &bits)
      bits.write(1, 1)
      writeIndex(place + 1, &bits)
      bits.write(1, 1)
      bits.write(part.content, 3)
      bits.write(0, 1)
    }
  }

  private func writeOld(_ bits: inout BitWriter) {
    bits.write(0, 1)
    bits.write(configuration, 3)
    bits.write(0, 1)
    bits.write(0, 3 + 1)
    bits.write(0, 2 + 3 + 1 + 2 + 2)
    bits.write(0, 1)
    for (place, part) in parts.enumerated() {
      writeMode(part.mode, &bits)
      bits.write(0, 1)
      bits.write(1, 1)
      writeIndex(place, &bits)
    }
    bits.write(0, 2)
  }

  private func writeMode(_ mode: AC4ChannelMode, _ bits: inout BitWriter) {
    let code = ["0", "10", "1100", "1101", "1110", "1111000", "1111001"][mode.rawValue]
    for bit in code { bits.write(bit == "1") }
    bits.write(0, 2)
  }

  private func writeIndex(_ index: Int, _ bits: inout BitWriter) {
    bits.write(min(index, 3), 2)
    if index >= 3 { SyntheticStream.variable(index - 3, &bits) }
  }
}
