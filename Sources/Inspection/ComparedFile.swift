import AudioCore
import LibAV
import MediaIn
import Rendering
import Timeline

/// One of the files of a comparison, open from its first sample.
struct ComparedFile {
  let input: MediaInput
  let source: TrackSource
  /// Its channels; objects and sound fields as ITU-R BS.1770-5 renders them.
  let channels: ChannelSource
  let log: DiagnosticLog

  /// Opens the file at `path`.
  /// - Throws: ``MediaError`` that names the file.
  init(path: String, decoding: InputOptions) throws {
    log = DiagnosticLog()
    // Channels are compared by their number where nothing names them.
    var decoding = decoding
    decoding.needsPlaces = false
    do {
      input = try MediaInput(
        path: path, track: decoding.track, bounds: decoding.bounds, log: log,
        isCancelled: { Task.isCancelled })
      source = try TrackSource(input: input, decoding: decoding, log: log)
      channels = try ChannelSource(source, layout: nil, log: log)
    } catch {
      throw MediaError(any: error, input: WebAddress.withoutCredentials(path))
    }
  }
}
