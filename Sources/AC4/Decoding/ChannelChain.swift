// SPDX-License-Identifier: Apache-2.0
import Signal

/// The processing of one channel from its spectrum to samples at the coded rate.
final class ChannelChain {
  let signal: SubbandSignal
  /// Its A-SPX envelope levels.
  let levels = ASPXLevels()
  /// State that A-SPX carries from one interval to the next.
  var interval = ASPXInterval()

  private let timing: FrameTiming
  private let overlap: OverlapAdd
  private let analysis: QMFAnalysis
  private let synthesis: QMFSynthesis
  private let generator: HighBandGenerator
  /// The samples that wait for the alignment delay (`d_pcm`), then those of the new frame.
  private let delayed: Buffer<Float>

  /// A channel before its first frame.
  init(
    _ timing: FrameTiming, _ sizes: TransformSizes, _ transforms: TransformBank,
    _ bank: FilterBank
  ) {
    self.timing = timing
    overlap = OverlapAdd(sizes, transforms)
    analysis = QMFAnalysis(bank)
    synthesis = QMFSynthesis(bank)
    signal = SubbandSignal(timing)
    generator = HighBandGenerator(timing)
    delayed = Buffer(0, count: timing.alignmentDelay + timing.length)
  }

  /// Turns the spectrum of one frame into subbands.
  func analyse(_ layout: WindowLayout, _ spectrum: UnsafePointer<Float>) {
    let samples = delayed.base
    overlap.process(layout, spectrum, into: samples + timing.alignmentDelay)
    signal.advance()
    analysis.process(
      samples, real: signal.real, imaginary: signal.imaginary, offset: signal.writeOffset)
    samples.update(from: samples + timing.length, count: timing.alignmentDelay)
  }

  /// QMF slots of the A-SPX interval that `channel` describes.
  func slots(_ channel: ASPXChannel) -> Range<Int> {
    let first = min(channel.framing.start * timing.slotsPerStep, timing.intervalEnd)
    let end = min(channel.framing.end * timing.slotsPerStep, timing.intervalEnd)
    return first..<max(first, end)
  }

  /// Generates the high band of one interval. Its levels must have been decoded.
  func extend(_ channel: ASPXChannel, _ bands: ASPXBands, _ adjuster: EnvelopeAdjuster) {
    let slots = slots(channel)
    generator.generate(signal, channel, bands, slots: slots, &interval)
    adjuster.adjust(
      signal,
      EnvelopeAdjuster.Interval(
        channel: channel, levels: levels, bands: bands, slotsPerStep: timing.slotsPerStep,
        end: timing.intervalEnd), &interval)
    if channel.waveformGroups | channel.waveformSlots != 0 {
      interleave(channel, bands, slots)
    }
  }

  /// Interleaved waveform coding: puts coded subbands into the high band (TS 103 190-1, 5.7.6.5).
  private func interleave(_ channel: ASPXChannel, _ bands: ASPXBands, _ slots: Range<Int>) {
    interleave(channel, bands, slots, signal.real, signal.generatedReal)
    interleave(channel, bands, slots, signal.imaginary, signal.generatedImaginary)
  }

  private func interleave(
    _ channel: ASPXChannel, _ bands: ASPXBands, _ slots: Range<Int>, _ coded: SlotRows,
    _ generated: SlotRows
  ) {
    // `aspx_fic_used_in_sfb`: both are heard.
    for group in 0..<bands.highCount where channel.waveformGroups >> UInt32(group) & 1 == 1 {
      for band in bands.signalHigh[group]..<bands.signalHigh[group + 1] {
        for slot in slots { generated.row(band)[slot] += coded.row(band)[slot] }
      }
    }
    // `aspx_tic_used_in_slot`: the coded subbands replace the generated ones. Frames have at most 16 A-SPX
    // slots, so no flag is beyond bit 31.
    for slot in slots
    where channel.waveformSlots >> UInt32(min(31, slot / timing.slotsPerStep)) & 1 == 1 {
      for band in bands.crossover..<QMF.bands {
        generated.row(band)[slot] = coded.row(band)[slot]
      }
    }
  }

  /// Writes the samples of one frame; full scale is 1.
  /// - Parameter crossover: first generated subband; 64 when all are coded.
  func synthesise(crossover: Int, into samples: UnsafeMutablePointer<Float>) {
    synthesis.process(into: samples, scale: 1 / QMF.fullScale) { band in
      band < crossover
        ? (UnsafePointer(signal.real.row(band)), UnsafePointer(signal.imaginary.row(band)))
        : (
          UnsafePointer(signal.generatedReal.row(band)),
          UnsafePointer(signal.generatedImaginary.row(band))
        )
    }
  }

  /// Copies the subbands of one frame.
  func copy(crossover: Int, into frame: SubbandFrame) {
    for band in 0..<QMF.bands {
      let isCoded = band < crossover
      frame.real.row(band).update(
        from: (isCoded ? signal.real : signal.generatedReal).row(band), count: timing.slots)
      frame.imaginary.row(band).update(
        from: (isCoded ? signal.imaginary : signal.generatedImaginary).row(band),
        count: timing.slots)
    }
  }

  /// Writes the samples of subbands that were changed outside the chain.
  func synthesise(_ frame: SubbandFrame, into samples: UnsafeMutablePointer<Float>) {
    synthesis.process(into: samples, scale: 1 / QMF.fullScale) {
      (UnsafePointer(frame.real.row($0)), UnsafePointer(frame.imaginary.row($0)))
    }
  }

  /// Forgets everything.
  func reset() {
    overlap.reset()
    analysis.reset()
    synthesis.reset()
    signal.reset()
    levels.reset()
    interval = ASPXInterval()
    delayed.fill(0)
  }
}

/// The subbands of one channel: those that analysis gives and those that A-SPX generates.
///
/// Slots count from the first that leaves the decoder with the current frame. Analysed slots exist from −4
/// up to the end of the look-ahead, generated ones from 0 up to the end of an interval's tail.
final class SubbandSignal {
  /// Slots before the frame that linear prediction needs.
  static let memory = 4
  /// Slots that an interval may have beyond the frame: `var_bord_right` is at most 3, in A-SPX slots of 2.
  static let tail = 6

  /// Real parts of the analysed subbands.
  let real: SlotRows
  /// Imaginary parts of the analysed subbands.
  let imaginary: SlotRows
  /// Real parts of the generated subbands.
  let generatedReal: SlotRows
  /// Imaginary parts of the generated subbands.
  let generatedImaginary: SlotRows
  private let timing: FrameTiming

  /// Silence.
  init(_ timing: FrameTiming) {
    self.timing = timing
    let memory = SubbandSignal.memory
    // Look-ahead or tail, and a full vector.
    let spare = timing.lookAhead + 8
    real = SlotRows(rows: QMF.bands, history: memory, slots: timing.slots, spare: spare)
    imaginary = SlotRows(rows: QMF.bands, history: memory, slots: timing.slots, spare: spare)
    generatedReal = SlotRows(rows: QMF.bands, history: 0, slots: timing.slots, spare: spare)
    generatedImaginary = SlotRows(rows: QMF.bands, history: 0, slots: timing.slots, spare: spare)
  }

  /// The slot that the next analysed ones begin at: the look-ahead delays the signal.
  var writeOffset: Int { timing.lookAhead }

  /// Moves on by one frame: the slots beyond the last frame become the first of the next.
  func advance() {
    real.advance(beyond: timing.lookAhead)
    imaginary.advance(beyond: timing.lookAhead)
    for rows in [generatedReal, generatedImaginary] {
      rows.advance(beyond: SubbandSignal.tail)
      for band in 0..<QMF.bands {
        (rows.row(band) + SubbandSignal.tail).update(repeating: 0, count: timing.slots)
      }
    }
  }

  /// Forgets everything.
  func reset() {
    for rows in [real, imaginary, generatedReal, generatedImaginary] { rows.clear() }
  }
}

/// The subbands of one channel in one frame.
final class SubbandFrame {
  /// Real parts, 64 rows.
  let real: SlotRows
  /// Imaginary parts, 64 rows.
  let imaginary: SlotRows

  /// `slots` slots of silence.
  init(slots: Int) {
    real = SlotRows(rows: QMF.bands, history: 0, slots: slots)
    imaginary = SlotRows(rows: QMF.bands, history: 0, slots: slots)
  }

  /// Makes all subbands silent.
  func clear() {
    real.clear()
    imaginary.clear()
  }

  /// Multiplies all subbands by `gain`.
  func scale(by gain: Float) {
    for subband in 0..<real.rows {
      let (real, imaginary) = (real.row(subband), imaginary.row(subband))
      for slot in 0..<self.real.slots {
        real[slot] *= gain
        imaginary[slot] *= gain
      }
    }
  }
}

extension QMF {
  /// Amplitude of full scale in spectra, subbands and the samples between them: the dequantisation formula
  /// gives 16-bit levels (TS 103 190-1, 5.1.3).
  static let fullScale: Float = 32768
}
