// SPDX-License-Identifier: Apache-2.0
@testable import MediaIn

/// The bytes are a frame of DTS.
func fuzzUndecoded(_ bytes: [UInt8]) {
  bytes.withUnsafeBufferPointer { frame in
    if let found = DTSExtension(frame: frame) {
      demand(
        found.syncWord >> 24 == 0x02 || found.syncWord >> 24 == 0xF1, "the word is one of DTS:X")
    }
  }
}
