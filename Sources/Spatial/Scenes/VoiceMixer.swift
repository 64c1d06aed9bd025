import CConvolution
import LibAV

/// Sums any number of voices to two ears, hop by hop: two voices share a transform, all share the inverse
/// ones, and within a hop the output fades from the filters of its start to those of its end.
final class VoiceMixer {
  /// Samples of a hop: a power of two, 3…6 ms.
  let hop: Int
  /// Points of a transform.
  let length: Int
  private let filters: VoiceFilters
  private let fft: PlanarTransform
  private let planes: AlignedFloats
  private let silence: AlignedFloats
  private let spectra: [AlignedFloats]
  /// Sums of resting and moving voices; those of moving ones with the filters of the hop's start and end.
  private let sums: [AlignedFloats]
  private let signals: [AlignedFloats]

  /// Most voices whose products are added before they join the whole sum.
  private static let group = 4

  /// A mixer that takes filters from `filters`.
  init(_ filters: VoiceFilters, hop: Int) {
    self.filters = filters
    self.hop = hop
    length = 2 * filters.bins
    let fft = PlanarTransform(length: length)
    self.fft = fft
    planes = fft.planes()
    silence = AlignedFloats(count: length)
    spectra = (0..<VoiceMixer.group).map { _ in AlignedFloats(count: 2 * filters.stride) }
    sums = (0..<3).map { _ in AlignedFloats(count: 4 * filters.stride) }
    signals = (0..<2).map { _ in fft.planes() }
  }

  /// The hop's samples at the left ear, then, ``PlanarTransform/stride`` floats on, at the right one.
  private func output(_ index: Int) -> UnsafeMutablePointer<Float> {
    signals[index].base + length - hop
  }

  /// Adds the hop of all `voices` to `left` and `right`; the hop's first sample is sample `start`, and
  /// `head` is what the head does when it is heard and a hop later.
  func add(
    _ voices: [ObjectVoice], start: Int, head: (HeadState, HeadState),
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) {
    guard !voices.isEmpty else { return }
    for sum in sums { sum.base.update(repeating: 0, count: sum.count) }
    var moves = false
    var first = 0
    while first < voices.count {
      let last = min(first + VoiceMixer.group, voices.count)
      if addGroup(voices, first..<last, start: start, head: head) { moves = true }
      first = last
    }
    if moves { join() }
    transformBack(0, into: 0)
    let stride = fft.stride
    let old = output(0)
    for index in 0..<hop {
      left[index] += old[index]
      right[index] += old[stride + index]
    }
    guard moves else { return }
    transformBack(2, into: 1)
    let step = 1 / Float(hop)
    let change = output(1)
    for index in 0..<hop {
      let part = Float(index) * step
      left[index] += part * change[index]
      right[index] += part * change[stride + index]
    }
  }

  /// Adds up to four of the voices; answers whether one of them moves.
  private func addGroup(
    _ voices: [ObjectVoice], _ group: Range<Int>, start: Int, head: (HeadState, HeadState)
  ) -> Bool {
    transform(voices, group)
    var resting = ProductList()
    var old = ProductList()
    var new = ProductList()
    for index in group {
      let (from, to) = filters.filters(of: voices[index], start: start, hop: hop, head: head)
      let spectrum = UnsafePointer(spectra[index - group.lowerBound].base)
      if from === to {
        resting.append(spectrum, from.base)
      } else {
        old.append(spectrum, from.base)
        new.append(spectrum, to.base)
      }
    }
    resting.add(filters, to: sums[0])
    old.add(filters, to: sums[1])
    new.add(filters, to: sums[2])
    return new.count > 0
  }

  private func transform(_ voices: [ObjectVoice], _ group: Range<Int>) {
    for pair in Swift.stride(from: 0, to: group.count, by: 2) {
      let first = group.lowerBound + pair
      let second = first + 1 < group.upperBound ? voices[first + 1].input : silence.base
      fft.forward(voices[first].input, second, into: planes)
      cc_split(
        filters.bins, filters.stride, planes.base, fft.stride, spectra[pair].base,
        spectra[pair + 1].base)
    }
  }

  /// Makes the third sum the change from the second one and adds the second one to the first.
  private func join() {
    let (rest, old, new) = (sums[0].base, sums[1].base, sums[2].base)
    for index in 0..<sums[0].count {
      rest[index] += old[index]
      new[index] -= old[index]
    }
  }

  /// The signals of both ears of a sum.
  private func transformBack(_ sum: Int, into target: Int) {
    let stride = filters.stride
    let bins = filters.bins
    let left = sums[sum].base
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
    fft.inverse(planes, into: signals[target])
  }
}
