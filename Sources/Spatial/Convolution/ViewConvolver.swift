// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CKernels
import Signal

/// Convolves channels to two ears with long filters of several views, of which one is heard at a time: on the way to another one the
/// output fades.
///
/// The filters are cut into partitions, and the spectra of the last blocks of the input are kept for all views together (G. Garcia:
/// "Optimal Filter Partition Method for Real-Time Convolution", AES 113, 2002, with partitions of one length). Blocks start at fixed
/// positions of the signal, so the output doesn't depend on how the input is cut. Output sample n is the convolution at n.
final class ViewConvolver {
  /// Most partitions of a filter before they become longer.
  private static let mostPartitions = 64

  /// Samples from one place where the view may change to the next.
  private let hop: Int
  /// Samples of a block, one or more hops.
  private let size: Int
  private let tail: Int
  private let fft: PlanarTransform
  private let viewAt: (_ hop: Int) -> Int
  private let filters: ViewSpectra
  private let inputs: InputSpectra
  private let sum: Buffer<Float>
  private let ears: Buffer<Float>
  private let mixed: Buffer<Float>
  /// Blocks played.
  private var played = 0
  private var received = 0
  private var emitted = 0

  /// A convolver for `channels` channels and filters of `taps` taps.
  /// - Parameters:
  ///   - hop: samples from one place where the view may change to the next, a power of two of at least 64.
  ///   - mostBytes: most bytes of spectra that are kept of views, besides two of them.
  ///   - viewAt: the view that is heard at output sample `hop` × its argument.
  ///   - makeFilters: the filters of a view.
  init(
    channels: Int, taps: Int, hop: Int, mostBytes: Int = 256 << 20,
    viewAt: @escaping (Int) -> Int, makeFilters: @escaping (Int) throws -> ViewSpectra.Filters
  ) {
    var size = hop
    while size * ViewConvolver.mostPartitions < taps { size *= 2 }
    let fft = PlanarTransform(length: 2 * size)
    let partitions = (taps + size - 1) / size
    self.hop = hop
    self.size = size
    self.fft = fft
    self.viewAt = viewAt
    tail = taps - 1
    let bytes = max(1, channels) * partitions * 2 * fft.stride * MemoryLayout<Float>.size
    filters = ViewSpectra(fft, partitions, mostKept: max(2, mostBytes / bytes), makeFilters)
    inputs = InputSpectra(fft, partitions, channels: channels)
    sum = fft.planes()
    ears = fft.planes()
    mixed = Buffer(aligned: 2 * size)
  }

  /// Consumes `frames` samples of each channel and appends what is ready to the two planes of `output`.
  /// - Throws: what making filters throws.
  func process(_ sources: [UnsafePointer<Float>], frames: Int, into output: AudioBuffer) throws {
    var position = 0
    while position < frames {
      let count = inputs.take(sources, from: position, to: frames)
      received += count
      position += count
      if inputs.isFull { try emit(size, into: output) }
    }
  }

  /// Appends what is left: the filters' whole response to the last samples.
  /// - Throws: what making filters throws.
  func finish(into output: AudioBuffer) throws {
    let total = received > 0 ? received + tail : 0
    while emitted < total {
      inputs.silenceRest()
      try emit(min(size, total - emitted), into: output)
    }
  }

  /// Transforms one block and appends `count` samples of what is heard.
  private func emit(_ count: Int, into output: AudioBuffer) throws {
    inputs.transform()
    let hops = size / hop
    let views = (0...hops).map { viewAt(played * hops + $0) }
    mixed.base.update(repeating: 0, count: 2 * size)
    var heard: [Int] = []
    for view in views where !heard.contains(view) {
      heard.append(view)
      let terms = inputs.newestFirst()
      cc_multiply(
        fft.length, fft.stride, terms.count, terms, try filters.spectra(view), sum.base)
      fft.inverse(sum, into: ears)
      for index in 0..<hops { add(index, view, views[index], views[index + 1]) }
    }
    let start = output.grow(by: count)
    for ear in 0..<2 {
      output.channel(ear).baseAddress?.advanced(by: start).update(
        from: mixed.base + ear * size, count: count)
    }
    played += 1
    emitted += count
  }

  /// Adds hop `index` of ``ears``, which are those of `view`, on the way from view `one` to view `other`.
  private func add(_ index: Int, _ view: Int, _ one: Int, _ other: Int) {
    guard view == one || view == other else { return }
    let step = 1 / Float(hop)
    for ear in 0..<2 {
      let source = ears.base + ear * fft.stride + size + index * hop
      let target = mixed.base + ear * size + index * hop
      guard one != other else {
        target.update(from: source, count: hop)
        continue
      }
      // Views that are neighbours are alike, so weights that sum to 1 keep the level.
      for sample in 0..<hop {
        let part = Float(sample) * step
        target[sample] += (view == other ? part : 1 - part) * source[sample]
      }
    }
  }
}

/// Spectra of the last blocks of several channels, as many as filters have partitions.
private final class InputSpectra {
  private let fft: PlanarTransform
  private let size: Int
  private let partitions: Int
  /// Channel × block.
  private let spectra: [Buffer<Float>]
  /// Of each channel: the block before, then the one that arrives.
  private let blocks: [Buffer<Float>]
  private let silence: Buffer<Float>
  private var newest: Int
  private var filled = 0

  init(_ fft: PlanarTransform, _ partitions: Int, channels: Int) {
    self.fft = fft
    self.partitions = partitions
    size = fft.length / 2
    spectra = (0..<channels * partitions).map { _ in fft.planes() }
    blocks = (0..<channels).map { _ in Buffer(aligned: fft.length) }
    silence = Buffer(aligned: fft.length)
    newest = partitions - 1
  }

  /// Whether the block is complete.
  var isFull: Bool { filled == size }

  /// Takes samples from `start` on, at most up to `end`, until the block is complete; returns how many.
  func take(_ sources: [UnsafePointer<Float>], from start: Int, to end: Int) -> Int {
    let count = min(size - filled, end - start)
    for (source, block) in zip(sources, blocks) {
      (block.base + size + filled).update(from: source + start, count: count)
    }
    filled += count
    return count
  }

  /// Completes the block with silence.
  func silenceRest() {
    for block in blocks {
      (block.base + size + filled).update(repeating: 0, count: size - filled)
    }
  }

  /// Makes the newest spectra of the block and begins the next one.
  func transform() {
    newest = (newest + 1) % partitions
    for (channel, block) in blocks.enumerated() {
      fft.forward(block.base, silence.base, into: spectra[channel * partitions + newest])
      block.base.update(from: block.base + size, count: size)
    }
    filled = 0
  }

  /// The spectra, channel × block, the newest block first.
  func newestFirst() -> [UnsafePointer<Float>?] {
    blocks.indices.flatMap { channel in
      (0..<partitions).map { age in
        let block = (newest + partitions - age) % partitions
        return UnsafePointer(spectra[channel * partitions + block].base)
      }
    }
  }
}

/// Spectra of long filters, cut into partitions of half a transform, of those views that were heard lately.
final class ViewSpectra {
  /// Responses of channels to the left and to the right ear, channel × tap, of one length each.
  typealias Filters = (left: [[Double]], right: [[Double]])

  private let fft: PlanarTransform
  private let design: DoubleFFT
  private let partitions: Int
  private let mostKept: Int
  private let make: (_ view: Int) throws -> Filters
  /// Channel × partition of each view, the one that was heard last at the end.
  private var kept: [(view: Int, spectra: [Buffer<Float>])] = []

  /// Spectra of `partitions` partitions for the transforms of `fft`, of at most `mostKept` views at a time; `make` gives the filters
  /// of a view.
  init(
    _ fft: PlanarTransform, _ partitions: Int, mostKept: Int,
    _ make: @escaping (_ view: Int) throws -> Filters
  ) {
    self.fft = fft
    self.partitions = partitions
    self.mostKept = mostKept
    self.make = make
    design = DoubleFFT(length: fft.length)
  }

  /// Spectra of the filters of `view`, channel × partition: (to left) + j(to right), the inverse transform's 1/N in them. They stay until
  /// another view is asked for.
  /// - Throws: what making filters throws.
  func spectra(_ view: Int) throws -> [UnsafePointer<Float>?] {
    if let place = kept.firstIndex(where: { $0.view == view }) {
      kept.append(kept.remove(at: place))
    } else {
      let filters = try make(view)
      if kept.count >= mostKept { kept.removeFirst() }
      let spectra = zip(filters.left, filters.right).flatMap { left, right in
        (0..<partitions).map { spectrum(left, right, from: $0 * fft.length / 2) }
      }
      kept.append((view, spectra))
    }
    return kept[kept.count - 1].spectra.map { UnsafePointer($0.base) }
  }

  private func spectrum(_ left: [Double], _ right: [Double], from start: Int) -> Buffer<Float> {
    var re = [Double](repeating: 0, count: fft.length)
    var im = re
    for tap in start..<max(start, min(start + fft.length / 2, left.count)) {
      re[tap - start] = left[tap] / Double(fft.length)
      im[tap - start] = right[tap] / Double(fft.length)
    }
    design.forward(&re, &im)
    let spectrum = fft.planes()
    for bin in 0..<fft.length {
      spectrum.base[bin] = Float(re[bin])
      spectrum.base[fft.stride + bin] = Float(im[bin])
    }
    return spectrum
  }
}
