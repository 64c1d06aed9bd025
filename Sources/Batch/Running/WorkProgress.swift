/// How far a render is.
public struct WorkProgress: Sendable, Codable, Equatable {
  /// Its step: `render`, `finish` or `verify`.
  public var pass: String
  /// Samples done in this step.
  public var done: Int64
  /// Samples in all, when known.
  public var total: Int64?
  /// Rate of the samples counted, Hz.
  public var rate: Int

  /// A progress.
  public init(pass: String, done: Int64, total: Int64?, rate: Int) {
    self.pass = pass
    self.done = done
    self.total = total
    self.rate = rate
  }
}
