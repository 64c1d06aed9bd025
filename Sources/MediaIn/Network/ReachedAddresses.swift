/// The address at which each host of an input was reached last.
final class ReachedAddresses {
  private var addresses: [String: String] = [:]

  /// The address of `host`; `nil` before it was reached.
  subscript(_ host: String) -> String? {
    get { addresses[host] }
    set { addresses[host] = newValue }
  }
}
