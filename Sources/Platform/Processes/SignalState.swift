/// What this process does about signals.
package enum SignalState {
  /// Whether the signal `number` is ignored.
  package static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    // C defines SIG_IGN as a cast of this number.
    return unsafeBitCast(handler(of: action), to: Int.self) == 1
  }

  private typealias Handler = (@convention(c) (Int32) -> Void)?

  /// The field has another name on each system.
  private static func handler(of action: sigaction) -> Handler {
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler
    #elseif canImport(Musl)
      action.__sa_handler.sa_handler
    #else
      action.__sigaction_handler.sa_handler
    #endif
  }
}
