// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Moving objects against plain convolution in double precision with responses renewed every few samples.
@Suite struct SceneMotionTests {
  @Test(
    "an object at 90° a second is within −64, −50 and −36 dB of the reference in three bands",
    arguments: TestedSet.here)
  func aMovingObjectIsWhatItsResponsesSay(tested: TestedSet) throws {
    let hrtf = try tested.load()
    let rate = 48000
    let frames = 48000
    var source = SeededNoise(seed: 11)
    let samples = source.samples(frames, peak: 0.5)
    // 90° a second, in ramps of 9° as a file has them.
    let step = rate / 10
    let updates = (0..<10).map { index in
      ObjectUpdate(
        plane: 0, at: Int64(index * step), ramp: Double(step),
        state: SceneRun.state(10 + 9 * Double(index + 1)))
    }
    let run = SceneRun(samples, SceneRun.state(10), updates: updates)
    let scene = try run.render(hrtf)
    let truth = reference(samples, hrtf) { time in 10 + 90 * max(0, time) / Double(rate) }
    let errors = bandErrors(scene, truth)
    let bands = ["0.2–2 kHz", "2–8 kHz", "8–16 kHz"]
    for (band, (error, limit)) in zip(bands, zip(errors, [-64.0, -50, -36])) {
      QualityRecord.add("object at 90°/s, \(band)", tested.rawValue, error)
      #expect(error <= limit, "\(band)")
    }
  }

  /// Both ears with responses at `azimuth` (degrees) of the sample at which a sound is heard, renewed
  /// every sixteen samples and linear between.
  private func reference(
    _ samples: [Float], _ hrtf: HRTFSet, azimuth: @escaping (Double) -> Double
  ) -> [[Double]] {
    let designer = HRIRDesigner(hrtf, rate: 48000, mended: true)
    let every = 16
    let pair = { (time: Int) in
      designer.pair(for: Direction(azimuth: azimuth(Double(time - designer.lead))))
    }
    var output = [[Double]](repeating: [Double](repeating: 0, count: samples.count), count: 2)
    var old = pair(0)
    for first in stride(from: 0, to: samples.count, by: every) {
      let new = pair(first + every)
      for time in first..<min(samples.count, first + every) {
        let part = Double(time - first) / Double(every)
        var left = 0.0
        var right = 0.0
        for tap in 0..<min(old.left.count, time + 1) {
          let sample = Double(samples[time - tap])
          left += sample * (old.left[tap] + part * (new.left[tap] - old.left[tap]))
          right += sample * (old.right[tap] + part * (new.right[tap] - old.right[tap]))
        }
        output[0][time] = left
        output[1][time] = right
      }
      old = new
    }
    return output.map { Array($0.dropFirst(designer.lead)) }
  }

  /// Errors in dB of what is right, both ears together, at 0.2…2, 2…8 and 8…16 kHz.
  private func bandErrors(_ made: [[Float]], _ truth: [[Double]]) -> [Double] {
    let edges = [200.0, 2000, 8000, 16000]
    var errors = [0.0, 0, 0]
    var powers = [0.0, 0, 0]
    let fft = DoubleFFT(length: 65536)
    for ear in 0..<2 {
      let count = truth[ear].count
      let window = { (index: Int) in sin(.pi * (Double(index) + 0.5) / Double(count)) }
      let wanted = Render.spectrum((0..<count).map { truth[ear][$0] * window($0) }, fft)
      let gap = Render.spectrum(
        (0..<count).map { (Double(made[ear][$0]) - truth[ear][$0]) * window($0) }, fft)
      for bin in 0..<wanted.count {
        let frequency = Double(bin) * 48000 / Double(fft.length)
        guard let band = edges.lastIndex(where: { frequency >= $0 }), band < 3 else { continue }
        errors[band] += gap.re[bin] * gap.re[bin] + gap.im[bin] * gap.im[bin]
        powers[band] += wanted.re[bin] * wanted.re[bin] + wanted.im[bin] * wanted.im[bin]
      }
    }
    return zip(errors, powers).map { 10 * log10($0 / $1) }
  }
}
