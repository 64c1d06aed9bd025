// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import MediaIn
import MediaOut
import Platform

/// The destination of one output: a file that appears when it is complete, or a temporary file that
/// is copied to standard output once it is verified.
final class OutputTarget {
  let name: String
  let descriptor: Int32
  /// Descriptor that the spool overflows to: the output itself where it may be written over, else a file of
  /// its own.
  let spoolDescriptor: Int32
  /// Files that appear when the output is committed, in this order.
  private var files: [AtomicFile]
  /// The file of the chapters beside the output; `nil` for none.
  private let sheet: AtomicFile?
  /// Files of analyses.
  private let analyses: [AtomicFile]
  private let names: HLSNames?
  /// Whether it holds one of several tracks until the file of all is written.
  private let isPart: Bool
  /// Folder of segments that are files.
  private let folder: SegmentFolder?
  /// Descriptors of the pictures of HLS, of its copied tracks of sound, and of the rendered ones in front of the last one, where segments
  /// are files.
  private var pictures: Int32?
  private var originals: [Int32] = []
  private let sounds: [Int32]
  /// Copied tracks of sound in HLS.
  private var originalCount = 0
  /// Movies that the segments are cut from.
  private var cuts: [(place: HLSNames.Rendition, movie: FragmentedMP4Writer)] = []

  /// The file that is written, for reading.
  /// - Throws: ``MediaError`` when it can't be opened.
  func openedFile() throws -> LocalFile { try opened(descriptor) }

  /// The files of ``multiplexedFiles(copies:texts:rendered:audio:)``, for reading.
  /// - Throws: as ``openedFile()``.
  func openedMultiplexedFiles() throws -> [LocalFile] {
    try (soundDescriptors + [descriptor, videoDescriptor].compactMap(\.self) + originalDescriptors)
      .map(opened)
  }

  private func opened(_ descriptor: Int32) throws -> LocalFile {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw OutputFailure.error(errno, name) }
    do { return try LocalFile(descriptor: copy, name: name) } catch {
      close(copy)
      throw error
    }
  }

  /// Whether an output could be reserved now.
  /// - Throws: ``MediaError`` as the initialiser would.
  static func check(_ output: OutputRequest, input: RenderInput, overwrite: Bool) throws {
    let beside = [output.carriage.chaptersFile].compactMap { $0 } + output.analysisFiles
    for path in try paths(output) + beside {
      try refuseInput(path, input)
      try OutputPlace(path, overwrite: overwrite).checkFree()
    }
    guard OutputFiles(output).hasSegmentFiles else { return }
    let folder = HLSNames(output.location.name).folder
    try refuseParent(folder, input)
    try OutputPlace(folder, overwrite: overwrite).checkFree()
  }

  /// The files of an output; none for standard output.
  private static func paths(_ output: OutputRequest) throws -> [String] {
    let files = OutputFiles(output)
    if case .file(let path) = output.location { return files.files(of: path) }
    if files.kind.traits.output?.isSeveralFiles == true {
      throw MediaError(
        .usage,
        "\(setting: .container) \(files.kind.rawValue): writes several files, so standard output won't do"
      )
    }
    return []
  }

  private static func refuseInput(_ path: String, _ input: RenderInput) throws {
    guard !input.isInput(path) else {
      throw MediaError(
        .outputUnwritable, about: path, "is the input itself; give another output name")
    }
    let identity = FilePlace.identity(path)
    guard
      identity == nil || !input.localFiles.contains(where: { FilePlace.identity($0) == identity })
    else {
      throw MediaError(
        .outputUnwritable, about: path, "is a part of the input; give another output name")
    }
  }

  /// Refuses a folder of segments that holds a part of the input, because the whole folder is
  /// replaced.
  private static func refuseParent(_ folder: String, _ input: RenderInput) throws {
    guard let identity = FilePlace.identity(folder) else { return }
    let parents = input.localFiles.map { PathParts.folder(of: $0) }
    guard parents.contains(where: { FilePlace.identity($0) == identity }) else { return }
    throw MediaError(
      .outputUnwritable, about: folder, "holds a part of the input; give another output name")
  }

  /// Completes what ``commit(overwrite:)`` puts in place, and makes sure that it won't meet a file that
  /// has appeared meanwhile.
  func complete(overwrite: Bool) throws {
    try cutSegments()
    try folder?.checkFree(overwrite: overwrite)
    for file in files + [sheet].compactMap({ $0 }) + analyses {
      try OutputPlace(file.target, overwrite: overwrite).checkFree()
    }
  }

  /// A file without a name, for one of several tracks of `output`.
  /// - Throws: ``MediaError`` when it can't be made.
  init(partOf output: OutputRequest) throws {
    name = output.location.name
    isPart = true
    (files, sheet, analyses, names, folder, sounds) = ([], nil, [], nil, nil, [])
    descriptor = try JobFiles.unlinkedFile()
    spoolDescriptor = try JobFiles.unlinkedFile()
  }

  /// Reserves the output; refuses to write over the input, whatever path leads there.
  init(_ output: OutputRequest, input: RenderInput, overwrite: Bool) throws {
    name = output.location.name
    isPart = false
    let shape = OutputFiles(output)
    let files = try OutputTarget.paths(output).map { path in
      try OutputTarget.refuseInput(path, input)
      return try AtomicFile(target: path, overwrite: overwrite)
    }
    self.files = files
    sheet = try output.carriage.chaptersFile.map { path in
      try OutputTarget.refuseInput(path, input)
      return try AtomicFile(target: path, overwrite: overwrite)
    }
    analyses = try output.analysisFiles.map { path in
      try OutputTarget.refuseInput(path, input)
      return try AtomicFile(target: path, overwrite: overwrite)
    }
    let names = shape.names(of: output.location.name)
    self.names = names
    if let names, shape.hasSegmentFiles { try OutputTarget.refuseParent(names.folder, input) }
    let folder =
      shape.hasSegmentFiles
      ? try names.map { try SegmentFolder(target: $0.folder, overwrite: overwrite) } : nil
    self.folder = folder
    let scratches = try names?.sounds.compactMap { _ in try folder?.scratch() } ?? []
    sounds = Array(scratches.dropLast())
    // The track of sound that is encoded while the files are written is the last one.
    let movie = names?.sounds.last?.movie ?? files.first?.target
    descriptor =
      try scratches.last
      ?? files.first { PathName($0.target) == movie.map(PathName.init) }?.descriptor
      ?? JobFiles.unlinkedFile()
    // An output that may be written again needs its spool until it is right.
    spoolDescriptor =
      shape.kind.traits.output?.overwritesSpool == true ? descriptor : try JobFiles.unlinkedFile()
  }

  deinit {
    if spoolDescriptor != descriptor { close(spoolDescriptor) }
    // The scratch files of a folder are its own.
    if files.isEmpty, folder == nil { close(descriptor) }
  }

  /// Makes a file of each segment.
  private func cutSegments() throws {
    guard let folder else { return }
    // The order is that of the publisher's renditions.
    let sources = sounds + [descriptor, pictures].compactMap(\.self) + originals
    for ((place, movie), source) in zip(cuts, sources) {
      try folder.add(place.initialization, from: source, range: 0..<movie.initializationSize)
      for (index, fragment) in movie.fragments.enumerated() {
        try folder.add(
          place.segment(index), from: source,
          range: fragment.offset..<fragment.offset + fragment.size)
      }
    }
  }

  /// Checks that the files of pictures, subtitles and chapters could be reserved now.
  /// - Throws: ``MediaError`` as ``reserve(_:input:overwrite:)`` would.
  static func check(
    _ companions: Companions, of output: OutputRequest, input: RenderInput, overwrite: Bool
  ) throws {
    let files = OutputFiles(output)
    guard files.isHLS else { return }
    let names = HLSNames(output.location.name)
    for path in paths(companions, names, hasSegmentFiles: files.hasSegmentFiles) {
      try refuseInput(path, input)
      try OutputPlace(path, overwrite: overwrite).checkFree()
    }
  }

  /// The files of pictures, copied sound, subtitles and chapters; segments that are files lie in their folder.
  private static func paths(
    _ companions: Companions, _ names: HLSNames, hasSegmentFiles: Bool
  ) -> [String] {
    let texts = companions.subtitles.indices.map { names.subtitles($0) }
    let moving =
      (0..<(companions.copied?.count ?? 0)).map { names.original($0) }
      + (companions.hasVideo ? [names.video] : [])
    let tracks =
      texts.flatMap { [$0.movie, $0.playlist] }
      + moving.flatMap { hasSegmentFiles ? [$0.playlist] : [$0.movie, $0.playlist] }
    return tracks + (companions.chapters.isEmpty ? [] : [names.chapters])
  }

  /// Makes room for pictures, copied sound, subtitles and chapters, which HLS keeps in files of their own.
  func reserve(_ companions: Companions, input: RenderInput, overwrite: Bool) throws {
    guard let names else { return }
    if let folder, companions.hasVideo { pictures = try folder.scratch() }
    originalCount = companions.copied?.count ?? 0
    if let folder { for _ in 0..<originalCount { originals.append(try folder.scratch()) } }
    let paths = OutputTarget.paths(companions, names, hasSegmentFiles: folder != nil)
    let added = try paths.map { path in
      try OutputTarget.refuseInput(path, input)
      return try AtomicFile(target: path, overwrite: overwrite)
    }
    files.insert(contentsOf: added, at: 0)
  }

  /// The files to write, with all their tracks; the sound is pushed unless `audio` is given, and `rendered` are tracks of sound in front
  /// of it. HLS has a file for each track of sound, the rendered ones first, and one for pictures among `copies`, in front of copied sound;
  /// it has no place for `texts`.
  func multiplexedFiles(
    copies: [CodedTracks], texts: [CodedTracks], rendered: [CodedTracks] = [],
    audio: CodedTracks? = nil
  ) -> [MultiplexedFile] {
    let sound = [audio].compactMap { $0 }
    var main = MultiplexedFile(
      sink: DescriptorSink(descriptor: descriptor, name: name), tracks: sound,
      holdsPushedTrack: audio == nil)
    guard let names else {
      main.tracks = copies + sound + texts
      main.rendered = rendered
      return [main]
    }
    func file(_ descriptor: Int32, _ name: String, _ tracks: [CodedTracks]) -> MultiplexedFile {
      MultiplexedFile(sink: DescriptorSink(descriptor: descriptor, name: name), tracks: tracks)
    }
    let others = zip(soundDescriptors, zip(names.sounds, rendered)).map {
      file($0, $1.0.movie, [$1.1])
    }
    let copiedSounds = copies.filter { $0.tracks.first?.kind == .sound }
    let originals = zip(originalDescriptors, copiedSounds.enumerated()).map {
      file($0, names.original($1.offset).movie, [$1.element])
    }
    let shown = copies.filter { $0.tracks.first?.kind != .sound }
    let video = shown.isEmpty ? nil : videoDescriptor.map { file($0, names.video.movie, shown) }
    return others + [main] + [video].compactMap(\.self) + originals
  }

  /// The descriptors of the tracks of sound of HLS in front of the last one.
  private var soundDescriptors: [Int32] {
    guard sounds.isEmpty else { return sounds }
    return names?.sounds.dropLast().compactMap { file($0.movie)?.descriptor } ?? []
  }

  /// Writes playlists and subtitles of HLS for what was written.
  /// - Throws: ``MediaError`` when they can't be stored.
  func writePlaylists(_ publisher: HLSPublisher) throws {
    guard let names else { return }
    cuts = publisher.renditions(names)
    for (path, text) in publisher.texts(names) {
      guard let file = file(path) else {
        throw MediaError(.internal, about: name, "no file for \(path)")
      }
      let sink = DescriptorSink(descriptor: file.descriptor, name: file.target)
      try sink.write(Array(text.utf8))
      try sink.finish()
    }
  }

  /// Writes the file of the chapters, where one is wanted, for a sound of `length`.
  /// - Throws: ``MediaError`` when it can't be stored.
  func write(_ chapters: [ProgrammeMarker], length: MediaTime, _ log: DiagnosticLog) throws {
    guard let sheet else { return }
    let text = try ChapterSheet(path: sheet.target).text(
      MarkerSheet(chapters, length: length, path: name), log)
    let sink = DescriptorSink(descriptor: sheet.descriptor, name: sheet.target)
    try sink.write(Array(text.utf8))
    try sink.finish()
  }

  /// The file of an analysis at `path`.
  /// - Throws: ``MediaError`` of kind `internal` where none was reserved.
  func analysisFile(_ path: String) throws -> DescriptorSink {
    guard let file = analyses.first(where: { PathName($0.target) == PathName(path) }) else {
      throw MediaError(.internal, about: path, "wasn't reserved for an analysis")
    }
    return DescriptorSink(descriptor: file.descriptor, name: path)
  }

  /// The descriptors of the copied tracks of sound of HLS.
  private var originalDescriptors: [Int32] {
    guard originals.isEmpty else { return originals }
    return (0..<originalCount).compactMap { index in
      names.flatMap { file($0.original(index).movie)?.descriptor }
    }
  }

  /// The descriptor that holds the pictures of HLS.
  private var videoDescriptor: Int32? {
    pictures ?? names.flatMap { file($0.video.movie) }?.descriptor
  }

  private func file(_ path: String) -> AtomicFile? {
    files.first { PathName($0.target) == PathName(path) }
  }

  /// Puts the complete output where it belongs.
  func commit(overwrite: Bool) throws {
    try folder?.commit(overwrite: overwrite)
    for file in files { try file.commit(overwrite: overwrite) }
    try sheet?.commit(overwrite: overwrite)
    for file in analyses { try file.commit(overwrite: overwrite) }
    if files.isEmpty, !isPart { try JobFiles.copyToStandardOutput(descriptor) }
  }
}
