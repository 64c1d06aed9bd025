/// A symmetric positive definite system of linear equations, solved by Cholesky's decomposition.
struct NormalEquations: Sendable {
  /// Number of unknowns.
  let count: Int
  /// The lower triangle L of A = LLᵀ, row by row, `count` numbers a row.
  private let lower: [Double]

  /// The system of `matrix`, row by row, `count` numbers a row; positive definite.
  init(_ matrix: [Double], count: Int) {
    var lower = matrix
    for row in 0..<count {
      for column in 0...row {
        var sum = matrix[row * count + column]
        for index in 0..<column {
          sum -= lower[row * count + index] * lower[column * count + index]
        }
        lower[row * count + column] =
          row == column ? max(sum, 1e-300).squareRoot() : sum / lower[column * count + column]
      }
    }
    self.count = count
    self.lower = lower
  }

  /// The unknowns for `right`, ``count`` numbers.
  func solve(_ right: [Double]) -> [Double] {
    var values = right
    for row in 0..<count {
      for index in 0..<row { values[row] -= lower[row * count + index] * values[index] }
      values[row] /= lower[row * count + row]
    }
    for row in (0..<count).reversed() {
      for index in row + 1..<max(row + 1, count) {
        values[row] -= lower[index * count + row] * values[index]
      }
      values[row] /= lower[row * count + row]
    }
    return values
  }
}
