import AC4
import AudioCore
import ISOBMFF
import LibAV
import Platform

/// An opened media file: its container, its tracks and facts that libav doesn't hand out.
package final class MediaFile {
  /// The file.
  package let file: LocalFile
  /// The container, as its bytes show it.
  package let format: ContainerTraits
  /// libav's view of the container; `nil` for a raw AC-4 stream, which it doesn't know.
  package let container: InputContext?
  /// MP4 structure, read by our own parser because libav hides raw edit lists.
  package let movie: MovieFacts?
  /// All streams in container order.
  package let streams: [StreamInfo]

  /// Opens the local file at `path`.
  /// - Throws: ``MediaError`` when it is missing, unreadable, no known media, or damaged.
  package convenience init(path: String, options: InputOptions = InputOptions()) throws {
    try self.init(file: MediaFile.locate(path), options: options)
  }

  /// Opens an already opened file, e.g. buffered standard input.
  /// - Throws: ``MediaError`` as above.
  package init(file: LocalFile, options: InputOptions = InputOptions()) throws {
    self.file = file
    let head = file.bytes(at: 0, count: 16)
    guard !head.isEmpty else {
      throw MediaError(.inputUnreadable, about: file.path, "the file is empty; give a media file")
    }
    guard !AC4FrameScanner.isSyncWord(head.prefix(2)) else {
      format = .ac4
      container = nil
      movie = nil
      streams = [StreamInfo(elementary: CodecTraits.ac4.name)]
      return
    }
    // A failure quotes libav's log. Only lines that this thread logs from here on belong to it.
    LibAVLog.forgetThread()
    let facts = MovieFacts(ByteSource(size: file.size) { file.bytes(at: $0, count: $1) })
    do {
      let opened = try MediaFile.open(file, options.demuxerOptions, isMP4: facts != nil)
      format = opened.format
      container = opened.context
      movie = opened.format.input?.extent == .boxes ? facts : nil
      streams = opened.context.streams
    } catch let error as LibAVError {
      throw MediaFile.openFailure(error, file)
    }
  }

  /// Container tags; keys lower case.
  package var metadata: [String: String] { container?.metadata ?? [:] }

  /// Chapters as start and end in milliseconds with their title.
  package var chapters: [(start: Int64, end: Int64, title: String?)] { container?.chapters ?? [] }

  /// The container, where libav has to read it.
  func opened() throws -> InputContext {
    guard let container else {
      throw MediaError(.unsupportedFeature, about: file.path, "is a raw stream, not a container")
    }
    return container
  }

  /// Opens the container. The timeline applies edit lists, so the MP4 demuxer gets an option to ignore
  /// them. Other demuxers would refuse that option.
  private static func open(
    _ file: LocalFile, _ options: [String: String], isMP4: Bool
  ) throws -> (context: InputContext, format: ContainerTraits) {
    let open =
      {
        let context = try InputContext(
          file: file, allowed: ContainerTraits.demuxers, options: $0)
        guard let format = ContainerTraits.read(by: context.formatName) else {
          throw MediaError(
            .internal, about: file.path,
            "libavformat chose \(context.formatName), which isn't allowed")
        }
        return (context, format)
      } as ([String: String]) throws -> (InputContext, ContainerTraits)
    let withoutEdits = options.merging(["ignore_editlist": "1"]) { _, ours in ours }
    if isMP4 {
      // A file with a movie box may still be of another format, whose demuxer refuses the option.
      do { return try open(withoutEdits) } catch let error as MediaError where error.kind == .usage
      {}
    }
    let opened = try open(options)
    guard !isMP4, opened.1.input?.extent == .boxes else { return opened }
    return try open(withoutEdits)
  }

  /// Whether the container states its length; only then ``isCut`` means anything.
  var statesExtent: Bool {
    switch format.input?.extent {
    case .boxes: return movie != nil
    case .lastPage: return true
    case .segment: return segmentEnd != nil
    case nil: return false
    }
  }

  private var segmentEnd: Int64? { MatroskaSegment.end(head: file.bytes(at: 0, count: 4096)) }

  /// Whether the file is shorter than its container states.
  var isCut: Bool {
    switch format.input?.extent {
    case .boxes: return movie?.isTruncated == true
    case .lastPage:
      let start = max(0, file.size - Int64(OggPage.tail))
      return OggPage.isCut(file.bytes(at: start, count: OggPage.tail))
    case .segment: return segmentEnd.map { $0 > file.size } ?? false
    case nil: return false
    }
  }

  /// The MP4 track behind a stream, if any.
  func track(of stream: StreamInfo) -> TrackFacts? {
    movie?.tracks.first { $0.id == stream.id }
  }

  /// The layout that `chnl` states for a track in MP4, which libavformat reads from version 60 on only.
  func statedLayout(of stream: StreamInfo) -> ChannelLayout? {
    guard case .positions(let numbers) = track(of: stream)?.channelLayout?.layout else {
      return nil
    }
    return ChannelPositions.layout(of: numbers)
  }

  /// Whether a track in MP4 says that it is binaural.
  func isBinaural(_ stream: StreamInfo) -> Bool { track(of: stream)?.channelTag == .binaural }

  /// Opens the local file at `path`; URLs are refused by name.
  /// - Throws: ``MediaError`` when it is missing, no regular file, or a URL.
  package static func locate(_ path: String) throws -> LocalFile {
    if let scheme = scheme(of: path) {
      throw MediaError(
        .unsupportedFeature, about: path,
        "reading by \(scheme): URL isn't supported; download the file and give its path")
    }
    return try LocalFile(path: path)
  }

  private static func scheme(of path: String) -> Substring? {
    guard let end = path.firstRange(of: "://") else { return nil }
    let scheme = path[..<end.lowerBound]
    let isScheme = scheme.first?.isLetter == true && scheme.allSatisfy { $0.isASCII && $0 != "/" }
    return isScheme ? scheme : nil
  }

  private static func openFailure(
    _ error: LibAVError, _ file: LocalFile
  ) -> MediaError {
    let detail = LibAVLog.threadLines.last.map { " (\($0))" } ?? ""
    switch error.meaning {
    case .outOfMemory:
      return MediaError(
        .outOfResources, about: file.path, "not enough memory to open it; try again",
        cause: error)
    // libav reports this error for some damaged headers, too. The disk is at fault only when the last
    // byte can't be read either.
    case .inputOutput where file.bytes(at: file.size - 1, count: 1).isEmpty:
      return MediaError(
        .inputUnreadable, about: file.path, "reading failed; check the disk", cause: error)
    default:
      return MediaError(
        .inputUnreadable, about: file.path,
        "is not a media file Pinna can read, or its header is damaged\(detail); "
          + "check it with ffprobe", cause: error)
    }
  }
}
