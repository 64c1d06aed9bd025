import AudioCore
import Glibc
import LibAV
import MediaIn
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
  private var files: [AtomicFile]
  /// Names in HLS.
  private let names: HLSNames?

  /// Whether an output could be reserved now.
  /// - Throws: ``MediaError`` as the initialiser would.
  static func check(
    _ location: RenderJob.Location, input: MediaInput, overwrite: Bool, form: OutputForm
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
    if form.isHLS {
      throw MediaError(.usage, "-f hls: writes several files, so standard output won't do")
    }
    return []
  }

  private static func refuseInput(_ path: String, _ input: MediaInput) throws {
    guard !input.file.isSameFile(as: path) else {
      throw MediaError(
        .outputUnwritable, "\(path): is the input itself; give another output name")
    }
    let identity = FilePlace.identity(path)
    guard
      identity == nil || !input.localFiles.contains(where: { FilePlace.identity($0) == identity })
    else {
      throw MediaError(
        .outputUnwritable, "\(path): is a part of the input; give another output name")
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
    _ location: RenderJob.Location, input: MediaInput, overwrite: Bool, form: OutputForm
  ) throws {
    name = location.name
    let files = try OutputTarget.paths(location, form).map { path in
      try OutputTarget.refuseInput(path, input)
      return try AtomicFile(target: path, overwrite: overwrite)
    }
    self.files = files
    names = form.isHLS ? HLSNames(location.name) : nil
    descriptor = try files.first?.descriptor ?? JobFiles.unlinkedFile()
    // What may have to be written again needs its spool until it is right.
    spoolDescriptor = form == .wav ? descriptor : try JobFiles.unlinkedFile()
  }

  deinit {
    if spoolDescriptor != descriptor { close(spoolDescriptor) }
    if files.isEmpty { close(descriptor) }
  }

  /// Makes room for pictures and subtitles, which HLS keeps in files of their own.
  func reserve(_ companions: Companions, input: MediaInput, overwrite: Bool) throws {
    guard let names else { return }
    var renditions = companions.subtitles.indices.map { names.subtitles($0) }
    if companions.hasVideo { renditions.append(names.video) }
    let added = try renditions.flatMap { [$0.movie, $0.playlist] }.map { path in
      try OutputTarget.refuseInput(path, input)
      return try AtomicFile(target: path, overwrite: overwrite)
    }
    files.insert(contentsOf: added, at: 0)
  }

  /// The files to write, with the tracks beside the sound; the sound is pushed unless it is given.
  func movieFiles(
    video: CodedTrack?, subtitles: [CodedTrack], audio: CodedTrack? = nil
  ) -> [MovieFile] {
    let main = DescriptorSink(descriptor: descriptor, name: name)
    let tracks = [video].compactMap { $0 }
    let sound = [audio].compactMap { $0 }
    guard let names else {
      return [
        MovieFile(
          sink: main, tracks: tracks + sound + subtitles, holdsPushedTrack: audio == nil)
      ]
    }
    guard !tracks.isEmpty, let file = file(names.video.movie) else {
      return [MovieFile(sink: main, tracks: sound, holdsPushedTrack: audio == nil)]
    }
    return [
      MovieFile(sink: main, tracks: sound, holdsPushedTrack: audio == nil),
      MovieFile(
        sink: DescriptorSink(descriptor: file.descriptor, name: file.target), tracks: tracks),
    ]
  }

  /// Writes playlists and subtitles of HLS for what was written.
  /// - Throws: ``MediaError`` when they can't be stored.
  func writePlaylists(_ publisher: HLSPublisher) throws {
    guard let names else { return }
    for (path, text) in publisher.texts(names) {
      guard let file = file(path) else {
        throw MediaError(.internal, "\(name): no file for \(path)")
      }
      let sink = DescriptorSink(descriptor: file.descriptor, name: file.target)
      try sink.write(Array(text.utf8))
      try sink.finish()
    }
  }

  /// The descriptor that holds the pictures of HLS.
  var videoDescriptor: Int32? { names.flatMap { file($0.video.movie) }?.descriptor }

  private func file(_ path: String) -> AtomicFile? { files.first { $0.target == path } }

  /// Puts the complete output where it belongs.
  func commit(overwrite: Bool) throws {
    for file in files { try file.commit(overwrite: overwrite) }
    if files.isEmpty { try JobFiles.copyToStandardOutput(descriptor) }
  }
}
