/// What a worker is asked to do: one item, or the items of an album.
public struct WorkRequest: Sendable, Codable, Equatable {
  /// The items.
  public var items: [BatchItem]
  /// Whether they get one gain and appear together.
  public var isAlbum: Bool
  /// Whether files that no earlier run of the batch wrote may be replaced.
  public var overwrite: Bool
  /// Bytes of rendered audio held in memory.
  public var spoolMemory: Int
  /// Number of the attempt, from 1.
  public var attempt: Int

  /// A request.
  public init(
    items: [BatchItem], isAlbum: Bool, overwrite: Bool, spoolMemory: Int, attempt: Int
  ) {
    self.items = items
    self.isAlbum = isAlbum
    self.overwrite = overwrite
    self.spoolMemory = spoolMemory
    self.attempt = attempt
  }
}
