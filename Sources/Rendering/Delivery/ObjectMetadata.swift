import ADM
import AudioCore
import MediaIn
import MediaOut

/// The audio definition metadata (ITU-R BS.2076-2) of a programme that is stored as it is.
struct ObjectMetadata {
  /// The document.
  let document: WAVChunk
  /// Which track belongs to which part of the document.
  let tracks: WAVChunk

  /// The metadata of `programme`, whose planes have `length` samples; `updates` are those of each plane, none
  /// at all where objects rest, and `name` is that of the programme.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` or `usage` for a programme that they can't describe.
  init(
    name: String, programme: Programme, updates: [[ObjectUpdate]], length: Int64, bitDepth: Int?,
    times: ADMTimeForm = .decimal
  ) throws {
    let updates = updates.isEmpty ? Array(repeating: [], count: programme.planes) : updates
    do {
      let writer = try ADMWriter(
        WrittenProgramme(
          name: name, programme, updates: updates, length: length, bitDepth: bitDepth),
        times: times)
      document = WAVChunk(id: "axml", bytes: writer.document)
      tracks = WAVChunk(id: "chna", bytes: writer.channelTable.bytes)
    } catch {
      throw error.mediaError(about: name)
    }
  }
}
