// SPDX-License-Identifier: Apache-2.0
import FuzzTargets
import Platform

/// The target that the environment names as `PINNA_FUZZ_TARGET`.
private let target: FuzzTarget = {
  let name = getenv("PINNA_FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget.named(name) else {
    let known = FuzzTarget.all.map(\.name).joined(separator: ", ")
    fatalError("PINNA_FUZZ_TARGET is \"\(name)\"; give one of \(known)")
  }
  return target
}()

/// The function that libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  target.run(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
