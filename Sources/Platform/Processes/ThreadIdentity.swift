// SPDX-License-Identifier: Apache-2.0

/// The identity of a thread among those that are running. On Darwin and with musl, libc's own type is a pointer.
package struct ThreadIdentity: Hashable, Sendable {
  private let value: UInt

  /// The thread that asks.
  package static var current: ThreadIdentity {
    #if canImport(Darwin) || canImport(Musl)
      ThreadIdentity(value: UInt(bitPattern: pthread_self()))
    #else
      ThreadIdentity(value: pthread_self())
    #endif
  }
}
