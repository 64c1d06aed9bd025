// SPDX-License-Identifier: Apache-2.0
import CKernels
import Signal

/// Sums any number of voices to two ears, some hops at once: two voices share a transform, all share the
/// inverse ones, and within a hop the output fades from the filters of its start to those of its end.
final class VoiceMixer {
  /// Sums of one hop.
  private struct Sums {
    /// Voices that rest; at last those of ``old`` too.
    let resting: Buffer<Float>
    /// Voices that move, with the filters of the hop's start.
    let old: Buffer<Float>
    /// Voices that move, with the filters of the hop's end; at last the difference from ``old``.
    let new: Buffer<Float>
    /// Whether a voice moves.
    var moves = false
    /// States of the head when the hop is heard, and at its end.
    var head = (HeadState.resting(.ahead), HeadState.resting(.ahead))

    init(stride: Int) {
      resting = Buffer(aligned: 4 * stride)
      old = Buffer(aligned: 4 * stride)
      new = Buffer(aligned: 4 * stride)
    }

    mutating func clear() {
      resting.base.update(repeating: 0, count: resting.count)
      guard moves else { return }
      for sum in [old, new] { sum.base.update(repeating: 0, count: sum.count) }
      moves = false
    }
  }

  private let hop: Int
  /// Points of a transform.
  private let length: Int
  private let filters: VoiceFilters
  private let fft: PlanarTransform
  private let planes: Buffer<Float>
  private let silence: Buffer<Float>
  private let spectra: [Buffer<Float>]
  /// Sums of each hop of a step.
  private var sums: [Sums]
  private let signals: Buffer<Float>
  /// Filters of the group that is added: a voice that goes on to another filter, and stores at their limits, let go of theirs.
  private var held: [Buffer<Float>] = []

  /// Most voices whose products are added before they join the whole sum.
  private static let group = 4

  /// A mixer that takes filters from `filters` for each hop of `hop` samples, a power of two, and renders
  /// `step` samples at once, a multiple.
  init(_ filters: VoiceFilters, hop: Int, step: Int) {
    self.filters = filters
    self.hop = hop
    length = 2 * filters.bins
    let fft = PlanarTransform(length: length)
    self.fft = fft
    planes = fft.planes()
    silence = Buffer(aligned: length)
    spectra = (0..<VoiceMixer.group).map { _ in Buffer(aligned: 2 * filters.stride) }
    sums = (0..<step / hop).map { _ in Sums(stride: filters.stride) }
    signals = fft.planes()
  }

  /// Adds the step of all `voices`, as `head` hears it, to `left` and `right`; its first sample is sample
  /// `start`.
  func add(
    _ voices: [ObjectVoice], start: Int, head: HeadView,
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) {
    guard !voices.isEmpty else { return }
    for index in sums.indices {
      let time = start + index * hop - filters.lead
      sums[index].clear()
      sums[index].head = (head.state(at: time), head.state(at: time + hop))
    }
    var first = 0
    while first < voices.count {
      let last = min(first + VoiceMixer.group, voices.count)
      // All hops of few voices: what their filters are mixed from is still at hand.
      for index in sums.indices {
        addGroup(voices, first..<last, start: start, index)
      }
      first = last
    }
    for index in sums.indices {
      finish(index, left: left + index * hop, right: right + index * hop)
    }
  }

  /// Adds hop `index` of up to four of the voices to its sums.
  private func addGroup(
    _ voices: [ObjectVoice], _ group: Range<Int>, start: Int, _ index: Int
  ) {
    let offset = index * hop
    transform(voices, group, offset)
    var resting = ProductList()
    var old = ProductList()
    var new = ProductList()
    held.removeAll(keepingCapacity: true)
    for voice in group {
      let (from, to) = filters.filters(
        of: voices[voice], start: start + offset, hop: hop, head: sums[index].head)
      held.append(from)
      held.append(to)
      let spectrum = UnsafePointer(spectra[voice - group.lowerBound].base)
      if from === to {
        resting.append(spectrum, from.base)
      } else {
        old.append(spectrum, from.base)
        new.append(spectrum, to.base)
      }
    }
    resting.add(filters, to: sums[index].resting)
    old.add(filters, to: sums[index].old)
    new.add(filters, to: sums[index].new)
    if new.count > 0 { sums[index].moves = true }
  }

  private func transform(_ voices: [ObjectVoice], _ group: Range<Int>, _ offset: Int) {
    for pair in Swift.stride(from: 0, to: group.count, by: 2) {
      let first = group.lowerBound + pair
      let second =
        first + 1 < group.upperBound
        ? voices[first + 1].input + offset : UnsafePointer(silence.base)
      fft.forward(voices[first].input + offset, second, into: planes)
      cc_split(
        filters.bins, filters.stride, planes.base, fft.stride, spectra[pair].base,
        spectra[pair + 1].base)
    }
  }

  /// Adds hop `index` to both ears.
  private func finish(
    _ index: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) {
    let sums = sums[index]
    let samples = signals.base + length - hop
    let stride = fft.stride
    if sums.moves { VoiceMixer.join(sums) }
    transformBack(sums.resting)
    for sample in 0..<hop {
      left[sample] += samples[sample]
      right[sample] += samples[stride + sample]
    }
    guard sums.moves else { return }
    transformBack(sums.new)
    let part = 1 / Float(hop)
    for sample in 0..<hop {
      left[sample] += Float(sample) * part * samples[sample]
      right[sample] += Float(sample) * part * samples[stride + sample]
    }
  }

  /// Makes the last sum the change from the second one and adds the second one to the first.
  private static func join(_ sums: Sums) {
    let (resting, old, new) = (sums.resting.base, sums.old.base, sums.new.base)
    for index in 0..<sums.old.count {
      resting[index] += old[index]
      new[index] -= old[index]
    }
  }

  /// The signals of both ears of a sum.
  private func transformBack(_ sum: Buffer<Float>) {
    let stride = filters.stride
    let bins = filters.bins
    let left = sum.base
    let right = left + 2 * stride
    let re = planes.base
    let im = re + fft.stride
    for bin in 1..<bins {
      let mirror = 2 * bins - bin
      re[bin] = left[bin] - right[stride + bin]
      im[bin] = left[stride + bin] + right[bin]
      re[mirror] = left[bin] + right[stride + bin]
      im[mirror] = right[bin] - left[stride + bin]
    }
    (re[0], im[0]) = (left[0], right[0])
    (re[bins], im[bins]) = (left[stride], right[stride])
    fft.inverse(planes, into: signals)
  }
}

/// Up to four spectra with the filters that they go through.
struct ProductList {
  private typealias Four = (
    UnsafePointer<Float>?, UnsafePointer<Float>?, UnsafePointer<Float>?, UnsafePointer<Float>?
  )

  /// Spectra in the list.
  private(set) var count = 0
  private var spectra: Four = (nil, nil, nil, nil)
  private var filters: Four = (nil, nil, nil, nil)

  /// Appends a spectrum; the list has room for four.
  mutating func append(_ spectrum: UnsafePointer<Float>, _ filter: UnsafeMutablePointer<Float>) {
    let filter = UnsafePointer(filter)
    switch count {
    case 0: (spectra.0, filters.0) = (spectrum, filter)
    case 1: (spectra.1, filters.1) = (spectrum, filter)
    case 2: (spectra.2, filters.2) = (spectrum, filter)
    default: (spectra.3, filters.3) = (spectrum, filter)
    }
    count += 1
  }

  /// Adds all products to `sum`.
  func add(_ shape: VoiceFilters, to sum: Buffer<Float>) {
    guard count > 0 else { return }
    withUnsafeBytes(of: spectra) { spectra in
      withUnsafeBytes(of: filters) { filters in
        cc_add_products(
          shape.bins, shape.stride, count,
          spectra.assumingMemoryBound(to: UnsafePointer<Float>?.self).baseAddress,
          filters.assumingMemoryBound(to: UnsafePointer<Float>?.self).baseAddress, sum.base)
      }
    }
  }
}
