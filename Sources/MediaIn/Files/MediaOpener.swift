import AudioCore
import ISOBMFF
import LibAV
import Platform

/// Opens the container of a file, and shows libavformat the file so that every version reads it alike.
struct MediaOpener {
  /// The file; that of an MP3 file leaves out what lies in front of its first frame.
  let file: LocalFile
  /// Bytes in front of the first MP3 frame that are left out.
  let junk: Int
  /// The open container.
  let context: InputContext
  /// What the container is.
  let format: ContainerTraits
  /// The header of a file for plain samples.
  let headers: PlainHeaders
  /// MP4 structure, where there is a movie box.
  let movie: MovieFacts?

  /// Opens `file` with these options of libav's demuxer.
  /// - Throws: ``MediaError`` when it is no known media, or damaged.
  init(_ file: LocalFile, _ options: [String: String]) throws {
    // A failure quotes libav's log. Only lines that this thread logs from here on belong to it.
    LibAVLog.forgetThread()
    movie = MovieFacts(ByteSource(size: file.size) { file.bytes(at: $0, count: $1) })
    headers = PlainHeaders(file)
    do {
      let opened = try MediaOpener.open(file, options, movie, headers)
      (self.file, junk) = (opened.file, opened.junk)
      (context, format) = (opened.container.context, opened.container.format)
    } catch let error as LibAVError {
      throw MediaOpener.failure(error, file)
    }
    if context.hasOtherText, let stated = RIFFCodePage(file)?.encoding {
      context.textEncoding = stated
    }
    try file.checkReads()
  }

  private typealias Container = (context: InputContext, format: ContainerTraits)

  /// Opens the container; that of an MP3 file without what lies in front of its first frame, because libavformat
  /// looks for the tag with the numbers of start-up samples and padding only at the beginning.
  private static func open(
    _ file: LocalFile, _ options: [String: String], _ movie: MovieFacts?,
    _ headers: PlainHeaders
  ) throws -> (file: LocalFile, junk: Int, container: Container) {
    // libavformat reads AU to the end of the file, whatever the header states.
    if let end = headers.au?.end, end < file.size {
      let stated = try LocalFile(file, without: end..<file.size)
      return (stated, 0, try openOther(stated, options))
    }
    let patches = headers.bits.patches
    let opened = Result {
      try movie.map { try openMovie(file, options, $0) } ?? openOther(file, options, patches)
    }
    // A file that nothing is recognised in may be an MP3 file, too.
    let mayBeMP3 =
      switch opened {
      case .success(let container): container.format.input?.startUp == .infoFrame
      case .failure(let error): (error as? LibAVError)?.meaning == .invalidData
      }
    guard mayBeMP3, let junk = MP3Frames.junk(in: file) else {
      return (file, 0, try opened.get())
    }
    let rest = try LocalFile(file, without: junk)
    return (rest, junk.count, try openOther(rest, options))
  }

  /// Opens a file with a movie box. The timeline applies edit lists, so the MP4 demuxer gets an option to ignore
  /// them.
  private static func openMovie(
    _ file: LocalFile, _ options: [String: String], _ movie: MovieFacts
  ) throws -> Container {
    do {
      let mixes = movie.tracks.compactMap(\.iamf).flatMap(\.patches)
      let opened = try open(file, withoutEdits(options), mixes)
      let patches = movie.tracks.flatMap { track in
        let stream = opened.context.streams.first { $0.id == track.id }
        return track.pcm.map { $0.name == stream?.codec ? [] : $0.patches } ?? []
      }
      return patches.isEmpty ? opened : try open(file, withoutEdits(options), mixes + patches)
    } catch let error as MediaError where error.kind == .usage {
      // The file may still be of another format, whose demuxer refuses the option.
      return try openOther(file, options)
    }
  }

  private static func openOther(
    _ file: LocalFile, _ options: [String: String], _ patches: [FilePatch] = []
  ) throws -> Container {
    let opened = try open(file, options, patches)
    // libavformat may find a movie where Pinna's own parser doesn't; its edits are ignored likewise.
    return opened.format.input?.extent == .boxes ? try open(file, withoutEdits(options)) : opened
  }

  private static func withoutEdits(_ options: [String: String]) -> [String: String] {
    options.merging(["ignore_editlist": "1"]) { _, ours in ours }
  }

  private static func open(
    _ file: LocalFile, _ options: [String: String], _ patches: [FilePatch] = []
  ) throws -> Container {
    let context = try InputContext(
      file: file, patches: patches, allowed: ContainerTraits.demuxers, options: options)
    guard let format = ContainerTraits.read(by: context.formatName) else {
      throw MediaError(
        .internal, about: file.path,
        "libavformat chose \(context.formatName), which isn't allowed")
    }
    return (context, format)
  }

  private static func failure(_ error: LibAVError, _ file: LocalFile) -> MediaError {
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
