// SPDX-License-Identifier: Apache-2.0
@testable import MediaIn

/// The bytes are a transport stream with programme maps.
func fuzzTransport(_ bytes: [UInt8]) {
  guard let file = FuzzInput.file(bytes) else { return }
  let maps = ProgrammeMaps(file)
  _ = maps.isRenumbered
  for pid in [0, 0x100, 0x101, 0x1FFF] {
    let next = maps.successors(of: pid)
    demand(next == Set(next).sorted(), "each PID stands once, in order")
    demand(next.allSatisfy { (0..<0x2000).contains($0) && $0 != pid }, "a PID has 13 bits")
  }
}
