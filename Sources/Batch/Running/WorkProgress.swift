/// How far a render is.
package struct WorkProgress: Sendable, Codable, Equatable {
  /// Its step: `render`, `finish` or `verify`.
  package var pass: String
  /// Samples done in this step.
  package var done: Int64
  /// Samples in all, when known.
  package var total: Int64?
  /// Rate of the samples counted, Hz.
  package var rate: Int

  /// A progress.
  package init(pass: String, done: Int64, total: Int64?, rate: Int) {
    self.pass = pass
    self.done = done
    self.total = total
    self.rate = rate
  }
}
