/// Where the audio of a presentation is found in a frame.
struct PresentationSource {
  /// Index of the presentation.
  let presentation: Int
  /// Channels that are coded.
  let mode: AC4ChannelMode
  /// Whether a wide or top pair belongs to the surrounds (`add_ch_base`).
  let addsToSurrounds: Bool
  /// Codec frames in the transport frame.
  let parts: Int
  /// Substream of the first of them.
  let firstSubstream: Int
  /// For each codec frame whether it can be read without earlier ones, one bit each.
  private let flags: UInt8

  /// Whether codec frame `part` can be read without earlier ones.
  func isIFrame(_ part: Int) -> Bool { flags >> UInt8(part & 7) & 1 == 1 }

  init(
    _ toc: AC4TableOfContents, _ index: Int, _ presentation: AC4Presentation
  ) throws(AC4Error) {
    var count = 0
    var chosen: (group: Int, place: Int)?
    for group in presentation.groups where toc.groups.indices.contains(group) {
      for (place, substream) in toc.groups[group].substreams.enumerated() {
        if let objects = substream.objects {
          throw .unsupported(
            objects.isJointlyCoded ? "joint object coding (A-JOC)" : "object audio")
        }
        if chosen == nil { chosen = (group, place) }
        count += 1
      }
    }
    guard presentation.frameRateFraction == 1 else {
      throw .unsupported("efficient high frame rate mode")
    }
    guard let chosen,
      let first = toc.groups[chosen.group].substreams[chosen.place].index
    else { throw .unsupported("presentation without audio in this stream") }
    guard count == 1 else { throw .unsupported("mixing of \(count) substreams") }
    guard let mode = toc.channelMode(of: presentation) else {
      throw .unsupported("presentation without channels")
    }
    let substream = toc.groups[chosen.group].substreams[chosen.place]
    self.presentation = index
    self.mode = mode
    addsToSurrounds = substream.addsToSurrounds
    parts = max(1, substream.isIFrame.count)
    firstSubstream = first
    var flags: UInt8 = 0
    for (part, isIFrame) in substream.isIFrame.prefix(8).enumerated() where isIFrame {
      flags |= 1 << UInt8(part)
    }
    self.flags = flags
  }
}
