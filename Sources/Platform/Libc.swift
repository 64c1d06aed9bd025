// SPDX-License-Identifier: Apache-2.0

// The C library has another name on each system. This is the only file that knows the names; every
// other file imports Platform.
#if canImport(Darwin)
  @_exported import Darwin
#elseif canImport(Musl)
  @_exported import Musl
#elseif canImport(Android)
  @_exported import Android
#else
  @_exported import Glibc
#endif
