extension Int {
  /// This number and `first` as capital hexadecimal digits, at least `digits` of them.
  func hexadecimal(_ digits: Int, from first: Int = 0) -> String {
    let text = String(self + first, radix: 16, uppercase: true)
    return String(repeating: "0", count: Swift.max(0, digits - text.count)) + text
  }
}
