import AudioCore
import MediaOut

extension DeliveryContext {
  /// The tags that Vorbis comments hold, of `limit` bytes at most; others are reported.
  func commentTags(atMost limit: Int = .max) -> MediaTags {
    var tags = self.tags
    var missing = tags.remove { !CommentBlock.takes($0) }
    var left = limit
    missing += tags.remove { entry in
      let size = CommentBlock.size(entry)
      guard size <= left else { return true }
      left -= size
      return false
    }
    SourceTags.noteLeftOut(missing, of: output.branch.plan.container.kind.traits.name, log)
    return tags
  }
}
