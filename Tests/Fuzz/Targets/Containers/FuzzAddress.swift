// SPDX-License-Identifier: Apache-2.0
@testable import MediaIn

/// The first line is a URL, the second one a reference that is relative to it.
func fuzzAddress(_ bytes: [UInt8]) {
  guard let text = FuzzInput.text(bytes) else { return }
  let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
  guard let address = WebAddress(String(lines[0])) else { return }
  checkAddress(address)
  guard lines.count == 2, let other = address.resolving(String(lines[1])) else { return }
  checkAddress(other)
}

/// Makes sure that a URL holds nothing that would end a line of a request, and is read as itself.
func checkAddress(_ address: WebAddress) {
  let text = address.text
  demand(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(text) holds printable ASCII only")
  demand(["http", "https"].contains(address.scheme), "the scheme is http or https")
  demand(address.path.hasPrefix("/"), "a path begins with a slash")
  demand(WebAddress(text) == address, "\(text) is read as itself")
  demand(
    WebAddress(address.publicText)?.authority.contains("@") == false,
    "\(address.publicText) holds no password")
}
