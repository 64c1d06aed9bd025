// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CCrypto

/// A running digest of bytes, computed by libcrypto. Values are independent of their copies.
package struct Digest {
  /// The function that a digest is computed by.
  package enum Algorithm: Sendable {
    /// SHA-256 (FIPS 180-4): 32 bytes.
    case sha256
    /// MD5 (RFC 1321): 16 bytes. FLAC states it; it protects nothing.
    case md5
  }

  private var state: DigestState

  /// The digest of no bytes yet.
  package init(_ algorithm: Algorithm) { state = DigestState(DigestMethod.of(algorithm)) }

  /// Adds bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    if !isKnownUniquelyReferenced(&state) { state = DigestState(copying: state) }
    state.update(bytes)
  }

  /// Adds bytes.
  package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  /// The digest of the bytes so far; more can be added for another one.
  package var bytes: [UInt8] { DigestState(copying: state).finish() }

  /// ``bytes`` in lower-case hexadecimal digits.
  package var hexadecimal: String { bytes.hexadecimal }

  /// The SHA-256 of `bytes` in 64 hexadecimal digits.
  package static func sha256(_ bytes: [UInt8]) -> String {
    var digest = Digest(.sha256)
    digest.update(bytes)
    return digest.hexadecimal
  }
}

extension LocalFile {
  /// The SHA-256 of the file's bytes in 64 hexadecimal digits.
  /// - Throws: ``MediaError`` of kind `inputUnreadable` when they can't be read.
  package func sha256() throws -> String {
    var digest = Digest(.sha256)
    var offset: Int64 = 0
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let got = chunk.withUnsafeMutableBytes { room in
        room.baseAddress.map { read(into: $0, count: room.count, at: offset) } ?? 0
      }
      guard got >= 0 else {
        let text = String(cString: strerror(Int32(-got)))
        throw MediaError(.inputUnreadable, about: path, "can't be read (\(text)); check the disk")
      }
      if got == 0 { return digest.hexadecimal }
      chunk[..<got].withUnsafeBytes { digest.update($0) }
      offset += Int64(got)
    }
  }
}

/// The owner of an `EVP_MD_CTX`.
private final class DigestState {
  private let method: DigestMethod
  private let context: OpaquePointer?

  init(_ method: DigestMethod) {
    self.method = method
    context = EVP_MD_CTX_new()
    DigestMethod.require(EVP_DigestInit_ex2(context, method.handle, nil))
  }

  init(copying other: DigestState) {
    method = other.method
    context = EVP_MD_CTX_new()
    DigestMethod.require(EVP_MD_CTX_copy_ex(context, other.context))
  }

  deinit { EVP_MD_CTX_free(context) }

  func update(_ bytes: UnsafeRawBufferPointer) {
    DigestMethod.require(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
  }

  /// The digest; nothing can be added after it.
  func finish() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { room, count in
      var length: UInt32 = 0
      DigestMethod.require(EVP_DigestFinal_ex(context, room.baseAddress, &length))
      count = Int(length)
    }
  }
}

/// The owner of an `EVP_MD`, which libcrypto's own provider implements.
///
/// libcrypto reads no configuration file here, so that neither a sandbox nor a broken `openssl.cnf` matters. Methods are
/// fetched in a library context of Pinna's own, and the property `-fips` gets MD5 where a system allows only
/// approved methods by default.
// Sendable, because `handle` never changes and libcrypto's functions that take a const EVP_MD don't change it.
private final class DigestMethod: @unchecked Sendable {
  private static let sha256 = DigestMethod("SHA256")
  private static let md5 = DigestMethod("MD5")

  let handle: OpaquePointer?
  private let library: OpaquePointer?

  private init(_ name: String) {
    // The first fetch of a process would read it otherwise, whatever the context.
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil)
    library = OSSL_LIB_CTX_new()
    handle = EVP_MD_fetch(library, name, "provider=default,-fips")
    // Every libcrypto 3 has both; one that was built without them can't serve this program at all.
    precondition(handle != nil, "this system's libcrypto has no \(name)")
  }

  deinit {
    EVP_MD_free(handle)
    OSSL_LIB_CTX_free(library)
  }

  static func of(_ algorithm: Digest.Algorithm) -> DigestMethod {
    switch algorithm {
    case .sha256: sha256
    case .md5: md5
    }
  }

  /// Ends the program where libcrypto fails at a digest, which it does only without memory.
  static func require(_ result: Int32) {
    precondition(result == 1, "libcrypto can't make a digest")
  }
}
