import LibAV
import Signal

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
  private var kept: [(view: Int, spectra: [AlignedFloats])] = []

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

  private func spectrum(_ left: [Double], _ right: [Double], from start: Int) -> AlignedFloats {
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
