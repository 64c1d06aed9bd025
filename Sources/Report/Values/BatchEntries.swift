/// The entries of a batch in its order, read one at a time: all entries of a large batch don't fit into memory.
package struct BatchEntries {
  /// How many there are.
  package let count: Int
  private let read: (Int) throws -> BatchReport.Entry

  /// `count` entries; `read` returns the one with a number from 0 on.
  package init(count: Int, read: @escaping (Int) throws -> BatchReport.Entry) {
    self.count = count
    self.read = read
  }

  /// Entries that are in memory.
  package init(_ entries: [BatchReport.Entry]) {
    self.init(count: entries.count) { entries[$0] }
  }

  /// The entry with this number, from 0.
  /// - Throws: what reading it throws.
  package subscript(_ number: Int) -> BatchReport.Entry {
    get throws { try read(number) }
  }

  /// Hands each entry to `body`.
  /// - Throws: what reading or `body` throws.
  package func forEach(_ body: (BatchReport.Entry) throws -> Void) throws {
    for number in 0..<count { try body(try read(number)) }
  }
}
