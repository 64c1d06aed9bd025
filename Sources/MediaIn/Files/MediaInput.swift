// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Platform

/// An input as the user named it: a local file, an http or https URL, or an HLS playlist at either.
///
/// The network is used only for a URL that the user named and for URLs in a playlist that the user named.
/// Everything fetched is stored in an unlinked temporary file and read from there.
package final class MediaInput {
  /// Name that the user gave, without user, password and values that may give access.
  package let name: String
  /// The file itself; for HLS it is the playlist.
  package let file: LocalFile
  /// The programme that a playlist describes; `nil` when the input is no playlist.
  package let presentation: StreamPresentation?
  /// The set of master files whose root was named, with the modes for headphones that it states; `nil` for any other
  /// input.
  private let master: MasterFiles?
  private let bounds: InputBounds
  /// The parts that follow one another; none for a file that is one.
  package private(set) lazy var parts = SoundPart.parts(of: presentation, file)

  /// An opened local file, such as buffered standard input; never a playlist.
  package init(file: LocalFile) {
    name = file.path
    self.file = file
    presentation = nil
    master = nil
    bounds = InputBounds()
  }

  /// Opens what lies at `path`, within `bounds`. A file is read as a playlist when its content begins as one
  /// and its name (`.m3u8`, `.m3u`) or the server's media type says so, too.
  /// - Throws: ``MediaError`` of kind `inputMissing`, `inputUnreadable`, `unavailable`, `unsupportedFeature`,
  ///   `usage`, `diskFull` or `interrupted`.
  package convenience init(
    path: String, track: TrackChoice = .automatic, bounds: InputBounds = InputBounds(),
    log: DiagnosticLog,
    isCancelled: @escaping () -> Bool = { false }
  ) throws {
    let loader = ResourceLoader(bounds: bounds, isCancelled: isCancelled)
    try self.init(path: path, track: track, log: log, loader: loader)
  }

  init(path: String, track: TrackChoice, log: DiagnosticLog, loader: ResourceLoader) throws {
    let address: ResourceAddress
    let isNamedPlaylist: Bool
    bounds = loader.bounds
    if let web = WebAddress(path) {
      name = web.publicText
      let content = try TemporaryFile()
      let arrival = try loader.append(.web(web), from: .user, to: content)
      file = try content.sealed(name: name)
      master = nil
      address = arrival.address
      isNamedPlaylist =
        MediaInput.isPlaylistName(web.lastComponent)
        || MediaInput.playlistTypes.contains(arrival.mediaType ?? "")
      if !arrival.isSizeKnown, !isNamedPlaylist {
        log.degrade(
          .lengthUnknown,
          "the server doesn't say how long the file is, so a broken transfer looks the same as its "
            + "end")
      }
    } else {
      name = path
      try MasterFiles.refusePart(path)
      master =
        try MasterFiles.isRoot(path)
        ? MasterFiles(path: path, bounds: loader.bounds, followsModes: true) : nil
      file = try master?.audio ?? loader.bounds.open(path)
      address = .localPlaylist(path)
      isNamedPlaylist = MediaInput.isPlaylistName(path)
    }
    guard isNamedPlaylist,
      PlaylistLine.beginsPlaylist(file.bytes(at: 0, count: PlaylistLine.headLength))
    else {
      presentation = nil
      return
    }
    guard file.size <= PlaylistLine.limit else {
      throw MediaError(
        .inputUnreadable, about: name,
        "a playlist of more than \(PlaylistLine.limit >> 20) MiB isn't one")
    }
    presentation = try StreamPresentation(
      file.bytes(at: 0, count: PlaylistLine.limit), at: address, track: track, loader: loader,
      log: log)
  }

  /// Local files this input is read from, besides ``file``.
  package var localFiles: [String] { presentation?.localFiles ?? master?.localFiles ?? [] }

  /// The set of master files that ``file`` is the sound of, as `options` want it; `nil` for any other input.
  /// - Throws: ``MediaError`` when its files can't be read any more.
  func master(_ options: InputOptions) throws -> MasterFiles? {
    guard master != nil, options.objects.headphoneModes == .ignore else { return master }
    return try MasterFiles(path: name, bounds: bounds, followsModes: false)
  }

  /// `options` for the file, or for the parts of the programme: which rendition of a playlist is wanted is decided
  /// already, and only the track inside it is left to be chosen.
  package func decoding(_ options: InputOptions) -> InputOptions {
    var options = options
    options.track = presentation?.track ?? options.track
    return options
  }

  private static let playlistTypes: Set<String> = [
    "application/vnd.apple.mpegurl", "application/x-mpegurl", "audio/mpegurl", "audio/x-mpegurl",
  ]

  private static func isPlaylistName(_ name: String) -> Bool {
    let lower = name.lowercased()
    return lower.hasSuffix(".m3u8") || lower.hasSuffix(".m3u")
  }
}

/// A part of an input that has headers, start-up and end of its own.
package enum SoundPart {
  /// Consecutive segments of HLS.
  case section(StreamSection)
  /// A link of a chained Ogg file: its number, from 1, and its bytes.
  case link(Int, Range<Int64>)

  /// Whether it is missing by the account of what names it.
  package var isMissing: Bool {
    guard case .section(let section) = self else { return false }
    return section.isGap
  }

  /// Start of the part, in messages.
  package var place: String {
    switch self {
    case .section(let section): "segment \(section.firstSegment)"
    case .link(let number, _): "link \(number)"
    }
  }
}

extension SoundPart {
  /// The parts of a playlist's programme, or of `file`; none for a file that is one.
  static func parts(of presentation: StreamPresentation?, _ file: LocalFile) -> [SoundPart] {
    if let presentation { return presentation.sections.map(SoundPart.section) }
    let links = OggLinks.ranges(in: file)
    return links.count > 1 ? links.enumerated().map { .link($0.offset + 1, $0.element) } : []
  }
}

extension MediaInput {
  /// The bytes of `part`, one of ``parts``.
  /// - Throws: ``MediaError`` when they can't be read.
  package func open(_ part: SoundPart) throws -> LocalFile {
    switch part {
    case .section(let section): try presentation?.open(section) ?? file
    case .link(_, let bytes): try LocalFile(file, keeping: bytes)
    }
  }
}
