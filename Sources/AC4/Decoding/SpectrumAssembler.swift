// SPDX-License-Identifier: Apache-2.0
import Signal

/// Turns quantised tracks into the spectra of a substream's channels
/// (TS 103 190-1, 5.1.3, 5.2.8, 5.3 and 5.5.2).
final class SpectrumAssembler {
  /// The limit of a line's magnitude, 90 dB above full scale. Only damage exceeds it, and with it all that
  /// follows stays finite.
  private static let largest: Float = 1e9

  private let sizes: TransformSizes
  /// |q|^(4/3) for every quantised magnitude, 0…8191.
  private let powers = Buffer<Float>(0, count: 8192)
  /// 2^((sf − 100) / 4) for every scale factor.
  private let scales = Buffer<Float>(0, count: 256)
  /// Dequantised tracks in grouped order, one frame each. Each group takes the room of all its lines, coded
  /// or not, so that groups of tracks with different numbers of coded bands begin at the same place.
  private let grouped: Buffer<Float>
  /// Spectra of the channels, window after window, one frame each; full scale is ``QMF/fullScale``.
  let spectra: Buffer<Float>

  /// An assembler for `channels` channels.
  init(_ sizes: TransformSizes, channels: Int) {
    self.sizes = sizes
    grouped = Buffer(0, count: channels * sizes.frameLength)
    spectra = Buffer(0, count: channels * sizes.frameLength)
    for value in 0..<powers.count { powers.base[value] = Float(Maths.fourThirds(Double(value))) }
    for value in 0..<scales.count {
      scales.base[value] = Float(Maths.power2(Double(value - 100) / 4))
    }
  }

  /// The spectrum of channel `index`, frame length lines.
  func spectrum(_ index: Int) -> UnsafeMutablePointer<Float> {
    spectra.base + index * sizes.frameLength
  }

  /// Fills ``spectra`` from the coded spectra of one frame.
  func assemble(_ coded: ElementSpectra, sequenceCounter: Int) {
    var noise = FillNoiseGenerator(sequenceCounter: sequenceCounter)
    for (index, track) in coded.tracks.prefix(coded.trackCount).enumerated() {
      let target = grouped.base + index * sizes.frameLength
      dequantise(track, into: target)
      if track.hasNoiseFill { NoiseFill.apply(track, sizes, target, &noise) }
    }
    for operation in coded.operations {
      combine(
        coded.tracks[operation.framing].layout, coded.parameters[operation.parameter],
        grouped.base + operation.first * sizes.frameLength,
        grouped.base + operation.second * sizes.frameLength)
    }
    for (channel, track) in coded.channelTracks.enumerated() {
      guard let track else {
        spectrum(channel).update(repeating: 0, count: sizes.frameLength)
        continue
      }
      ungroup(
        coded.tracks[track].layout, grouped.base + track * sizes.frameLength,
        into: spectrum(channel))
    }
    for operation in coded.channelOperations {
      combineWindows(
        coded.tracks[operation.framing].layout, coded.parameters[operation.parameter],
        spectrum(operation.first), spectrum(operation.second))
    }
    for operation in coded.predictions {
      predict(
        coded.tracks[operation.framing].layout, coded.parameters[operation.parameter],
        spectrum(operation.first), spectrum(operation.second))
    }
  }

  /// Turns each pair of an immersive element into sum and difference (S-CPL, TS 103 190-2, 5.3.3).
  ///
  /// The standard does so behind the transform. Both channels of a pair always have the same windows, so the spectra's
  /// sums are the samples' sums.
  func split(_ immersion: ElementPlan.Immersion) {
    for channel in 0..<3 where immersion.front != 1 {
      let lines = spectrum(channel)
      for line in 0..<sizes.frameLength { lines[line] *= immersion.front }
    }
    let gain = immersion.around
    for pair in immersion.pairs {
      let (sum, difference) = (spectrum(pair.sum), spectrum(pair.difference))
      for line in 0..<sizes.frameLength {
        let (first, second) = (sum[line], difference[line])
        sum[line] = gain * (first + second)
        difference[line] = gain * (first - second)
      }
    }
  }

  /// Adds to a channel its share of another one window by window.
  private func predict(
    _ layout: WindowLayout, _ parameters: StereoParameters, _ source: UnsafePointer<Float>,
    _ target: UnsafeMutablePointer<Float>
  ) {
    guard parameters.mode == .prediction else { return }
    var start = 0
    for window in 0..<layout.windowCount {
      let group = Int(layout.groupOfWindow[window])
      let borders = sizes.borders(layout.transform(group))
      for band in 0..<layout.bandCount(group) {
        let share = parameters.share(group, band)
        guard share != 0 else { continue }
        for line in start + borders[band]..<start + borders[band + 1] {
          target[line] += share * source[line]
        }
      }
      start += sizes.length(layout.transform(group))
    }
  }

  /// Applies the stereo matrix of each band to two channels window by window, in place.
  private func combineWindows(
    _ layout: WindowLayout, _ parameters: StereoParameters, _ left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>
  ) {
    guard parameters.mode != .leftRight else { return }
    var start = 0
    for window in 0..<layout.windowCount {
      let group = Int(layout.groupOfWindow[window])
      let borders = sizes.borders(layout.transform(group))
      for band in 0..<layout.bandCount(group) {
        let lines = start + borders[band]..<start + borders[band + 1]
        apply(parameters.matrix(group, band), lines, left, right)
      }
      start += sizes.length(layout.transform(group))
    }
  }

  @inline(__always)
  private func apply(
    _ matrix: SIMD4<Float>, _ lines: Range<Int>, _ left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>
  ) {
    for line in lines {
      let first = left[line]
      let second = right[line]
      left[line] = matrix[0] * first + matrix[1] * second
      right[line] = matrix[2] * first + matrix[3] * second
    }
  }

  /// Makes all channels silent.
  func clear() { spectra.fill(0) }

  /// x = sign(q) · |q|^(4/3) · 2^((sf − 100) / 4) for each line q with scale factor sf
  /// (TS 103 190-1, 5.1.3).
  private func dequantise(_ track: SpectralTrack, into target: UnsafeMutablePointer<Float>) {
    let layout = track.layout
    let table = powers.base
    var read = UnsafePointer(track.lines.base)
    var write = target
    for group in 0..<layout.groupCount {
      let windows = layout.windows(group)
      let transform = layout.transform(group)
      let borders = sizes.borders(transform)
      let count = layout.bandCount(group)
      for band in 0..<count {
        let first = borders[band] * windows
        let end = borders[band + 1] * windows
        let place = group * SpectralTrack.rowLength + band
        guard track.isCoded.base[place] else {
          (write + first).update(repeating: 0, count: end - first)
          continue
        }
        let scale = scales.base[Int(track.scaleFactors.base[place])]
        for line in first..<end {
          let value = read[line]
          let power = min(table[Int(value.magnitude & 8191)] * scale, SpectrumAssembler.largest)
          // Signs are as good as random: a branch would be mispredicted half of the time.
          let sign = UInt32(truncatingIfNeeded: value) & 0x8000_0000
          write[line] = Float(bitPattern: power.bitPattern | sign)
        }
      }
      let size = sizes.length(transform) * windows
      let coded = borders[count] * windows
      (write + coded).update(repeating: 0, count: size - coded)
      read += coded
      write += size
    }
  }

  /// Applies the stereo matrix of each band to two tracks with the same layout, in place.
  private func combine(
    _ layout: WindowLayout, _ parameters: StereoParameters, _ left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>
  ) {
    guard parameters.mode != .leftRight else { return }
    var start = 0
    for group in 0..<layout.groupCount {
      let windows = layout.windows(group)
      let borders = sizes.borders(layout.transform(group))
      let count = layout.bandCount(group)
      for band in 0..<count {
        let lines = start + borders[band] * windows..<start + borders[band + 1] * windows
        apply(parameters.matrix(group, band), lines, left, right)
      }
      start += sizes.length(layout.transform(group)) * windows
    }
  }

  /// Writes the lines of a track window by window, each in order of frequency.
  ///
  /// All bands are taken: after a stereo matrix a track may have lines above its own coded bands.
  private func ungroup(
    _ layout: WindowLayout, _ source: UnsafePointer<Float>,
    into target: UnsafeMutablePointer<Float>
  ) {
    var read = source
    var write = target
    for group in 0..<layout.groupCount {
      let windows = layout.windows(group)
      let transform = layout.transform(group)
      let length = sizes.length(transform)
      let borders = sizes.borders(transform)
      let count = sizes.bandCount(transform)
      for band in 0..<count {
        let width = borders[band + 1] - borders[band]
        for window in 0..<windows {
          (write + window * length + borders[band]).update(from: read, count: width)
          read += width
        }
      }
      write += windows * length
    }
  }
}

/// Spectral noise fill: fills bands without lines with noise of a transmitted level (TS 103 190-1, 5.1.4).
enum NoiseFill {
  /// Bounds of the level, a binary logarithm of power, that only damaged streams reach.
  private static let levels: ClosedRange<Float> = -60...60

  /// Fills the empty bands of a dequantised track with noise of the levels that it carries.
  static func apply(
    _ track: SpectralTrack, _ sizes: TransformSizes, _ lines: UnsafeMutablePointer<Float>,
    _ noise: inout FillNoiseGenerator
  ) {
    guard var level = startLevel(track, sizes, lines) else { return }
    let layout = track.layout
    FillNoise.values.withUnsafeBufferPointer { values in
      guard let table = values.baseAddress else { return }
      var start = 0
      for group in 0..<layout.groupCount {
        let windows = layout.windows(group)
        let borders = sizes.borders(layout.transform(group))
        for band in 0..<layout.bandCount(group) {
          let place = group * SpectralTrack.rowLength + band
          let step = track.noiseLevels.base[place]
          if track.isCoded.base[place] || step == SpectralTrack.noNoise { continue }
          level = min(max(level + Float(step), levels.lowerBound), levels.upperBound)
          let amplitude = Maths.power2(level / 2)
          for line in start + borders[band] * windows..<start + borders[band + 1] * windows {
            lines[line] = amplitude * noise.next(table)
          }
        }
        start += sizes.length(layout.transform(group)) * windows
      }
    }
  }

  /// Binary logarithm of the mean square of the first band with lines; `nil` when none has any.
  private static func startLevel(
    _ track: SpectralTrack, _ sizes: TransformSizes, _ lines: UnsafePointer<Float>
  ) -> Float? {
    let layout = track.layout
    var start = 0
    for group in 0..<layout.groupCount {
      let windows = layout.windows(group)
      let borders = sizes.borders(layout.transform(group))
      for band in 0..<layout.bandCount(group)
      where track.isCoded.base[group * SpectralTrack.rowLength + band] {
        let first = start + borders[band] * windows
        let end = start + borders[band + 1] * windows
        var sum: Float = 0
        for line in first..<end { sum += lines[line] * lines[line] }
        // Zero has no logarithm.
        return Maths.log2(max(sum / Float(end - first), 1e-20))
      }
      start += sizes.length(layout.transform(group)) * windows
    }
    return nil
  }
}

/// The noise generator of spectral noise fill (TS 103 190-1, 5.1.4).
///
/// Its state follows from the frame's sequence counter alone, so that the values don't depend on where
/// decoding started.
struct FillNoiseGenerator {
  /// Counter of values, 0…254; ``second`` counts its rounds.
  private var first: Int
  private var second: Int
  /// Indices of the two table values whose sum is the next value.
  private var state: Int
  private var current: Int

  /// The generator at the start of a frame with this sequence counter.
  init(sequenceCounter: Int) {
    // The standard's closed form for the indices after `start` values.
    let start = 255 * (sequenceCounter & 255)
    first = start % 255
    second = start / 255 & 255
    state =
      (first + 1) * (first + 2 + 2 * second) / 2 + 255 * second * (255 + second) / 2
      + (start % 130_560 >= 65_280 ? 128 : 0)
    current = first * (first + 1) / 2 + second * 32_386
  }

  /// The next value.
  mutating func next(_ table: UnsafePointer<Float>) -> Float {
    let value = table[current & 255] + table[state & 255]
    first += 1
    state = (state + 1) & 255
    if first == 255 {
      current = (current + 1) & 255
      second = (second + 1) & 255
      first = 0
    }
    current = (current + first) & 255
    state = (state + second + first) & 255
    return value
  }
}
