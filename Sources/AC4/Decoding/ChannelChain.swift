import Signal

/// The processing of one channel from its spectrum to samples at the coded rate.
final class ChannelChain {
  /// Its subbands.
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
  private let delayed: FixedBuffer<Float>

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
    delayed = FixedBuffer(0, count: timing.alignmentDelay + timing.length)
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
