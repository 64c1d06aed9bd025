import AudioCore
import CConvolution
import LibAV
import Platform

/// Filters of objects that have a size: the mean power of all directions in them, with the phase of their
/// aligned sum and their mean onset. A plain sum of responses would be coloured by their delays.
///
/// Places and sizes are rounded to 2° and 5°: within a hop, output fades from one filter to the next.
final class WideFilters {
  private struct Key: Hashable {
    var azimuth: Int
    var elevation: Int
    var width: Int
    var height: Int
  }

  /// The aligned filter of a direction and its onsets.
  private struct Entry {
    var planes: AlignedFloats
    var onsets: SIMD2<Double>
  }

  private let filters: ObjectFilters
  private let places: [SIMD3<Double>]
  private var entries: [Int: Entry] = [:]
  private var known: [Key: AlignedFloats] = [:]
  private let term: AlignedFloats

  /// Filters that are kept; all are dropped at the limit, which costs time but changes no output.
  private static let limit = 2048

  /// Filters of the responses of `filters`.
  init(_ filters: ObjectFilters) {
    self.filters = filters
    let left = UnitVector.lattice(400).filter { $0.y > 0 }
    places = left + left.map { $0 * SIMD3(1, -1, 1) }
    term = AlignedTerm.make(stride: filters.stride)
  }

  /// The filter for an object at `place` of this size, in degrees: the same object for places and sizes that
  /// are rounded to the same.
  func filter(at place: SIMD3<Double>, width: Double, height: Double) -> AlignedFloats {
    let direction = UnitVector.direction(of: place)
    let key = Key(
      azimuth: Int((direction.azimuth / 2).rounded()),
      elevation: Int((direction.elevation / 2).rounded()), width: Int((width / 5).rounded()),
      height: Int((height / 5).rounded()))
    if let found = known[key] { return found }
    let made = make(key)
    if known.count >= WideFilters.limit { known.removeAll() }
    known[key] = made
    return made
  }

  private func make(_ key: Key) -> AlignedFloats {
    let weights = ExtentWeights(
      at: Direction(azimuth: Double(2 * key.azimuth), elevation: Double(2 * key.elevation)),
      width: Double(5 * key.width), height: Double(5 * key.height))
    let all = places.map { weights.weight(of: $0) }
    let sum = all.reduce(0, +)
    term.base.update(repeating: 0, count: term.count)
    var onsets = SIMD2<Double>(repeating: 0)
    for (index, weight) in all.enumerated() where weight > 0 {
      let entry = entry(index)
      onsets += weight / sum * entry.onsets
      for ear in 0..<2 {
        cc_add_power(
          filters.bins, filters.stride, Float(weight / sum),
          entry.planes.base + 2 * ear * filters.stride, term.base + 3 * ear * filters.stride)
      }
    }
    for ear in 0..<2 {
      let level = term.base + 3 * ear * filters.stride + AlignedTerm.level
      for bin in 0..<filters.bins {
        let place = AlignedTerm.place(of: bin)
        level[place] = 0.5 * log2(max(1e-24, level[place]))
      }
    }
    let made = filters.makeFilter()
    filters.finish(term, onsets: onsets, into: made)
    return made
  }

  private func entry(_ index: Int) -> Entry {
    if let found = entries[index] { return found }
    let planes = filters.makeFilter()
    let made = Entry(planes: planes, onsets: filters.mixAligned(at: places[index], into: planes))
    entries[index] = made
    return made
  }
}
