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
  private let flags: [Bool]

  /// Whether codec frame `part` can be read without earlier ones.
  func isIFrame(_ part: Int) -> Bool { part < flags.count && flags[part] }

  init(
    _ toc: AC4TableOfContents, _ index: Int, _ presentation: AC4Presentation
  ) throws(AC4Error) {
    let groups = presentation.groups.compactMap {
      toc.groups.indices.contains($0) ? toc.groups[$0] : nil
    }
    let substreams = groups.flatMap(\.substreams)
    if let objects = substreams.compactMap(\.objects).first {
      throw .unsupported(objects.isJointlyCoded ? "joint object coding (A-JOC)" : "object audio")
    }
    guard presentation.frameRateFraction == 1 else {
      throw .unsupported("efficient high frame rate mode")
    }
    guard let substream = substreams.first, let first = substream.index else {
      throw .unsupported("presentation without audio in this stream")
    }
    guard substreams.count == 1 else {
      throw .unsupported("mixing of \(substreams.count) substreams")
    }
    guard let mode = toc.channelMode(of: presentation) else {
      throw .unsupported("presentation without channels")
    }
    self.presentation = index
    self.mode = mode
    addsToSurrounds = substream.addsToSurrounds
    parts = max(1, substream.isIFrame.count)
    firstSubstream = first
    flags = substream.isIFrame
  }
}
