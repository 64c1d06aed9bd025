// SPDX-License-Identifier: Apache-2.0
@testable import MediaIn

/// The bytes are an access unit of TrueHD, or a frame of DTS.
func fuzzUndecoded(_ bytes: [UInt8]) {
  if let sync = TrueHDSync(bytes) {
    demand((1...32).contains(sync.channels ?? 1), "channels have five bits")
    demand((0...32).contains(sync.objects ?? 0), "objects are channels that move")
    demand(
      (sync.channels == nil) == (sync.objects == nil), "both come from the extra channel meaning")
  }
  bytes.withUnsafeBufferPointer { frame in
    if let found = DTSExtension(frame: frame) {
      demand(
        found.syncWord >> 24 == 0x02 || found.syncWord >> 24 == 0xF1, "the word is one of DTS:X")
    }
  }
}
