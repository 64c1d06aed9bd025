// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CFFmpeg
import Signal

/// Converts rate and layout of planar Float32 audio with libswresample.
///
/// Output sample 0 lies at input sample 0, and the programme counts as silent before and after its
/// samples: the filter is fed zeros there, because libswresample on its own would mirror the
/// programme at both ends and give nothing for one shorter than its filter. `n` input samples give
/// exactly `ceil(n × out / in)` output samples after ``finish(into:)``.
///
/// The filter, ``ConversionFilter``, passes 92.5 % of the lower of both bands (20.4 kHz at 44.1 kHz) within 0.0001 dB and
/// stops from that band's edge on by 140 dB. The rounding of Float32, in which libswresample sums, adds noise at −137 to
/// −140 dB of the signal. Sums in Double would lower it to −144 dB, in 2.5 times the time.
package final class Resampler: AudioStage {
  /// Most filter phases kept; rarer ratios interpolate between 2048 phases. 1024 would leave images at −135 dB.
  private static let maxPhases = 4096

  private var context: OpaquePointer?
  private let target: AudioFormat
  private var source: AudioFormat
  private var consumed: Int64 = 0
  private var produced: Int64 = 0
  private var toDrop = 0
  /// Silence for the filter's ends, at the input's channel count.
  private var silence = AudioBuffer(channels: 1)

  /// A converter to `target`.
  package init(to target: AudioFormat) {
    self.target = target
    source = target
  }

  deinit { swr_free(&context) }

  /// Always 0: the filter's delay is removed here.
  package var latency: Int { 0 }

  /// Opens the converter for input of `format`.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` when libswresample refuses.
  package func prepare(_ format: AudioFormat) throws -> AudioFormat {
    source = format
    var inLayout = format.layout.libAV
    var outLayout = target.layout.libAV
    let made = swr_alloc_set_opts2(
      &context, &outLayout, AV_SAMPLE_FMT_FLTP, Int32(target.sampleRate), &inLayout,
      AV_SAMPLE_FMT_FLTP, Int32(format.sampleRate), 0, nil)
    if let context { setFilter(UnsafeMutableRawPointer(context)) }
    let opened = made < 0 ? made : swr_init(context)
    guard opened >= 0 else {
      throw LibAVError(code: opened).failure(
        .unsupportedFeature,
        "can't convert \(format.layout) at \(format.sampleRate) Hz to \(target.layout) at "
          + "\(target.sampleRate) Hz")
    }
    silence = AudioBuffer(channels: format.channels, capacity: 4096)
    silence.appendSilence(4096)
    try leadIn()
    return target
  }

  /// Converts all of `input`.
  package func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    consumed += Int64(input.frames)
    try convert(input, input.frames, output)
  }

  /// Drains the filter with silence and cuts to the exact ratio, rounded up.
  /// - Throws: ``MediaError`` of kind `internal` when the filter holds samples back.
  package func finish(into output: AudioBuffer) throws {
    let (rateIn, rateOut) = (Int64(source.sampleRate), Int64(target.sampleRate))
    let wanted = (consumed * rateOut + rateIn - 1) / rateIn
    // Twice the filter's length is more than it can hold back.
    var left = 2 * filterLength + 2 * silence.frames
    while produced < wanted, left > 0 {
      try convert(silence, silence.frames, output)
      left -= silence.frames
    }
    guard produced >= wanted else {
      throw MediaError(.internal, "the resampler gave \(produced) samples, not \(wanted)")
    }
    output.truncate(to: output.frames - Int(min(produced - wanted, Int64(output.frames))))
  }

  private func setFilter(_ object: UnsafeMutableRawPointer) {
    let lower = Double(min(source.sampleRate, target.sampleRate))
    let phases = target.sampleRate / divisor
    let isExact = phases <= Resampler.maxPhases
    // 2^11 phases are interpolated between.
    var shift: Int64 = isExact ? 0 : 11
    while isExact, 1 << shift < phases { shift += 1 }
    av_opt_set_int(object, "filter_size", Int64(ConversionFilter.size), 0)
    // libswresample takes the cut-off relative to the output's band, even when that is the wider.
    let cutoff = ConversionFilter.band * lower / Double(target.sampleRate)
    av_opt_set_double(object, "cutoff", cutoff, 0)
    av_opt_set(object, "filter_type", "kaiser", 0)
    av_opt_set_double(object, "kaiser_beta", ConversionFilter.beta, 0)
    av_opt_set_int(object, "phase_shift", shift, 0)
    av_opt_set_int(object, "exact_rational", 1, 0)
    av_opt_set_int(object, "linear_interp", isExact ? 0 : 1, 0)
  }

  /// Greatest common divisor of both rates.
  private var divisor: Int {
    var (left, right) = (source.sampleRate, target.sampleRate)
    while right != 0 { (left, right) = (right, left % right) }
    return max(1, left)
  }

  /// The filter's length in input samples, rounded up.
  private var filterLength: Int {
    Resampler.reach(from: source.sampleRate, to: target.sampleRate)
  }

  /// Input samples by which the filter from `source` to `target` Hz reaches over both ends of a sound at most.
  package static func reach(from source: Int, to target: Int) -> Int {
    let periods = Double(ConversionFilter.size) / ConversionFilter.band
    return Int(periods * Double(source) / Double(min(source, target))) + 2
  }

  /// Feeds silence for a whole number of output samples, which are dropped as they come out.
  private func leadIn() throws {
    guard source.sampleRate != target.sampleRate else { return }
    let step = source.sampleRate / divisor
    let steps = (2 * filterLength + step - 1) / step
    toDrop = steps * (target.sampleRate / divisor)
    let nowhere = AudioBuffer(channels: target.channels)
    var left = steps * step
    while left > 0 {
      let count = min(left, silence.frames)
      try convert(silence, count, nowhere)
      left -= count
    }
  }

  /// Converts the first `count` frames of `input`.
  private func convert(_ input: AudioBuffer, _ count: Int, _ output: AudioBuffer) throws {
    let room = swr_get_out_samples(context, Int32(count))
    guard room > 0 else { return }
    let start = output.grow(by: Int(room))
    var targets: [UnsafeMutablePointer<UInt8>?] = (0..<output.channels).map { index in
      output.channel(index).baseAddress.map {
        UnsafeMutableRawPointer($0 + start).assumingMemoryBound(to: UInt8.self)
      }
    }
    var sources: [UnsafePointer<UInt8>?] = (0..<input.channels).map { index in
      input.channel(index).baseAddress.map {
        UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self)
      }
    }
    let got = sources.withUnsafeMutableBufferPointer { from in
      targets.withUnsafeMutableBufferPointer { to in
        swr_convert(context, to.baseAddress, room, from.baseAddress, Int32(count))
      }
    }
    guard got >= 0 else { throw LibAVError(code: got) }
    output.truncate(to: start + Int(got))
    drop(from: output, start)
    produced += Int64(output.frames - start)
  }

  /// Removes the lead-in's samples from the frames from `start` on.
  private func drop(from output: AudioBuffer, _ start: Int) {
    let gone = min(toDrop, output.frames - start)
    guard gone > 0 else { return }
    toDrop -= gone
    let kept = output.frames - start - gone
    for index in 0..<output.channels {
      guard let base = output.channel(index).baseAddress else { continue }
      (base + start).update(from: base + start + gone, count: kept)
    }
    output.truncate(to: start + kept)
  }
}
