import ObjectMetadata

/// What the first frame of a presentation says of its objects.
struct ObjectFirstFrame {
  /// What the first update says of each decoded signal; `nil` where the frame has none.
  var infos: [ObjectInfo?] = []
  /// Decibels by which the stream lets dialogue be raised at most; `nil` where no object is dialogue.
  var dialogueLimit: Double?
}
