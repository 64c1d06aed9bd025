import CConvolution
import LibAV

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
  func add(_ shape: VoiceFilters, to sum: AlignedFloats) {
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
