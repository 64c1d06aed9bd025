// SPDX-License-Identifier: Apache-2.0
import Signal
import Testing

/// Designs that are asked for again are shared, and no more are kept than there is room for.
@Suite struct SharedDesignsTests {
  private struct Refusal: Error {}

  @Test("each key has its own design, made once while it is among those that were asked for last")
  func designsAreMadeOnceWhileTheyAreKept() {
    let shared = SharedDesigns<Int, String>(capacity: 2)
    var made: [Int] = []
    func ask(_ key: Int) -> String {
      shared.design(for: key) {
        made.append(key)
        return "design \(key)"
      }
    }
    // Asking for 1 again makes 2 the oldest, which 3 replaces.
    for key in [1, 2, 1, 3, 1, 3, 2] { #expect(ask(key) == "design \(key)") }
    #expect(made == [1, 2, 3, 2])
  }

  @Test("a design that fails is made again") func failuresAreNotKept() throws {
    let shared = SharedDesigns<Int, Int>(capacity: 2)
    #expect(throws: Refusal.self) { try shared.design(for: 1) { throw Refusal() } }
    #expect(shared.design(for: 1) { 7 } == 7)
  }

  @Test("a design may ask for another of its kind") func designsMayNest() {
    let shared = SharedDesigns<Int, Int>(capacity: 4)
    func factorial(_ number: Int) -> Int {
      shared.design(for: number) { number < 2 ? 1 : number * factorial(number - 1) }
    }
    #expect(factorial(5) == 120 && factorial(5) == 120)
  }

  @Test("threads that ask at once get the design of their key") func threadsGetTheirOwn() async {
    let shared = SharedDesigns<Int, Int>(capacity: 2)
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask { shared.design(for: number % 3) { number % 3 * 10 } == number % 3 * 10 }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
