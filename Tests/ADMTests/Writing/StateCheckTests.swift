// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import ADM

/// The limits of writable states of an object, as ITU-R BS.2076-2 has them.
@Suite struct StateCheckTests {
  private func isWritable(_ change: (inout ObjectState) -> Void) -> Bool {
    var state = ObjectState()
    change(&state)
    return (try? StateCheck.check(state, of: "an object")) != nil
  }

  @Test("gain, diffuseness, extent and divergence are writable up to the ends of BS.2076-2")
  func numbersHaveTheirEnds() {
    #expect(isWritable { $0.gain = 1000 } && !isWritable { $0.gain = 1000.1 })
    #expect(isWritable { $0.diffuse = 1 } && !isWritable { $0.diffuse = 1.01 })
    #expect(isWritable { $0.extent = ObjectExtent(width: 360, height: 360, depth: 1) })
    #expect(!isWritable { $0.extent = ObjectExtent(width: 361, height: 0, depth: 0) })
    #expect(!isWritable { $0.extent = ObjectExtent(width: 0, height: 361, depth: 0) })
    for (value, range, isRight) in [(1.0, 180.0, true), (1.01, 30, false), (0.5, 180.5, false)] {
      let found = isWritable { $0.rules.divergence = .init(value: value, range: range) }
      #expect(found == isRight, "\(value), \(range)")
    }
    #expect(
      !isWritable {
        $0.position = .cartesian(x: 0, y: 1, z: 0)
        $0.extent = ObjectExtent(width: 1.1, height: 0, depth: 0)
      })
  }
}
