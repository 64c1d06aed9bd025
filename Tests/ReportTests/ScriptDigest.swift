// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// The hash of a script as content security policies name it, by Python.
enum ScriptDigest {
  /// `sha256-` and the digest of `source` in base 64.
  static func of(_ source: String) throws -> String {
    let code =
      "import sys,hashlib,base64;"
      + "print(base64.b64encode(hashlib.sha256(sys.stdin.buffer.read()).digest()).decode())"
    let oracle = try Tool.run("python3", ["-c", code], input: Data(source.utf8))
    return "sha256-"
      + String(decoding: oracle.output, as: UTF8.self).trimmingCharacters(
        in: .whitespacesAndNewlines)
  }
}
