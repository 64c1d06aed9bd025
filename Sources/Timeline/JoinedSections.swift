import AudioCore

/// One section of a joined programme.
package enum JoinedSection {
  /// The section is missing; silence of this length replaces it.
  case silence(MediaTime)
  /// Sound, from its first valid sample.
  case sound(any AccountedSource)
}

/// The sections of a joined programme, each opened when its turn comes.
package protocol JoinedSections: AnyObject {
  /// How many there are.
  var count: Int { get }

  /// Opens the section with this index; asked once for each, in order.
  /// - Parameter position: samples of the joined programme before it.
  /// - Throws: ``MediaError`` when it can't be opened.
  func open(_ index: Int, at position: Int64) throws -> JoinedSection

  /// Makes a prepared stage that turns the channels of a section into those of the joined programme.
  /// - Throws: ``MediaError`` when there is none.
  func makeConverter(from section: AudioFormat, to joined: AudioFormat) throws -> any AudioStage

  /// Samples of the section were read.
  func didRead(_ index: Int)

  /// The section's last sample was read.
  func didEnd(_ index: Int)
}
