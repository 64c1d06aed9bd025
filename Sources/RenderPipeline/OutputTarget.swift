import AudioCore
import Glibc
import LibAV
import MediaOut

/// Where one output is written: a file that appears when it is complete, or a temporary file that
/// is copied to standard output when it is proved.
final class OutputTarget {
  let name: String
  let descriptor: Int32
  /// Where the spool overflows to: the output itself where it may be written over, else a file of
  /// its own.
  let spoolDescriptor: Int32
  /// What appears when the output is committed, in this order.
  private let files: [AtomicFile]
  /// The multivariant and the media playlist of HLS.
  private let playlists: (multivariant: AtomicFile, media: AtomicFile)?

  /// Whether an output could be reserved now.
  /// - Throws: ``MediaError`` as the initialiser would.
  static func check(
    _ location: RenderJob.Location, input: LocalFile, overwrite: Bool, form: OutputForm
  ) throws {
    for path in try paths(location, form) {
      try refuseInput(path, input)
      try checkFree(path, overwrite)
    }
  }

  /// The files of an output; none for standard output.
  private static func paths(
    _ location: RenderJob.Location, _ form: OutputForm
  ) throws -> [String] {
    if case .file(let path) = location { return form.files(of: path) }
    if case .hls = form {
      throw MediaError(.usage, "-f hls: writes several files, so standard output won't do")
    }
    return []
  }

  private static func refuseInput(_ path: String, _ input: LocalFile) throws {
    guard !input.isSameFile(as: path) else {
      throw MediaError(
        .outputUnwritable, "\(path): is the input itself; give another output name")
    }
  }

  private static func checkFree(_ path: String, _ overwrite: Bool) throws {
    guard overwrite || access(path, F_OK) != 0 else {
      throw MediaError(.outputExists, "\(path): exists already; add -y to replace it")
    }
  }

  /// Makes sure that ``commit(overwrite:)`` won't meet a file that has appeared meanwhile.
  func checkFree(overwrite: Bool) throws {
    for file in files { try OutputTarget.checkFree(file.target, overwrite) }
  }

  /// Reserves the output; refuses to write over the input, whatever path leads there.
  init(
    _ location: RenderJob.Location, input: LocalFile, overwrite: Bool, form: OutputForm
  ) throws {
    name = location.name
    let files = try OutputTarget.paths(location, form).map { path in
      try OutputTarget.refuseInput(path, input)
      return try AtomicFile(target: path, overwrite: overwrite)
    }
    self.files = files
    playlists = files.count == 3 ? (files[2], files[1]) : nil
    descriptor = try files.first.map { $0.descriptor } ?? JobFiles.unlinkedFile()
    // What may have to be written again needs its spool until it is right.
    spoolDescriptor = form == .wav ? descriptor : try JobFiles.unlinkedFile()
  }

  deinit {
    if spoolDescriptor != descriptor { close(spoolDescriptor) }
    if files.isEmpty { close(descriptor) }
  }

  /// Writes the playlists of HLS for what `writer` has written.
  /// - Throws: ``MediaError`` when they can't be stored.
  func writePlaylists(for writer: FragmentedAudioWriter) throws {
    guard let playlists else { return }
    let playlist = HLSPlaylist(
      mediaName: OutputTarget.lastPart(files[0].target),
      playlistName: OutputTarget.lastPart(playlists.media.target), codec: writer.codec,
      channels: writer.channels, sampleRate: writer.sampleRate,
      initializationSize: writer.initializationSize, fragments: writer.fragments)
    for (file, text) in [
      (playlists.media, playlist.media), (playlists.multivariant, playlist.multivariant),
    ] {
      let sink = DescriptorSink(descriptor: file.descriptor, name: file.target)
      try sink.write(Array(text.utf8))
      try sink.finish()
    }
  }

  /// Puts the complete output where it belongs.
  func commit(overwrite: Bool) throws {
    for file in files { try file.commit(overwrite: overwrite) }
    if files.isEmpty { try JobFiles.copyToStandardOutput(descriptor) }
  }

  private static func lastPart(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
