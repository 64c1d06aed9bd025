import AudioCore

/// Which files an output consists of, and what they can hold.
package struct OutputFiles: Sendable, Hashable {
  /// Subtitle tracks whose files are known beforehand.
  private static let mostSubtitles = 32

  /// The container.
  package let kind: ContainerKind
  /// Whether each segment of HLS is a file.
  package let hasSegmentFiles: Bool
  /// Least length of a fragment or segment; `nil` where there are none.
  package let fragmentDuration: TimeSpec?
  /// Whether the name is one that players take for sound alone, so that pictures are left out.
  package private(set) var isForSoundOnly = false

  /// The files of a rendered output.
  package init(_ container: Container) {
    kind = container.kind
    fragmentDuration = container.fragmentDuration
    if case .hls(let settings) = container {
      hasSegmentFiles = settings.hasSegmentFiles
    } else {
      hasSegmentFiles = false
    }
  }

  /// The files of a copy.
  package init(_ container: OutputRequest.CopyContainer) {
    switch container {
    case .mp4(let length): (kind, hasSegmentFiles, fragmentDuration) = (.mp4, false, length)
    case .hls(let length, let areFiles):
      (kind, hasSegmentFiles, fragmentDuration) = (.hls, areFiles, length)
    }
  }

  /// The files of an output.
  package init(_ output: OutputRequest) {
    switch output.work {
    case .render(_, let container): self.init(container)
    case .copy(let container): self.init(container)
    }
    isForSoundOnly = !isHLS && OutputExtension(output.location.name).isForSoundOnly
  }

  /// Parts besides sound that the container can hold, under the name that it gets.
  package var holds: Set<ContainerExtra> {
    (kind.traits.output?.holds ?? []).subtracting(isForSoundOnly ? [.video] : [])
  }

  /// Whether playlists belong to the output.
  package var isHLS: Bool { kind == .hls }

  /// The usual extension of its name.
  package var fileExtension: String { kind.traits.extensions.first ?? kind.rawValue }

  /// The files that an output named `path` always has, in the order in which they appear: one, or
  /// movie, media playlist and multivariant playlist; no movie where segments are files.
  package func files(of path: String) -> [String] {
    guard isHLS else { return [path] }
    let names = HLSNames(path)
    guard !hasSegmentFiles else { return [names.audio.playlist, names.multivariant] }
    return [names.audio.movie, names.audio.playlist, names.multivariant]
  }

  /// All files that an output named `path` may have.
  package func possibleFiles(of path: String) -> [String] {
    guard isHLS else { return [path] }
    let names = HLSNames(path)
    let subtitles = (0..<OutputFiles.mostSubtitles).map { names.subtitles($0) }
    return [
      names.audio.movie, names.audio.playlist, names.multivariant, names.video.movie,
      names.video.playlist, names.folder, names.chapters,
    ] + subtitles.flatMap { [$0.movie, $0.playlist] }
  }
}
