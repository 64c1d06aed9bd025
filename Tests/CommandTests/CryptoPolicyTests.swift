// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Digests on systems whose libcrypto is restricted by its configuration.
@Suite(.tags(.system), .fullRunOnly) struct CryptoPolicyTests {
  /// MD5 isn't approved, and FLAC states one.
  @Test(
    "a FLAC file is written and proved where openssl.cnf allows only approved methods or is broken")
  func flacUnderPolicies() throws {
    let folder = try TemporaryFolder()
    let policies = [
      "fips": """
      openssl_conf = start
      [start]
      alg_section = methods
      [methods]
      default_properties = fips=yes
      """,
      "broken": "openssl_conf = nowhere\n[[[",
    ]
    for (name, text) in policies {
      let policy = folder.file("\(name).cnf")
      try Data(text.utf8).write(to: URL(fileURLWithPath: policy))
      let output = folder.file("\(name).flac")
      let input = TestPython.root + "/Golden/Media/channel-walk.mkv"
      let result = try Product.run(
        [
          "render", input, "-o", output, "-e", "none", "-l", "off",
          "--duration", "1s",
        ],
        environment: ["OPENSSL_CONF": policy])
      #expect(result.status == 0, "\(name): \(result.errors)")
      #expect(FileManager.default.fileExists(atPath: output))
    }
  }
}
