/// A box that can't be built from what was given.
public struct BoxError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Type of the box, e.g. `dfLa`.
  public let box: String
  /// What is wrong with its content.
  public let reason: String

  /// A failure to build `box`.
  public init(_ box: String, _ reason: String) {
    self.box = box
    self.reason = reason
  }

  /// Both in one sentence.
  public var description: String { "\(box) box can't be written: \(reason)" }
}
