// SPDX-License-Identifier: Apache-2.0
import Signal

/// The matrices of a presentation. Each one replaces a channel by a sum of all channels; they apply one after the other.
final class MatrixSet {
  /// Most matrices.
  static let mostMatrices = 16
  /// Columns from one matrix to the next: sixteen channels and two of noise.
  static let columns = 18
  /// Places of a coefficient behind the binary point.
  static let precision = 18

  /// A matrix without its coefficients.
  struct Matrix: BitwiseCopyable {
    /// Channel that it replaces.
    var target = 0
    /// Places of its coefficients behind the point in the stream (`frac_bits`), 0…14.
    var fraction = 0
    /// Low bits of its result that are sent as they are, 0…3.
    var bypass = 0
    /// Level of its dither, 0 for none.
    var dither = 0
    /// Places that its coefficients are shifted left, −1…6.
    var shift = 0
    /// Columns that have coefficients, bit 0 for the first.
    var mask = 0
    /// Bits of its changes, and their additional precision.
    var changeBits = 0
    var changePrecision = 0
  }

  /// Matrices in force.
  private(set) var count = 0
  let matrices = Buffer(Matrix(), count: mostMatrices)
  /// Coefficients, ``columns`` of each matrix, with ``precision`` places.
  let coefficients = Buffer<Int32>(0, count: mostMatrices * columns)
  /// Changes of the coefficients from one unit to the next.
  let changes = Buffer<Int32>(0, count: mostMatrices * columns)
  /// Whether a coefficient may change.
  private(set) var isChanging = false

  /// Forgets all matrices.
  func clear() {
    (count, isChanging) = (0, false)
    matrices.fill(Matrix())
    coefficients.fill(0)
    changes.fill(0)
  }

  /// Moves on to the next unit: coefficients reach what their changes lead to.
  func advance() {
    guard isChanging else { return }
    for index in 0..<count * MatrixSet.columns {
      coefficients.base[index] &+= changes.base[index]
    }
  }

  /// Reads what a block header says of the matrices.
  /// - Throws: ``TrueHDError``.
  func read(_ bits: inout BitReader, _ header: RestartHeader) throws(TrueHDError) {
    switch header.kind {
    case .noise, .dither: try readWhole(&bits, header)
    case .interpolated:
      if try bits.flag() { try readInterpolated(&bits, header) }
      if try bits.flag() {
        if try bits.flag() { try readChanges(&bits, header) }
      } else {
        (changes.base).update(repeating: 0, count: count * MatrixSet.columns)
        isChanging = (0..<changes.count).contains { changes.base[$0] != 0 }
      }
    }
  }

  /// Reads a set that replaces the one before.
  private func readWhole(_ bits: inout BitReader, _ header: RestartHeader) throws(TrueHDError) {
    count = try bits.read(4)
    for index in 0..<count {
      var matrix = Matrix()
      (matrix.target, matrix.fraction) = (try bits.read(4), try bits.read(4))
      matrix.bypass = try bits.read(1)
      try check(matrix, header)
      let row = coefficients.base + index * MatrixSet.columns
      for column in 0..<header.columns {
        row[column] =
          try bits.flag()
          ? Int32(try bits.signed(matrix.fraction + 2) << (MatrixSet.precision - matrix.fraction))
          : 0
      }
      if header.kind == .dither { matrix.dither = try bits.read(4) }
      matrices.base[index] = matrix
    }
  }

  private func check(_ matrix: Matrix, _ header: RestartHeader) throws(TrueHDError) {
    guard matrix.target <= header.topChannel else { throw .damaged("a matrix's channel") }
    guard matrix.fraction <= 14 else { throw .damaged("a matrix's precision") }
  }

  /// Reads coefficients, and the configuration before them where it is sent.
  private func readInterpolated(
    _ bits: inout BitReader, _ header: RestartHeader
  ) throws(TrueHDError) {
    if try bits.flag() {
      count = try bits.read(4) + 1
      for index in 0..<count {
        var matrix = matrices.base[index]
        (matrix.target, matrix.fraction) = (try bits.read(4), try bits.read(4))
        matrix.shift = try bits.read(3) - 1
        (matrix.bypass, matrix.dither) = (try bits.read(2), try bits.read(4))
        matrix.mask = try bits.read(header.channels)
        try check(matrix, header)
        matrices.base[index] = matrix
      }
    }
    for index in 0..<count {
      let matrix = matrices.base[index]
      let places = MatrixSet.precision + matrix.shift - matrix.fraction
      let row = coefficients.base + index * MatrixSet.columns
      for column in 0..<header.channels {
        row[column] =
          matrix.mask >> column & 1 == 1
          ? Int32(try bits.signed(matrix.fraction + 2) << places) : 0
      }
    }
  }

  /// Reads changes, and their configuration before them where it is sent.
  private func readChanges(_ bits: inout BitReader, _ header: RestartHeader) throws(TrueHDError) {
    if try bits.flag() {
      for index in 0..<count {
        matrices.base[index].changeBits = try bits.read(4)
        matrices.base[index].changePrecision = try bits.read(2)
      }
    }
    isChanging = true
    for index in 0..<count {
      let matrix = matrices.base[index]
      let places =
        MatrixSet.precision + matrix.shift - matrix.fraction - matrix.changePrecision
      let row = changes.base + index * MatrixSet.columns
      for column in 0..<header.channels {
        row[column] = 0
        guard matrix.changeBits > 0, matrix.mask >> column & 1 == 1 else { continue }
        let change = try bits.signed(matrix.changeBits + 1) << places
        guard let change = Int32(exactly: change) else { throw .damaged("a matrix's change") }
        row[column] = change
      }
    }
  }
}
