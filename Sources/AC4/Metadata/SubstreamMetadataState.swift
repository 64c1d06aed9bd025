/// The metadata of one substream, frame by frame.
struct SubstreamMetadataState {
  /// The metadata of the frame read last; `nil` before the first and for a concealed one.
  private(set) var current: AC4SubstreamMetadata?

  private let mode: AC4ChannelMode?
  private let role: SubstreamRole
  private let frameLength: Int
  private let books = MetadataBooks()
  private var reader = SubstreamMetadataReader()

  /// The state before the first frame of a substream whose codec frames have `frameLength` samples.
  /// - Parameter mode: its channels; `nil` for objects.
  init(_ mode: AC4ChannelMode?, _ role: SubstreamRole, frameLength: Int) {
    self.mode = mode
    self.role = role
    self.frameLength = frameLength
  }

  /// Reads `metadata` of the next frame. Nothing changes when it throws.
  mutating func read(
    _ bits: inout BitReader, _ info: SubstreamInfo
  ) throws(AC4Error) -> AC4SubstreamMetadata {
    let context = MetadataContext(
      mode: mode, syntaxVersion: info.syntaxVersion, isIFrame: info.isIFrame,
      isAssociated: role == .associated, isDialogue: role == .dialogue,
      frameLength: frameLength, books: books)
    var renewed = reader
    let data = try renewed.read(&bits, context)
    reader = renewed
    current = data
    return data
  }

  /// Leaves out a frame that couldn't be read; settings of the last I-frame stay.
  mutating func skip() { current = nil }

  /// Forgets the settings of the last I-frame.
  mutating func forgetSettings() { reader = SubstreamMetadataReader() }
}
