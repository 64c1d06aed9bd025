// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A source that passes on the blocks of another one, which it looks at or changes.
package protocol PassingSource: ProgrammeSource {
  var source: any ProgrammeSource { get }
  /// Room for a block of ``source``.
  var own: ProgrammeBlock { get }
  /// Appends what becomes of ``own`` to `block`.
  /// - Throws: ``MediaError``.
  func pass(into block: ProgrammeBlock) throws
}

extension PassingSource {
  package func read(into block: ProgrammeBlock) throws -> Bool {
    own.removeAll()
    let goesOn = try source.read(into: own)
    try pass(into: block)
    return goesOn
  }

  package func skip(_ count: Int64) throws -> Int64 { try source.skip(count) }
}

/// A source whose blocks are looked at while they are read.
package final class OverheardSource: PassingSource {
  /// Sees every block. Set before the first is read.
  package var take: ((ProgrammeBlock) throws -> Void)?
  package let source: any ProgrammeSource
  package let own: ProgrammeBlock

  /// `source`, of which `take` sees every block.
  package init(_ source: any ProgrammeSource, _ take: ((ProgrammeBlock) throws -> Void)? = nil) {
    (self.source, self.take) = (source, take)
    own = ProgrammeBlock(source.programme)
  }

  package var programme: Programme { source.programme }

  package func pass(into block: ProgrammeBlock) throws {
    try take?(own)
    block.append(own)
  }
}
