/// The elements of one audioFormatExtended, as they stand in the document: nothing is resolved.
package struct ADMDocument: Sendable {
  /// The N of `ITU-R_BS.2076-N`; 1 when nothing is stated.
  package var version = 1
  package var programmes: [AudioProgramme] = []
  package var contents: [AudioContent] = []
  package var objects: [AudioObject] = []
  package var packs: [AudioPackFormat] = []
  package var channels: [AudioChannelFormat] = []
  package var streams: [AudioStreamFormat] = []
  package var trackFormats: [AudioTrackFormat] = []
  package var tracks: [AudioTrackUID] = []

  /// A document without elements.
  package init() {}

  /// Blocks of all channels.
  package var blockCount: Int { channels.reduce(0) { $0 + $1.blocks.count } }
}
