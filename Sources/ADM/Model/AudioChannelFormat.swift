/// A channel and its blocks (audioChannelFormat, BS.2076-2, 5.3).
package struct AudioChannelFormat: Sendable {
  package var id: ElementID
  package var name = ""
  package var kind: ContentKind
  /// In the order of the document.
  package var blocks: [AudioBlock] = []
  /// What blocks refer to; no two are equal.
  package var details: [BlockDetails] = []
  /// Frequency in Hz above which it has nothing; `nil` when nothing is stated.
  package var lowPass: Double?
  /// Frequency in Hz below which it has nothing; `nil` when nothing is stated.
  package var highPass: Double?

  /// What `block` has beside its own values.
  package func details(of block: AudioBlock) -> BlockDetails {
    details.indices.contains(Int(block.details)) ? details[Int(block.details)] : .none
  }
}
