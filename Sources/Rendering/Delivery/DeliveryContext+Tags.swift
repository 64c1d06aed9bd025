import AudioCore
import LibAV
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

  /// The pictures that an ID3 tag holds besides `tags`; others are reported.
  func framedPictures(_ tags: MediaTags) -> [AttachedPicture] {
    var left = ID3Block.longest - ID3Block(tags, pictures: []).bytes.count
    let fitting = companions.pictures.filter { picture in
      let size = picture.bytes.count + picture.text.utf8.count + 64
      guard size <= left else { return false }
      left -= size
      return true
    }
    notePictures(companions.pictures.count - fitting.count, limit: "256 MiB of an ID3 tag")
    return fitting
  }

  /// Reports pictures that are too large.
  func notePictures(_ missing: Int, limit: String) {
    guard missing > 0 else { return }
    log.degrade(
      .coverArtLeftOut,
      "\(missing) picture(s) are larger than the \(limit), and are left out")
  }
}
