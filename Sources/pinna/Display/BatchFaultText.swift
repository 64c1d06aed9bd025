import Batch

/// Tells everything that is wrong with a batch, each fault on a line of its own.
enum BatchFaultText {
  /// Most faults that are told.
  private static let most = 100

  /// What `body` makes; its faults are told.
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
