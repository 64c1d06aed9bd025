/// The window of E. Parzen (1961): four box functions convolved, hence a transform without
/// negative values.
enum ParzenWindow {
  /// 2 × `half` + 1 values, 1 in the middle.
  static func values(half: Int) -> [Double] {
    (-half...half).map { index in
      let x = Double(index.magnitude) / Double(half + 1)
      return x < 0.5 ? 1 - 6 * x * x + 6 * x * x * x : 2 * (1 - x) * (1 - x) * (1 - x)
    }
  }
}
