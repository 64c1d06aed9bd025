// SPDX-License-Identifier: Apache-2.0

// The part of Foundation without ICU, where it is a module of its own; Darwin has only the whole. Every
// other file imports Essentials.
#if canImport(FoundationEssentials)
  @_exported import FoundationEssentials
#else
  @_exported import Foundation
#endif
