import ArgumentParser
import AudioCore
import MediaIn

/// Options that limit what an input may open.
struct BoundsArguments: ParsableArguments {
  @Flag(help: "Never use the network, whatever a playlist names.")
  var offline = false

  @Option(help: "Folder that inputs must really lie in, whatever links lead to them.")
  var inputRoot: String?

  @Option(help: "PEM file with certificates that https servers are believed by.")
  var caFile: String?

  @Option(
    help:
      "Hosts that may be used besides the given URL's, host[,host]: names, addresses or *.domain; default all public ones."
  )
  var allowHosts: String?

  @Option(
    help: "Seconds that a server may send nothing or too little, 0.1 to 3600; default 20.")
  var networkTimeout: String?

  @Option(help: "Most bytes that one input may fetch over the network, e.g. 2G; default 64G.")
  var maxDownload: String?

  /// The bounds as a value.
  /// - Throws: ``MediaError`` of kind `usage`.
  func bounds() throws -> InputBounds {
    var bounds = InputBounds()
    bounds.isOffline = offline
    bounds.root = inputRoot
    bounds.authorities = caFile
    bounds.allowedHosts = try allowHosts.map(BoundsArguments.hosts) ?? []
    if let networkTimeout {
      bounds.networkTimeout = try Choice.number(networkTimeout, "--network-timeout")
      guard (0.1...3600).contains(bounds.networkTimeout) else {
        throw MediaError(.usage, "--network-timeout \(networkTimeout): give 0.1 to 3600 seconds")
      }
    }
    if let maxDownload {
      bounds.downloadLimit = Int64(try Choice.size(maxDownload, "--max-download"))
    }
    return bounds
  }

  private static func hosts(_ text: String) throws -> [String] {
    let hosts = text.split(separator: ",", omittingEmptySubsequences: false).map {
      $0.filter { $0 != " " }
    }
    for host in hosts where !InputBounds.isHost(host) {
      throw MediaError(
        .usage,
        "--allow-hosts \(text): \"\(host)\" isn't a host; give names, addresses or *.domain, without scheme and port"
      )
    }
    return hosts
  }
}
