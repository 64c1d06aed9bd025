import Batch

/// Prints all faults of a batch, each on its own line.
enum BatchFaultText {
  /// Most faults that are printed.
  private static let most = 100

  /// The result of `body`; when it throws the faults of a batch, they are printed and the command
  /// ends.
  static func telling<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let faults as BatchFaults {
      for fault in faults.all.prefix(most) { Terminal.complain(fault.message) }
      let more = faults.all.count - most
      if more > 0 { Terminal.complain("and \(more) more faults like these") }
      Terminal.complain(
        "nothing was done; mend the \(faults.all.count == 1 ? "fault" : "\(faults.all.count) faults") first"
      )
      throw ExitStatus(code: faults.exitCode)
    }
  }
}
