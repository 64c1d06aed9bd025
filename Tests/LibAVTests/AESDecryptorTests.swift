// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Testing

/// NIST SP 800-38A, F.2.2: CBC-AES128.Decrypt.
@Suite struct AESDecryptorTests {
  private let key = AESDecryptorTests.bytes("2b7e151628aed2a6abf7158809cf4f3c")
  private let vector = AESDecryptorTests.bytes("000102030405060708090a0b0c0d0e0f")
  private let cipher = AESDecryptorTests.bytes(
    "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
      + "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7")
  private let plain = AESDecryptorTests.bytes(
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
      + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710")

  private static func bytes(_ hex: String) -> [UInt8] {
    stride(from: 0, to: hex.count, by: 2).compactMap {
      UInt8(hex.dropFirst($0).prefix(2), radix: 16)
    }
  }

  @Test(
    "CBC-AES128 vectors of NIST SP 800-38A decrypt to their plain text in steps of any size",
    arguments: [16, 32, 48, 64])
  func theStandardsVectorsComeOut(step: Int) throws {
    let decryptor = try AESDecryptor(key: key, vector: vector)
    var result: [UInt8] = []
    for start in stride(from: 0, to: cipher.count, by: step) {
      var part = Array(cipher[start..<min(start + step, cipher.count)])
      try decryptor.decrypt(&part)
      result += part
    }
    #expect(result == plain)
  }

  @Test("a short key, an empty vector and a part of a block are refused, and no bytes are taken")
  func onlyWholeBlocksAndKeysAreTaken() throws {
    #expect(throws: MediaError.self) { try AESDecryptor(key: [1], vector: vector) }
    #expect(throws: MediaError.self) { try AESDecryptor(key: key, vector: []) }
    let decryptor = try AESDecryptor(key: key, vector: vector)
    var part: [UInt8] = [1, 2, 3]
    #expect(throws: MediaError.self) { try decryptor.decrypt(&part) }
    var nothing: [UInt8] = []
    #expect(throws: Never.self) { try decryptor.decrypt(&nothing) }
  }
}
