// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Spatial

/// Files of libmysofa and HDF5 are given back, in a process of their own, whose memory is counted.
@Suite(
  .tags(.system), .fullRunOnly,
  .enabled(if: HeldResources.isCounted, "this C library doesn't say what it has given out"),
  .enabled(if: SOFARefusalTests.hasKemar, "libmysofa's KEMAR set is not installed"))
struct SOFAHandleTests {
  @Test("reading SOFA files releases all handles") func filesAreGivenBack() async {
    await #expect(processExitsWith: .success) {
      let path = SOFARefusalTests.kemar
      let read = try HeldResources.lost(in: 3) { _ = try SOFAFile(path: path).citation }
      #expect(read == nil, "SOFAFile: \(read ?? "")")
      let opened = try HeldResources.lost {
        let file = try HDF5File(path: path)
        _ = (file.text("SOFAConventions"), file.dimensions("Data.IR"), file.text("no such"))
      }
      #expect(opened == nil, "HDF5File: \(opened ?? "")")
      let refused = try HeldResources.lost(byRefusing: [
        { try SOFAFile(path: "/dev/null") }, { try HDF5File(path: "/nowhere/at/all.sofa") },
      ])
      #expect(refused == nil, "refused: \(refused ?? "")")
    }
  }
}
