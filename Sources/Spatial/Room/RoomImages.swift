import AudioCore
import LibAV
import Platform

/// The image sources of a room, in classes of those whose sound meets the same surfaces.
struct RoomImages {
  /// Images behind the same surfaces, in any order.
  struct Class {
    /// The surfaces.
    var surfaces: [Surface]
    /// Their places in ``cells``.
    var images: Range<Int>
  }

  /// The lattice's cells, class by class.
  let cells: [SIMD3<Int>]
  /// The classes.
  let classes: [Class]
  /// Most samples by which a reflection lags the direct sound.
  let longest: Int

  private let shoebox: Shoebox
  private let samplesPerMetre: Double
  private let harmonics: SphericalHarmonics

  /// Order of the sound field that carries reflections.
  static let order = 3
  /// Planes of that field.
  static let planes = SphericalHarmonics.count(order: order)

  /// The images in `shoebox`, their delays in samples at `rate` Hz.
  init(_ shoebox: Shoebox, rate: Int) {
    var sorted: [(surfaces: [Surface], cells: [SIMD3<Int>])] = []
    for cell in Shoebox.cells {
      let surfaces = Shoebox.surfaces(before: cell)
      let index = sorted.firstIndex { RoomImages.isSame($0.surfaces, surfaces) }
      if let index { sorted[index].cells.append(cell) } else { sorted.append((surfaces, [cell])) }
    }
    var first = 0
    classes = sorted.map { entry in
      defer { first += entry.cells.count }
      return Class(surfaces: entry.surfaces, images: first..<first + entry.cells.count)
    }
    cells = sorted.flatMap(\.cells)
    samplesPerMetre = Double(rate) / Reflection.speed
    longest = Int((shoebox.longestWay * samplesPerMetre).rounded(.up))
    harmonics = SphericalHarmonics(order: RoomImages.order, normalization: .sn3d)
    self.shoebox = shoebox
  }

  /// Writes the reflections of a source to `taps`.
  func write(_ taps: ReflectionTaps, _ source: ReflectionSource.Image) {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: RoomImages.planes) { values in
      for (image, cell) in cells.enumerated() {
        let path = shoebox.path(from: source.place, by: cell)
        harmonics.write(at: path.place, to: values)
        let target = taps.gains(of: image)
        for plane in values.indices {
          target[plane] = Float(source.gain * path.gain * values[plane])
        }
        taps.setDelay(Int((path.extraWay * samplesPerMetre).rounded()), of: image)
      }
    }
  }

  private static func isSame(_ one: [Surface], _ other: [Surface]) -> Bool {
    one == other || one == other.reversed()
  }
}
