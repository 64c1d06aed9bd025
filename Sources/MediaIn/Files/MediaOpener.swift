import AudioCore
import ISOBMFF
import LibAV
import Platform

/// Opens the container of a file, and shows libavformat the file so that every version reads it alike.
struct MediaOpener {
  /// The file; that of an MP3 or FLAC file leaves out what lies in front of the stream, and tags after it.
  let file: LocalFile
  /// Bytes in front of the stream that are left out.
  let junk: Int
  /// Whether the format was taken from the file's name, because the bytes alone don't show it.
  let isNamed: Bool
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
    movie = MovieFacts(ByteSource(size: file.size) { file.bytes(at: $0, count: $1) })
    headers = PlainHeaders(file)
    let opened = try MediaOpener.open(file, options, movie, headers)
    (self.file, junk, isNamed) = (opened.file, opened.junk, opened.isNamed)
    (context, format) = opened.container
    if context.hasOtherText, let stated = RIFFCodePage(file)?.encoding {
      context.textEncoding = stated
    }
    try opened.file.checkReads()
  }

  private typealias Container = (context: InputContext, format: ContainerTraits)

  private struct Opened {
    let file: LocalFile
    let container: Container
    var junk = 0
    var isNamed = false
  }

  /// Opens the container as the bytes say; where they say nothing, as the name does or behind junk.
  private static func open(
    _ file: LocalFile, _ options: [String: String], _ movie: MovieFacts?,
    _ headers: PlainHeaders
  ) throws -> Opened {
    // A failure quotes libav's log. Only lines that this thread logs from here on belong to it.
    LibAVLog.forgetThread()
    do {
      // libavformat reads AU to the end of the file, whatever the header states.
      if let end = headers.au?.end, end < file.size {
        let stated = try LocalFile(file, without: end..<file.size)
        return Opened(file: stated, container: try openOther(stated, options))
      }
      let patches = headers.bits.patches
      let container = try OpenFailure.again {
        try movie.map { try openMovie(file, options, $0) } ?? openOther(file, options, patches)
      }
      // libavformat looks for the tag with the numbers of start-up samples and padding only at the beginning of MP3.
      let isSearched = container.format.input?.startUp == .infoFrame
      let junk = isSearched ? MP3Frames.junk(in: file) : nil
      let tags = container.format.input?.tagsAtEnd
      guard junk != nil || tags.flatMap({ TrailingTags($0).range(in: file) }) != nil else {
        return Opened(file: file, container: container)
      }
      return try open(file, without: junk, tags, options)
    } catch let error as LibAVError {
      let log = OpenFailure.log
      if let container = NamedFormat.open(file, options) {
        return Opened(file: file, container: container, isNamed: true)
      }
      // Junk may look like any format.
      let lead = FLACMarker.junk(in: file).map { ($0, ContainerTraits.flac) }
      if let (junk, format) = lead ?? MP3Frames.junk(in: file).map({ ($0, .mp3) }),
        let opened = try? open(file, without: junk, format.input?.tagsAtEnd, options)
      {
        return opened
      }
      throw OpenFailure(container: file, error, log: log).error
    }
  }

  private static func open(
    _ file: LocalFile, without junk: Range<Int64>?, _ tags: ContainerInputTraits.TagsAtEnd?,
    _ options: [String: String]
  ) throws -> Opened {
    // The tail goes first, so that the places in front of it stay.
    let tail = tags.flatMap { TrailingTags($0).range(in: file, after: junk?.upperBound ?? 0) }
    let sound = try tail.map { try LocalFile(file, without: $0) } ?? file
    let rest = try junk.map { try LocalFile(sound, without: $0) } ?? sound
    return Opened(file: rest, container: try openOther(rest, options), junk: junk?.count ?? 0)
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
    if opened.format.input?.hasProgrammeMaps == true, ProgrammeMaps(file).isRenumbered {
      return try open(file, options.merging(["merge_pmt_versions": "1"]) { own, _ in own }, patches)
    }
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
}
