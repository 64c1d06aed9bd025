// SPDX-License-Identifier: Apache-2.0
import Platform
import TestSupport
import Testing

@Suite struct DigestTests {
  /// Messages and digests of FIPS 180-4 (NIST's examples) and RFC 1321, A.5.
  static let examples: [(algorithm: Digest.Algorithm, message: String, digest: String)] = [
    (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      .sha256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      .sha256, String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
    (.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
    (.md5, "message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    (
      .md5, String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"
    ),
  ]

  @Test("a message in pieces of any size has the digest that its standard states")
  func examples() {
    for (algorithm, message, digest) in DigestTests.examples {
      let bytes = Array(message.utf8)
      for size in [1, 63, 64, 65, 4096, 1 << 20] where bytes.count / size < 20_000 {
        var running = Digest(algorithm)
        for start in stride(from: 0, to: bytes.count, by: size) {
          running.update(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        #expect(running.hexadecimal == digest, "\(algorithm), \(bytes.count) bytes by \(size)")
      }
    }
  }

  @Test("a copy goes on without the original")
  func copiesAreIndependent() {
    var first = Digest(.sha256)
    first.update(Array("ab".utf8))
    var second = first
    #expect(first.hexadecimal == second.hexadecimal)
    first.update(Array("x".utf8))
    second.update(Array("c".utf8))
    #expect(second.hexadecimal == DigestTests.examples[1].digest)
    #expect(first.hexadecimal != second.hexadecimal)
  }
}
