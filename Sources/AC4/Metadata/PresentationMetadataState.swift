/// The metadata of one presentation's own substream, frame by frame.
struct PresentationMetadataState {
  private let mode: AC4ChannelMode?
  private let frameLength: Int
  private let books = MetadataBooks()
  private var reader = PresentationMetadataReader()

  /// The state before the first frame of a presentation with these channels; `nil` for objects.
  /// - Parameter frameLength: samples of a transport frame at the coded rate.
  init(_ mode: AC4ChannelMode?, frameLength: Int) {
    self.mode = mode
    self.frameLength = frameLength
  }

  /// Reads the substream of `presentation` in the frame that `bits` begins; `nil` when it has none, as in
  /// streams of bitstream version 0. Nothing changes when it throws.
  /// - Parameter substreams: how many substreams its groups have together.
  mutating func read(
    _ bits: BitReader, _ toc: AC4TableOfContents, _ presentation: AC4Presentation,
    substreams: Int
  ) throws(AC4Error) -> AC4PresentationMetadata? {
    guard let index = presentation.substream else { return nil }
    guard toc.substreams.indices.contains(index) else {
      throw .damaged("a presentation without its substream")
    }
    let range = toc.substreams[index]
    var part = try bits.part(at: range.lowerBound, count: range.count)
    let context = MetadataContext(
      mode: mode, syntaxVersion: 1, isIFrame: presentation.isIndependent,
      frameLength: frameLength, books: books)
    var renewed = reader
    let data = try renewed.read(&part, presentation, substreams: substreams, context)
    reader = renewed
    return data
  }

  /// Forgets the settings of the last I-frame.
  mutating func forgetSettings() { reader = PresentationMetadataReader() }
}
