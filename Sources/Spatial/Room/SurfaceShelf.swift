import CConvolution
import LibAV

/// What a surface does to the sixteen lanes of a sound field that lie side by side.
final class SurfaceShelf {
  private let shelf: Surface.Shelf
  private let states: AlignedFloats

  /// States below this are taken for silence: smaller numbers would slow the processor down.
  private static let least: Float = 1e-20

  /// The shelf of `surface` for `lanes` lanes at `rate` Hz, silent until now.
  init(_ surface: Surface, lanes: Int, rate: Int) {
    shelf = surface.shelf(rate: rate)
    states = AlignedFloats(count: lanes)
  }

  /// Passes `count` samples of each lane through the shelf.
  func process(_ lanes: UnsafeMutablePointer<Float>, count: Int) {
    cc_shelve_lanes(
      count, Float(shelf.pole), Float(shelf.low), Float(shelf.high), states.base, lanes)
    for index in 0..<states.count where states.base[index].magnitude < SurfaceShelf.least {
      states.base[index] = 0
    }
  }
}
