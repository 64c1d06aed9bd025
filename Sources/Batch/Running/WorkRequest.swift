/// What a worker is asked to do: one item, or the items of an album.
package struct WorkRequest: Sendable, Codable, Equatable {
  /// The items.
  package var items: [BatchItem]
  /// Whether they get one gain and appear together.
  package var isAlbum: Bool
  /// Whether files that no earlier run of the batch wrote may be replaced.
  package var overwrite: Bool
  /// Bytes of rendered audio held in memory.
  package var spoolMemory: Int
  /// Number of the attempt, from 1.
  package var attempt: Int

  /// A request.
  package init(
    items: [BatchItem], isAlbum: Bool, overwrite: Bool, spoolMemory: Int, attempt: Int
  ) {
    self.items = items
    self.isAlbum = isAlbum
    self.overwrite = overwrite
    self.spoolMemory = spoolMemory
    self.attempt = attempt
  }
}
