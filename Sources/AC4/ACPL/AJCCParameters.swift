// SPDX-License-Identifier: Apache-2.0
import Signal

/// `ajcc_data` of an element without screen or wide loudspeakers (TS 103 190-2, 6.2.4.4).
final class AJCCParameters {
  /// The quantity of a row of values.
  enum Quantity {
    /// How a carrier is split between two channels.
    case alpha
    /// How much of its decorrelated sound goes into them, with opposite signs.
    case beta
    /// How a carrier is split between three channels.
    case dry
    /// How much of decorrelated sound goes into these.
    case wet

    /// The indices that have a value.
    func range(isCoarse: Bool) -> ClosedRange<Int> {
      switch self {
      case .alpha: ACPLQuantity.alpha.range(isCoarse: isCoarse)
      case .beta: ACPLQuantity.beta.range(isCoarse: isCoarse)
      case .dry: 0...(isCoarse ? 11 : 22)
      case .wet: 0...(isCoarse ? 20 : 40)
      }
    }
  }

  /// The form that all values of a frame share.
  struct Form: Equatable {
    /// Parameter bands: 15, 12, 9 or 7.
    var bandCount = 15
    /// Whether alpha and beta have the coarse steps (`ajcc_qm_ab`).
    var isCoarse = false
    /// Whether dry and wet values have the coarse steps (`ajcc_qm_dw`).
    var hasCoarseShares = false

    /// Parameter band of each subband.
    var bandOfSubband: [UInt8] {
      switch bandCount {
      case 15: ACPLTables.bands15
      case 12: ACPLTables.bands12
      case 9: ACPLTables.bands9
      default: ACPLTables.bands7
      }
    }

    func isCoarse(_ quantity: Quantity) -> Bool {
      switch quantity {
      case .alpha, .beta: isCoarse
      case .dry, .wet: hasCoarseShares
      }
    }
  }

  /// When the values of one side hold (`ajcc_framing_data`).
  struct Framing: Equatable {
    /// Whether values change at once instead of along a line.
    var isSteep = false
    /// Parameter sets: 1 or 2.
    var setCount = 1
    /// QMF slot from which each set holds when changes are steep.
    var slots = SIMD2<Int>(0, 0)
  }

  /// Values from one row to the next.
  static let rowLength = 15
  /// The rows in the order of the syntax, and the side of each, 0 for left.
  static let rows: [(quantity: Quantity, side: Int)] = [
    (.alpha, 0), (.alpha, 1), (.beta, 0), (.beta, 1), (.dry, 0), (.dry, 0), (.dry, 1), (.dry, 1),
    (.wet, 0), (.wet, 0), (.wet, 0), (.wet, 1), (.wet, 1), (.wet, 1),
  ]
  /// The rows of each side: alpha, beta, two dry and three wet ones.
  static let sides = [[0, 2, 4, 5, 8, 9, 10], [1, 3, 6, 7, 11, 12, 13]]
  /// Values of one parameter set.
  static let setLength = rows.count * rowLength

  /// `ajcc_core_mode`: whether the front carriers hold front, surround and back channels, and the others the tops;
  /// otherwise front channels and tops in front share a carrier.
  private(set) var hasWideFront = false
  /// Form of the values.
  private(set) var form = Form()
  /// When the values of each side hold.
  private(set) var framings = (left: Framing(), right: Framing())
  /// Quantised values: set, row, parameter band.
  let values = Buffer<Int16>(0, count: 2 * setLength)

  /// When the values of side 0 or 1 hold.
  func framing(_ side: Int) -> Framing { side == 0 ? framings.left : framings.right }

  /// Reads the data.
  /// - Parameters:
  ///   - history: the values of the last frame's last sets, in rows, which become this frame's.
  ///   - known: the form of `history`; `nil` where there is none. This frame's form replaces it.
  func read(
    _ bits: inout BitReader, _ books: AJCCBooks, history: UnsafeMutablePointer<Int16>,
    known: inout Form?
  ) throws(AC4Error) {
    let lacksTime = try bits.flag()
    form.bandCount = [15, 12, 9, 7][try bits.read(2)]
    hasWideFront = try bits.flag()
    form.isCoarse = try bits.flag()
    form.hasCoarseShares = try bits.flag()
    framings = (try AJCCParameters.framing(&bits), try AJCCParameters.framing(&bits))
    for (row, kind) in AJCCParameters.rows.enumerated() {
      let last = history + row * AJCCParameters.rowLength
      for set in 0..<framing(kind.side).setCount {
        let target = values.base + set * AJCCParameters.setLength + row * AJCCParameters.rowLength
        let overTime = try lacksTime ? false : bits.flag()
        if overTime, set == 0, known != form {
          guard known != nil else { throw .needsIFrame("differences of joint channel coding") }
          throw .damaged("differences to values of channels in other bands")
        }
        target.update(from: last, count: AJCCParameters.rowLength)
        try readRow(&bits, kind.quantity, books, overTime, target)
        last.update(from: target, count: AJCCParameters.rowLength)
      }
    }
    known = form
  }

  private static func framing(_ bits: inout BitReader) throws(AC4Error) -> Framing {
    var framing = Framing()
    framing.isSteep = try bits.flag()
    framing.setCount = try bits.read(1) + 1
    if framing.isSteep {
      for set in 0..<framing.setCount { framing.slots[set] = try bits.read(5) }
    }
    return framing
  }

  /// A row coded along frequency, or along time as differences to the values in `target`.
  private func readRow(
    _ bits: inout BitReader, _ quantity: Quantity, _ books: AJCCBooks, _ overTime: Bool,
    _ target: UnsafeMutablePointer<Int16>
  ) throws(AC4Error) {
    let isCoarse = form.isCoarse(quantity)
    let family = books.family(quantity, isCoarse: isCoarse)
    let range = quantity.range(isCoarse: isCoarse)
    var value = 0
    for band in 0..<form.bandCount {
      if overTime {
        value = Int(target[band]) + (try family.time.value(&bits))
      } else {
        value += try (band == 0 ? family.first : family.frequency).value(&bits)
      }
      guard range.contains(value) else { throw .damaged("joint coding parameter \(value)") }
      target[band] = Int16(value)
    }
  }
}

/// Codebooks of joint channel coding (A-JCC, TS 103 190-2, Annex A.1); alpha and beta have those of A-CPL.
final class AJCCBooks {
  private let coupling = ACPLBooks()
  private let dry = [
    BookFamily(
      ObjectCodebooks.ajccDryFineF0, ObjectCodebooks.ajccDryFineDf, ObjectCodebooks.ajccDryFineDt),
    BookFamily(
      ObjectCodebooks.ajccDryCoarseF0, ObjectCodebooks.ajccDryCoarseDf,
      ObjectCodebooks.ajccDryCoarseDt),
  ]
  private let wet = [
    BookFamily(
      ObjectCodebooks.ajccWetFineF0, ObjectCodebooks.ajccWetFineDf, ObjectCodebooks.ajccWetFineDt),
    BookFamily(
      ObjectCodebooks.ajccWetCoarseF0, ObjectCodebooks.ajccWetCoarseDf,
      ObjectCodebooks.ajccWetCoarseDt),
  ]

  func family(_ quantity: AJCCParameters.Quantity, isCoarse: Bool) -> BookFamily {
    switch quantity {
    case .alpha: coupling.family(.alpha, isCoarse: isCoarse)
    case .beta: coupling.family(.beta, isCoarse: isCoarse)
    case .dry: dry[isCoarse ? 1 : 0]
    case .wet: wet[isCoarse ? 1 : 0]
    }
  }
}
