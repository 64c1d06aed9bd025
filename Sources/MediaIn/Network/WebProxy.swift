import Platform

/// The proxy that the environment names in `http_proxy` and `no_proxy`, by the rules of libavformat, which uses it for
/// https.
struct WebProxy: Sendable {
  /// The proxy; `nil` for none.
  let address: WebAddress?
  private let exceptions: [String]

  /// A proxy from the values of the two variables, by default those of the environment.
  init(
    address: String? = WebProxy.variable("http_proxy"),
    exceptions: String? = WebProxy.variable("no_proxy")
  ) {
    let found = address.flatMap { $0.hasPrefix("http://") ? WebAddress($0) : nil }
    self.address = found
    self.exceptions = (exceptions ?? "").split { $0 == " " || $0 == "," }.map(String.init)
  }

  /// Whether requests to `host` go through it.
  func applies(to host: String) -> Bool {
    address != nil && !exceptions.contains { WebProxy.matches($0, host) }
  }

  private static func matches(_ pattern: String, _ host: String) -> Bool {
    if pattern == "*" { return true }
    var domain = pattern[...]
    if domain.hasPrefix("*") { domain = domain.dropFirst() }
    if domain.hasPrefix(".") { domain = domain.dropFirst() }
    return !domain.isEmpty && (host == domain || host.hasSuffix("." + domain))
  }

  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
