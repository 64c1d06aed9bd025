/// A box that can't be built from what was given.
package struct BoxError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Type of the box, e.g. `dfLa`.
  package let box: String
  /// What is wrong with its content.
  package let reason: String

  /// A failure to build `box`.
  package init(_ box: String, _ reason: String) {
    self.box = box
    self.reason = reason
  }

  /// Both in one sentence.
  package var description: String { "\(box) box can't be written: \(reason)" }
}
