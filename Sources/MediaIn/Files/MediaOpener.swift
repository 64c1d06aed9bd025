// SPDX-License-Identifier: Apache-2.0
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
  let format: ContainerTraits
  /// The header of a file for plain samples.
  let headers: PlainHeaders
  /// MP4 structure, where there is a movie box.
  let movie: MovieFacts?

  /// Opens `file` with these options of libav's demuxer.
  /// - Throws: ``MediaError`` when it is no known media, or damaged.
  init(_ file: LocalFile, _ options: [String: String]) throws {
    movie = MovieFacts(file.source)
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
      let patches = headers.bits.patches + (headers.au?.patches ?? [])
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

/// Opens a file of bare frames as what its name promises. libavformat asks for many frames before it believes its own
/// eyes, so a stream of a few is nothing to it, or MP3.
enum NamedFormat {
  /// Packets that are tried before the first frame comes.
  private static let tried = 16

  /// The container that the extension of the file's name promises, where the file begins with a frame of it; `nil` for
  /// everything else.
  static func open(
    _ file: LocalFile, _ options: [String: String]
  ) -> (context: InputContext, format: ContainerTraits)? {
    for format in promised(by: file.path) where format.input?.clock == .counted {
      for demuxer in format.input?.demuxers ?? [] {
        let open = {
          try InputContext(file: file, as: demuxer, allowed: [demuxer], options: options)
        }
        // Looking at the frame moves on, so the container is opened a second time.
        if let look = try? open(), begins(look, at: ID3Tag.length(in: file)),
          let context = try? open()
        {
          return (context, format)
        }
      }
    }
    return nil
  }

  /// The containers that the extension of `name` stands for.
  static func promised(by name: String) -> [ContainerTraits] {
    guard let dot = name.lastIndex(of: "."), !PathParts.hasFolder(String(name[dot...])) else {
      return []
    }
    return ContainerTraits.promised(by: name[name.index(after: dot)...].lowercased())
  }

  /// Whether the first packet lies at byte `start` and an intact frame comes of it. Demuxers of bare frames take any
  /// bytes for some.
  private static func begins(_ context: InputContext, at start: Int64) -> Bool {
    guard let stream = context.streams.first(where: { $0.kind == .audio }) else { return false }
    do {
      let (packet, frame) = (try Packet(), try Frame())
      let decoder = try context.makeDecoder(stream: stream.index, options: stream.decoderOptions)
      for index in 0..<tried {
        guard try context.read(into: packet) else { break }
        guard index > 0 || packet.position == start else { return false }
        try decoder.send(packet)
        if try decoder.receive(into: frame) { return frame.frames > 0 && !frame.isDamaged }
      }
      try decoder.send(nil)
      return try decoder.receive(into: frame) && frame.frames > 0 && !frame.isDamaged
    } catch { return false }
  }
}

/// The beginning of a FLAC file behind bytes that are no part of it.
enum FLACMarker {
  /// Markers that are followed, and metadata blocks behind each; a hostile file may hold nothing else.
  private static let (mostMarkers, mostBlocks) = (16, 128)
  /// The marker (RFC 9639, 6) and the head of the stream information, which is the first block and has 34 bytes.
  private static let (marker, firstSize): ([UInt8], [UInt8]) = (Array("fLaC".utf8), [0, 0, 34])

  /// The bytes between the ID3v2 tags at the beginning and the marker, or these tags, of which libavformat passes over one
  /// alone; `nil` when the marker stands at the beginning, or none that leads to a frame within ``MP3Frames/longestJunk``
  /// bytes.
  static func junk(in file: LocalFile) -> Range<Int64>? {
    let start = ID3Tag.length(in: file)
    let bytes = file.bytes(at: start, count: MP3Frames.longestJunk + 8)
    if start > 0, isMarker(bytes[...]), leadsToFrame(start, in: file) { return 0..<start }
    let places = bytes.indices.dropFirst().lazy.filter { isMarker(bytes[$0...]) }
    let found = places.prefix(mostMarkers).first { leadsToFrame(start + Int64($0), in: file) }
    return found.map { start..<start + Int64($0) }
  }

  private static func isMarker(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count >= 8, bytes.first == marker[0], bytes.starts(with: marker) else {
      return false
    }
    let head = bytes.dropFirst(4)
    return head.first.map { $0 & 0x7F == 0 } == true && head.dropFirst().starts(with: firstSize)
  }

  /// Whether the metadata blocks behind the marker at `place` end where a frame begins. In Ogg and Matroska, which hold
  /// the same header, they don't.
  private static func leadsToFrame(_ place: Int64, in file: LocalFile) -> Bool {
    var offset = place + 4
    for _ in 0..<mostBlocks {
      let head = file.bytes(at: offset, count: 4)
      guard head.count == 4, head[0] & 0x7F < 127 else { return false }
      offset += 4 + head[1...].bigEndian(Int64.self)
      guard head[0] & 0x80 != 0 else { continue }
      // The sync code, and the bit of the blocking strategy (RFC 9639, 9.1).
      let sync = file.bytes(at: offset, count: 2)
      return sync.count == 2 && sync[0] == 0xFF && sync[1] & 0xFE == 0xF8
    }
    return false
  }
}

/// The code page of a RIFF file's text: the first field of its `CSET` chunk (Multimedia Programming Interface and Data
/// Specifications 1.0, chapter 2).
struct RIFFCodePage {
  /// Its number, never 0, which stands for none.
  let number: Int

  /// The encoding of this page; `nil` where it isn't known.
  var encoding: TextEncoding? { TextEncoding(codePage: number) }

  /// Chunks that are looked at; real files have a dozen.
  private static let limit = 65_536

  /// Looks for the chunk in `file`; `nil` where it is no RIFF file or states no page.
  init?(_ file: LocalFile) {
    let magic = String(decoding: file.bytes(at: 0, count: 4), as: UTF8.self)
    guard ["RIFF", "RF64", "BW64"].contains(magic) else { return nil }
    var offset: Int64 = 12
    for _ in 0..<RIFFCodePage.limit {
      let chunk = file.bytes(at: offset, count: 10)
      guard chunk.count == 10 else { return nil }
      let size = chunk[4..<8].littleEndian(Int64.self)
      if chunk.starts(with: "CSET".utf8) {
        number = chunk[8..<10].littleEndian()
        guard size >= 2, number > 0 else { return nil }
        return
      }
      offset += 8 + size + size % 2
    }
    return nil
  }
}

extension MediaFile {
  /// Reports how tags and titles were read that aren't UTF-8.
  func noteText(_ log: DiagnosticLog) {
    guard let container, container.hasOtherText else { return }
    let page = RIFFCodePage(file).map { page in
      "the code page \(page.number)" + (page.encoding == nil ? ", which isn't known here" : "")
    }
    log.decide(
      .metadata, "read as \(container.textEncoding.rawValue)",
      why: "tags or titles aren't UTF-8, and the file states \(page ?? "no code page")")
  }
}

extension PCMFacts {
  /// libavcodec's name of the format, e.g. `pcm_s24be`.
  var name: String { "pcm_\(isFloat ? "f" : "s")\(bits)\(isLittleEndian ? "le" : "be")" }

  /// QuickTime's names for the same format (QuickTime File Format, Sound Sample Descriptions). libavformat knows
  /// those in every version, but `ipcm` only as 16 bits and `fpcm` not at all before 6.1.
  var patches: [FilePatch] {
    let type =
      switch (isFloat, bits) {
      case (true, let bits): "fl\(bits)"
      case (false, 16): isLittleEndian ? "sowt" : "twos"
      case (false, let bits): "in\(bits)"
      }
    return [
      FilePatch(offset: entry, bytes: Array(type.utf8)),
      // `enda` states the order of bytes in its first two.
      FilePatch(offset: configuration, bytes: Array("enda".utf8) + [0, isLittleEndian ? 1 : 0]),
    ]
  }
}

extension IAMFFacts {
  /// Names that no version of libavformat knows, so that each sample stays one packet. From 7.0 on it would split
  /// samples into substreams, and refuse files whose parameters it doesn't understand.
  var patches: [FilePatch] {
    [
      FilePatch(offset: entry, bytes: Array("priv".utf8)),
      FilePatch(offset: configuration, bytes: Array("free".utf8)),
    ]
  }
}
