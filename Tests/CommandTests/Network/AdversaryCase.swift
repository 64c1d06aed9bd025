// SPDX-License-Identifier: Apache-2.0

/// Something that a hostile server does, and how Pinna has to end.
struct AdversaryCase: Sendable {
  /// The event, in a few words.
  let name: String
  /// Address that is read, with marks for servers; `/N/` becomes a path of this case alone.
  let url: String
  /// The exit code.
  let status: Int32
  /// A part of the sentence.
  let words: String
  /// Most bytes that the server may have sent, with what lies in buffers of the system.
  let most: Int
  /// Further options.
  let options: [String]
  /// The command.
  let command: String

  init(
    _ name: String, _ url: String, _ status: Int32, _ words: String, _ options: String...,
    most: Int = 300_000, command: String = "probe"
  ) {
    (self.name, self.url, self.status, self.words) = (name, url, status, words)
    (self.most, self.options, self.command) = (most, options, command)
  }

  /// The name as a path has it.
  var place: String { String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }) }
  /// Whether the server is reached as a proxy.
  var isProxied: Bool { url.hasPrefix("{public}") || url.hasPrefix("{tunnel}") }

  /// A URL that redirects to `target`.
  static func redirect(_ target: String, from server: String = "{http}") -> String {
    "\(server)/N/to?url=\(encoded(target))"
  }

  /// A URL that answers with `head`, whose lines end with `|`.
  static func raw(_ head: String, _ more: String = "", act: String = "raw") -> String {
    "{http}/N/\(act)?head=\(encoded(head))" + more
  }

  /// A playlist with one segment, and what stands before it.
  static func playlist(
    _ segment: String, before: String = "", from server: String = "{http}"
  ) -> String {
    "\(server)/N/playlist.m3u8?before=\(encoded(before))&segment=\(encoded(segment))"
  }

  /// `text` percent-encoded, but for the marks of servers.
  static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x61...0x7D).contains(byte | 0x20) && byte != 0x7C
      let digits = String(byte, radix: 16, uppercase: true)
      return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
    }.joined()
  }
}
