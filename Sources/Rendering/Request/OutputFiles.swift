// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaIn
import MediaOut
import Platform

/// The files of an output, and what they can hold.
package struct OutputFiles: Sendable, Hashable {
  /// Subtitle tracks whose files are known beforehand.
  private static let mostSubtitles = 32
  /// Tracks of sound whose files are known beforehand.
  private static let mostSounds = 32

  package let kind: ContainerKind
  /// Whether each segment of HLS is a file.
  package let hasSegmentFiles: Bool
  /// Least length of a fragment or segment; `nil` where there are none.
  package let fragmentDuration: TimeSpec?
  /// Whether the name is one that players take for sound alone, so that pictures are left out.
  package private(set) var isForSoundOnly = false
  /// Tracks of sound that are rendered into it, which HLS keeps in files of their own.
  private var sounds = 1

  /// The files of a rendered output.
  package init(_ container: Container) {
    kind = container.kind
    fragmentDuration = container.coding.fragmentDuration
    hasSegmentFiles = container.coding.hasSegmentFiles
  }

  package init(_ container: OutputRequest.CopyContainer) {
    kind = container.kind
    fragmentDuration = container.fragmentDuration
    hasSegmentFiles = container.hasSegmentFiles
  }

  package init(_ output: OutputRequest) {
    switch output.work {
    case .render(_, let container): self.init(container)
    case .copy(let container): self.init(container)
    }
    isForSoundOnly = !isHLS && OutputExtension(output.location.name).isForSoundOnly
    sounds = output.part?.count ?? 1
  }

  /// Parts besides sound that the container can hold, under the name that it gets.
  package var holds: Set<ContainerExtra> {
    (kind.traits.output?.holds ?? []).subtracting(isForSoundOnly ? [.video] : [])
  }

  /// Whether playlists belong to the output.
  package var isHLS: Bool { kind == .hls }

  /// The extension by which the container was asked for; `nil` for the usual one.
  package var wantedExtension: String?

  /// The extension of its name.
  package var fileExtension: String {
    wantedExtension ?? kind.traits.extensions.first ?? kind.rawValue
  }

  /// Names of an output in HLS at `path`; `nil` for another kind.
  func names(of path: String) -> HLSNames? { isHLS ? HLSNames(path, sounds: sounds) : nil }

  /// The files that an output named `path` always has, in the order in which they appear: one, or
  /// movie and media playlist of each track of sound, and multivariant playlist; no movie where segments are files.
  package func files(of path: String) -> [String] {
    guard let names = names(of: path) else { return [path] }
    return names.sounds.flatMap { hasSegmentFiles ? [$0.playlist] : [$0.movie, $0.playlist] }
      + [names.multivariant]
  }

  /// All files that an output named `path` may have.
  package func possibleFiles(of path: String) -> [String] {
    guard isHLS else { return [path] }
    let names = HLSNames(path, sounds: max(sounds, OutputFiles.mostSounds))
    let subtitles = (0..<OutputFiles.mostSubtitles).map { names.subtitles($0) }
    let originals = (0..<OutputFiles.mostSounds).map { names.original($0) }
    return [names.multivariant, names.folder, names.chapters]
      + (names.sounds + [names.video] + originals + subtitles).flatMap { [$0.movie, $0.playlist] }
  }
}

/// The extension of an output's name, and the containers that it stands for.
package struct OutputExtension: Sendable {
  /// Extensions of manifests that no container of the list has.
  private static let manifests: Set<String> = ["mpd"]

  /// The name that it belongs to.
  package let path: String
  /// The extension in lower case without its dot; `nil` for none.
  package let text: String?

  /// The extension of `path`.
  package init(_ path: String) {
    self.path = path
    text = PathParts.of(path).last?.split(separator: ".").dropFirst().last?.lowercased()
  }

  /// The name without dots at its ends, for advice.
  package var stem: String {
    var name = path[...]
    while name.last == "." { name.removeLast() }
    let last = PathParts.of(String(name)).last ?? ""
    return last.hasPrefix(".")
      ? String(name.dropLast(last.count)) + last.drop { $0 == "." } : String(name)
  }

  /// Whether a container that is read or written claims the extension.
  package var isClaimed: Bool {
    guard let text else { return false }
    return OutputExtension.manifests.contains(text) || ContainerKind(fileExtension: text) != nil
      || !ContainerTraits.promised(by: text).isEmpty
  }

  /// The container that the extension alone chooses; `nil` where it chooses none.
  package var kind: ContainerKind? {
    guard let text else { return nil }
    return ContainerKind(fileExtension: text) ?? (isClaimed && isRight(for: .wav) ? .wav : nil)
  }

  /// Whether the name keeps pictures out.
  package var isForSoundOnly: Bool {
    guard let text else { return false }
    return ContainerKind.allCases.contains {
      $0.traits.output?.soundExtensions.contains(text) == true
    }
  }

  /// Whether the name goes to a pipe or a device, whose name promises nothing.
  package var isStream: Bool {
    guard path != "-" else { return true }
    var facts = stat()
    guard stat(path, &facts) == 0 else { return false }
    let type = facts.st_mode & S_IFMT
    return type != S_IFREG && type != S_IFDIR
  }

  /// Whether a file of this container may have the extension.
  package func isRight(for kind: ContainerKind) -> Bool {
    guard let text, isClaimed else { return true }
    if kind.traits.extensions.contains(text) { return true }
    // BW64 is RIFF, and most programs know it as .wav only.
    let traits = kind.traits.output?.namedLike.flatMap(ContainerTraits.named) ?? kind.traits
    if traits.extensions.contains(text) { return true }
    // A further name that readers know, unless another container that is written has it as its own.
    return ContainerKind(fileExtension: text) == nil
      && traits.input?.extensions.contains(text) == true
  }

  /// Refuses an output of `kind` whose name promises another container.
  /// - Throws: ``MediaError`` of kind `usage`.
  package func check(_ kind: ContainerKind) throws {
    guard !isRight(for: kind), !isStream else { return }
    let remedy = kind.traits.extensions.map { "." + $0 }.joined(separator: " or ")
    let other = self.kind.map { ", or choose \(setting: .container) \($0.rawValue)" } ?? ""
    throw MediaError(
      .usage, about: path,
      "would hold \(kind.traits.name), which .\(text ?? "") doesn't stand for; name it \(remedy)\(other)"
    )
  }
}

/// Inputs whose names say that they hold compressed sound without loss, which FLAC keeps.
package enum LosslessFamily {
  private static let containers: [ContainerTraits] = [.flac, .wavPack, .tta, .ape]

  /// Whether `path`, which may be a web address, has the extension of such a container.
  package static func holds(_ path: String) -> Bool {
    let name = WebAddress(path).map(\.lastComponent) ?? path
    guard let ending = OutputExtension(name).text else { return false }
    return containers.contains { $0.input?.extensions.contains(ending) == true }
  }
}

/// Names of the files that make up an output in HLS.
struct HLSNames {
  /// A rendition: its media and the playlist that plays it.
  struct Rendition {
    /// The file with the media.
    let movie: String
    /// The media playlist.
    let playlist: String
    /// Beginning of the names of its segments, where they are files.
    var prefix = ""

    /// File name of its initialisation section.
    var initialization: String { "\(prefix)-init.mp4" }

    /// File name of segment number `index`, from 0.
    func segment(_ index: Int) -> String {
      let number = "\(index + 1)"
      let zeros = String(repeating: "0", count: max(0, 5 - number.count))
      return "\(prefix)-\(zeros)\(number).m4s"
    }
  }

  /// The multivariant playlist, which is the output's own name.
  let multivariant: String
  /// The tracks of sound in their order, one at least.
  let sounds: [Rendition]
  /// The pictures.
  let video: Rendition
  private let base: String

  /// Names at `path` for so many tracks of sound.
  init(_ path: String, sounds: Int = 1) {
    let base = path.hasSuffix(".m3u8") ? String(path.dropLast(5)) : path
    multivariant = path
    self.base = base
    let first = Rendition(movie: base + ".mp4", playlist: base + "-audio.m3u8", prefix: "audio")
    self.sounds =
      [first]
      + (1..<max(1, sounds)).map { index in
        let name = "audio-\(index + 1)"
        return Rendition(
          movie: "\(base)-\(name).mp4", playlist: "\(base)-\(name).m3u8", prefix: name)
      }
    video = Rendition(movie: base + "-video.mp4", playlist: base + "-video.m3u8", prefix: "video")
  }

  /// The folder of segments, where they are files.
  var folder: String { base + "-segments" }

  /// The titles of chapters as JSON.
  var chapters: String { base + "-chapters.json" }

  /// The copied original of a rendered track, counted from 0.
  func original(_ index: Int) -> Rendition {
    let name = "original-\(index + 1)"
    return Rendition(
      movie: "\(base)-\(name).mp4", playlist: "\(base)-\(name).m3u8", prefix: name)
  }

  /// Subtitles number `index`, from 0.
  func subtitles(_ index: Int) -> Rendition {
    let name = base + "-subtitles-\(index + 1)"
    return Rendition(movie: name + ".vtt", playlist: name + ".m3u8")
  }

  /// Place of the media of `rendition`, seen from its playlist.
  func place(
    of rendition: Rendition, segments: Int?
  ) -> HLSMediaPlaylist.Place {
    guard let segments else { return .file(HLSNames.uri(rendition.movie)) }
    let folder = HLSNames.uri(self.folder)
    return .segments(
      initialization: "\(folder)/\(rendition.initialization)",
      media: (0..<segments).map { "\(folder)/\(rendition.segment($0))" })
  }

  /// The name of a file in the same folder as a URI relative to it (RFC 3986, 2.3 and 3.3).
  static func uri(_ path: String) -> String {
    let name = PathParts.of(path).last ?? ""
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    return name.utf8.map { byte in
      guard !plain.contains(byte) else { return String(decoding: [byte], as: UTF8.self) }
      let digits = String(byte, radix: 16, uppercase: true)
      return byte < 16 ? "%0\(digits)" : "%\(digits)"
    }.joined()
  }
}

/// The forms in which chapters are written into a file of their own, by its extension.
enum ChapterSheet: String, CaseIterable {
  /// A cue sheet.
  case cue
  /// Chapters of podcasts (JSON chapters 1.2).
  case json
  /// Labels of Audacity.
  case txt

  /// The form of the file at `path`.
  /// - Throws: ``MediaError`` of kind `usage` for another extension.
  init(path: String) throws {
    let name = PathParts.of(path).last ?? ""
    let suffix = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard let form = ChapterSheet(rawValue: suffix), name.contains(".") else {
      throw MediaError(
        .usage, about: path,
        "isn't a name for chapters; give one that ends in .cue, .json or .txt")
    }
    self = form
  }

  /// The text of `sheet`; chapters that the form doesn't hold are reported in `log`.
  func text(_ sheet: MarkerSheet, _ log: DiagnosticLog) -> String {
    switch self {
    case .cue:
      if sheet.markers.count > MarkerSheet.cueLimit {
        log.degrade(
          .chaptersCut,
          "a cue sheet holds \(MarkerSheet.cueLimit) of the \(sheet.markers.count) chapters; .json holds all"
        )
      }
      return sheet.cueSheet
    case .json: return sheet.podcastChapters
    case .txt: return sheet.labels
    }
  }
}
