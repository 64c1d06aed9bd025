// SPDX-License-Identifier: Apache-2.0
import ObjectMetadata
import Signal
import TestSupport

@testable import AC4

/// Writes streams of objects (A-JOC) whose lines, mixes and places are known.
struct ObjectStream {
  struct Settings {
    /// Signals of the downmix, 1…7; 5 for a bed.
    var signals = 3
    /// Decoded objects, 1…15.
    var objects = 4
    var hasLFE = true
    /// Whether signals have spectral extension.
    var isExtended = false
    /// Whether the downmix is a 5.X bed.
    var isStatic = false
    /// `bed_chan_assign_code` of the decoded objects; `nil` where all are dynamic.
    var bedCode: Int?
    /// For each object and input how many steps of 0.2001953125 the coefficient has; `nil` for random mixes.
    var mix: [[Int]]?
    /// Whether updates are random; otherwise one update says that objects are at full level in front.
    var moves = false
    var isAlternative = false
    /// Objects that are dialogue.
    var dialogue: Set<Int> = []
  }

  /// A frame and what is in it.
  struct Frame {
    var audio = SyntheticStream.Frame()
    /// Times of the updates.
    var times: [(offset: Int, ramp: Int)] = []
    /// Properties of each decoded signal in each update, low frequencies first.
    var infos: [[ObjectInfo]] = []

    var raw: [UInt8] { audio.raw }
  }

  static let beds = [2, 3, 5, 7, 9, 7, 9, 11]

  let settings: Settings
  let rate: AC4FrameRate
  private var noise: SeededNoise
  private var counter = 0
  private var mixes: SyntheticObjects
  private var downmixUpdates: SyntheticUpdates
  private var updates: SyntheticUpdates

  init(_ settings: Settings, rate: AC4FrameRate, seed: UInt64) {
    self.settings = settings
    self.rate = rate
    noise = SeededNoise(seed: seed)
    mixes = SyntheticObjects(
      inputs: settings.signals, objects: settings.objects, slots: rate.timing.slots)
    let lfe = settings.hasLFE ? 1 : 0
    downmixUpdates = SyntheticUpdates(count: settings.signals + lfe, firstDynamic: lfe)
    updates = SyntheticUpdates(
      count: settings.objects + lfe,
      firstDynamic: lfe + (settings.bedCode.map { ObjectStream.beds[$0] } ?? 0))
  }

  /// The next frame.
  mutating func next(isIFrame: Bool = true) -> Frame {
    var frame = Frame()
    let audio = substream(&frame, isIFrame)
    // Metadata of the group: no common data, no times, no updates of directly coded objects.
    let metadata: [UInt8] = [0]
    let presentation = presentation()
    let table = table([metadata.count, audio.count, presentation.count], isIFrame)
    frame.audio.raw = table + metadata + audio + presentation
    counter += 1
    return frame
  }

  // MARK: Audio

  private mutating func substream(_ frame: inout Frame, _ isIFrame: Bool) -> [UInt8] {
    var audio = BitWriter()
    if settings.isStatic {
      var element = SyntheticElement(rate.codedFrameLength, settings.hasLFE ? .fiveOne : .fiveZero)
      element.write(&audio, &noise)
      (frame.audio.windows, frame.audio.lines) = (element.windows, element.lines)
    } else {
      writeDownmix(&audio, &frame, isIFrame)
    }
    writeMix(&audio)
    writeDialogue(&audio, isIFrame)
    audio.write(1, 1)
    if settings.moves {
      let count = Int.random(in: 0...3, using: &noise)
      frame.times = SyntheticUpdates.writeTiming(count, &audio, &noise)
      frame.infos = updates.write(count, isIFrame: isIFrame, &audio, &noise)
    } else {
      frame.times = [(0, 0)]
      writeStill(updates.count, firstDynamic: updates.firstDynamic, &audio, isIFrame)
    }
    writeAlternative(&audio)
    audio.align()
    var bits = BitWriter()
    // `audio_size_value` of 15 bits, and more where that isn't enough.
    let size = audio.bytes.count
    bits.write(size & 0x7FFF, 15)
    bits.write(size > 0x7FFF)
    if size > 0x7FFF { bits.write((size >> 15) << 1, 8) }
    bits.write(audio.bytes)
    // No basic metadata, no dialogue, no classifier, no events, one bit of tools, no payloads.
    bits.write(0, 1)
    bits.write(0, 3)
    bits.write(1, 7)
    bits.write(0, 3)
    bits.align()
    return bits.bytes
  }

  private mutating func writeDownmix(
    _ bits: inout BitWriter, _ frame: inout Frame, _ isIFrame: Bool
  ) {
    let isMasked = Bool.random(using: &noise)
    bits.write(isMasked)
    if isMasked { bits.write(0, settings.signals) }
    var element = SignalElement(
      rate.codedFrameLength, signals: settings.signals, hasLFE: settings.hasLFE,
      isExtended: settings.isExtended)
    element.isIFrame = isIFrame
    element.write(&bits, &noise)
    (frame.audio.windows, frame.audio.lines) = (element.windows, element.lines)
    bits.write(1, 1)
    if settings.moves {
      let count = Int.random(in: 0...2, using: &noise)
      _ = SyntheticUpdates.writeTiming(count, &bits, &noise)
      _ = downmixUpdates.write(count, isIFrame: isIFrame, &bits, &noise)
    } else {
      writeStill(
        downmixUpdates.count, firstDynamic: downmixUpdates.firstDynamic, &bits, isIFrame)
    }
    writeAlternative(&bits)
    // `b_oamd_extension_present`, with two bytes.
    let isExtended = Bool.random(using: &noise)
    bits.write(isExtended)
    if isExtended {
      bits.write(1, 3)
      bits.write(0, 1)
      bits.write(0, 16)
    }
  }

  /// One update at the first sample: full level, in front.
  private func writeStill(
    _ count: Int, firstDynamic: Int, _ bits: inout BitWriter, _ isIFrame: Bool
  ) {
    bits.write(0, 1)
    bits.write(1, 3)
    bits.write(0, 8)
    for object in 0..<count {
      bits.write(0, 1)
      if !isIFrame { bits.write(0, 1) }
      bits.write(1, 1)
      if object >= firstDynamic {
        if !isIFrame { bits.write(0, 3) }
        bits.write(31, 6)
        bits.write(0, 6)
        bits.write(1, 1)
        bits.write(0, 4)
        bits.write(0b11, 2)
      }
      bits.write(0, 1)
    }
  }

  /// `b_alternative`: no sets of data.
  private func writeAlternative(_ bits: inout BitWriter) {
    if settings.isAlternative { bits.write(0, 1 + 2 + 2) }
  }

  private mutating func writeMix(_ bits: inout BitWriter) {
    guard let mix = settings.mix else {
      _ = mixes.write(&bits, &noise)
      return
    }
    bits.write(0, 3)
    bits.write((1 << settings.objects) - 1, settings.objects)
    // One data point at slot 0, which is reached in the next.
    bits.write(1, 2)
    bits.write(0, 5 + 6)
    for row in mix {
      // One band, coarse, with gaps.
      bits.write(0b111_1_1, 5)
      for steps in row { bits.write(steps != 0) }
    }
    bits.write(1, 1)
    for row in mix {
      for steps in row where steps != 0 {
        Track.write(25 + steps, ObjectCodebooks.ajocDryCoarseF0, &bits)
      }
    }
  }

  /// Dialogue may be raised by 6 dB; nothing is to be taken out of the downmix.
  private func writeDialogue(_ bits: inout BitWriter, _ isIFrame: Bool) {
    bits.write(isIFrame)
    bits.write(!isIFrame)
    guard isIFrame else { return }
    bits.write(1, 2)
    for object in 0..<settings.objects { bits.write(settings.dialogue.contains(object)) }
    bits.write(0, settings.dialogue.count * settings.signals)
  }

  // MARK: Around it

  private func presentation() -> [UInt8] {
    var bits = BitWriter()
    if settings.isAlternative {
      // No name, one target without additions, the substream inactive.
      bits.write(0, 1 + 2 + 7 + 3 + 1)
    }
    bits.write(0, 1)
    bits.write(92, 7)
    bits.write(0, 1)
    bits.write(1, 5)
    bits.write(0, 2)
    bits.write(0, 16)
    bits.align()
    return bits.bytes
  }

  private func table(_ sizes: [Int], _ isIFrame: Bool) -> [UInt8] {
    var bits = BitWriter()
    bits.write(2, 2)
    bits.write(counter % 1020 + 1, 10)
    bits.write(0, 1)
    bits.write(rate.is48kHz)
    bits.write(rate.index, 4)
    bits.write(isIFrame)
    bits.write(0b1_00, 3)
    // One presentation of version 1 and level 4 with one group.
    bits.write(0b1_10_100_0, 7)
    if [0, 1, 2, 3, 4, 7, 8, 9].contains(rate.index) { bits.write(0, 1) }
    if (5...12).contains(rate.index) { bits.write(0, 1) }
    bits.write(0, 2 + 3 + 1 + 2 + 2)
    bits.write(0, 1)
    bits.write(0, 3)
    bits.write(0, 2)
    bits.write(settings.isAlternative)
    bits.write(1, 1)
    bits.write(2, 2)
    // The group: one substream of objects, and one with their metadata.
    bits.write(0b1_0_1_0_1, 5)
    bits.write(isIFrame)
    bits.write(0, 2)
    writeObjects(&bits)
    if rate.is48kHz { bits.write(0, 1) }
    bits.write(0, 1)
    bits.write(isIFrame)
    bits.write(1, 2)
    bits.write(0, 1)
    SyntheticStream.writeSizes(sizes, &bits)
    return bits.bytes
  }

  /// `ac4_substream_info_ajoc`.
  private func writeObjects(_ bits: inout BitWriter) {
    bits.write(1, 1)
    bits.write(settings.hasLFE)
    bits.write(settings.isStatic)
    if !settings.isStatic {
      bits.write(settings.signals - 1, 4)
      bits.write(1, 1)
    }
    bits.write(0, 1)
    bits.write(settings.objects - 1, 4)
    bits.write(settings.bedCode == nil)
    if let code = settings.bedCode {
      bits.write(0b01, 2)
      bits.write(code, 3)
    }
  }
}
