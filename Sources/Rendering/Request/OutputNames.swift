// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import MediaIn
import Platform

/// Gives every input its output: one file, or a file in a folder for each.
package enum OutputNames {
  /// Pairs of an input and the name of its output, which is `output` itself or lies in that folder and
  /// has the extension of its `files`, which follow the input.
  /// - Throws: ``MediaError`` of kind `usage` when several inputs would share a name.
  package static func resolve(
    inputs: [String], output: String, files: (String) throws -> OutputFiles
  ) throws -> [(input: String, output: String)] {
    guard isFolder(output) else {
      guard inputs.count == 1 else {
        // A name with a space, or a unit that stands alone, is several words to a shell.
        let absent = inputs.first {
          WebAddress($0) == nil && $0 != "-" && access($0, F_OK) != 0
        }
        throw MediaError(
          .usage,
          absent.map { "\($0): no such file; put a name with spaces in quotes" }
            ?? "-o \(output): several inputs need a folder; end its name in /, and it is made")
      }
      return [(inputs[0], output)]
    }
    let folder = PathParts.start(of: output)
    var pairs: [(input: String, output: String)] = []
    var names: [String] = []
    for input in inputs {
      let files = try files(input)
      let path = folder + stem(of: input) + "." + files.fileExtension
      pairs.append((input, path))
      names += files.files(of: path)
    }
    guard !names.hasTwinNames else {
      throw MediaError(
        .usage, "-o \(output): two inputs would be written to the same name; rename one")
    }
    return pairs
  }

  /// A file for each of the tracks that `clip` asks for, where a file at `path` holds one alone: its number, as options count it, and its
  /// language are added to the name. `nil` for a single track, for a container of several, and for an input that can't be opened, which
  /// its own run reports, or can't be opened twice.
  package static func perTrack(
    _ clip: Clip, _ outputs: [OutputRequest], _ path: String
  ) -> [(track: TrackChoice, path: String)]? {
    LibAVLog.install()
    guard clip.decoding.track.namesSeveral, clip.input != .standardStream,
      let container = outputs.first?.container,
      container.kind.traits.output?.holdsSeveralSounds != true || container.coding.iamf != nil,
      let input = try? ClipOpener(log: DiagnosticLog(), isCancelled: { false }).input(of: clip),
      let streams = try? TracksRun.streams(clip, input),
      let numbers = try? clip.decoding.track.numbers(among: streams, path: path), numbers.count > 1
    else { return nil }
    let sounds = streams.filter { $0.kind == .audio }
    let (folder, stem) = (PathParts.start(of: PathParts.split(path).folder), stem(of: path))
    return numbers.map { number in
      let language = LanguageTag(sounds[number].language ?? "").map { "-\($0.text)" } ?? ""
      let name = "\(stem)-\(number)\(language).\(OutputFiles(outputs[0]).fileExtension)"
      return (.index(number), folder + name)
    }
  }

  /// Refuses `files`, which the tracks of `inputs` get in the folder `output`, where two are one, or one of them is an input.
  /// - Throws: ``MediaError`` of kind `usage`.
  package static func check(
    _ files: [String], of inputs: [String], in output: String
  ) throws {
    guard !files.hasTwinNames else {
      throw MediaError(
        .usage,
        "-o \(output): tracks of two inputs would be written to the same name; rename an input")
    }
    for file in files where inputs.contains(where: { MediaLocation($0).isSameFile(as: file) }) {
      throw MediaError(
        .usage, "-o \(output): a track would be written over the input \(file); give another folder"
      )
    }
  }

  /// Whether `output` names a folder, in which each input gets a file.
  package static func isFolder(_ output: String) -> Bool {
    PathParts.endsInSlash(output) || PathParts.isFolder(output)
  }

  /// Removes the temporary files that killed runs left of the outputs of `requests`.
  package static func removeAbandoned(of requests: [RenderRequest]) {
    let outputs = requests.flatMap(\.outputs)
    Abandoned.remove(
      outputs.flatMap { output in
        let files = OutputFiles(output)
        guard case .file(let path) = output.location else { return [String]() }
        return files.files(of: path) + (files.hasSegmentFiles ? [HLSNames(path).folder] : [])
          + (output.carriage.chaptersFile.map { [$0] } ?? [])
      })
  }

  /// Refuses a report that would replace the input, an output or, without `-y`, any other file.
  /// - Throws: ``MediaError``.
  package static func checkReport(
    _ path: String, of requests: [RenderRequest], overwrite: Bool
  ) throws {
    let taken = requests.flatMap { request in
      let written = request.outputs.flatMap {
        OutputFiles($0).files(of: $0.location.name) + ($0.carriage.chaptersFile.map { [$0] } ?? [])
      }
      // A list that can't be read is reported when it is rendered; no report is written over its files then.
      let named = request.clips.flatMap { (try? QueueContents(of: $0))?.files ?? [] }
      return request.clips.map(\.input) + (written + named).map { MediaLocation($0) }
    }
    for location in taken where location.isSameFile(as: path) {
      throw MediaError(
        .outputUnwritable,
        "\(setting: .report) \(path): is the input or an output; give another name")
    }
    let place = OutputPlace(path, overwrite: overwrite, as: "\(setting: .report) \(path):")
    try place.checkFree()
    try place.checkFolder()
  }

  /// Name of the file at `path`, which may be a web address, without its folder and extension.
  static func stem(of path: String) -> String {
    let local = WebAddress(path).map(\.lastComponent) ?? path
    let name = PathParts.of(local).last ?? "output"
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }
}

/// File names for the tracks of a queue.
package enum TrackNames {
  /// Bytes of a title that a name keeps; file systems allow 255 for the whole name.
  private static let longest = 180

  /// The names of the files of `titles` in `folder`, which ends in a slash: number, title and extension.
  package static func names(_ titles: [String], in folder: String, fileExtension: String)
    -> [String]
  {
    let digits = max(2, "\(titles.count)".utf8.count)
    return unnumbered(titles).enumerated().map { index, title in
      let number = "\(index + 1)"
      let padded = String(repeating: "0", count: max(0, digits - number.utf8.count)) + number
      let text = plain(title)
      return folder + padded + (text.isEmpty ? "" : " " + text) + "." + fileExtension
    }
  }

  /// The titles without their own numbers, where all of several have one in front: names begin with it anyway. A single title with a
  /// number, such as "7 Seconds", keeps it.
  private static func unnumbered(_ titles: [String]) -> [String] {
    let rests = titles.enumerated().map { index, title -> String? in
      let digits = title.prefix { $0.isASCII && $0.isNumber }
      let rest = title.dropFirst(digits.count)
      guard Int(digits) == index + 1, let mark = rest.first, " .-_".contains(mark) else {
        return nil
      }
      return String(rest.drop { " .-–_".contains($0) })
    }
    let whole = rests.compactMap { $0 }
    return titles.count > 1 && whole.count == titles.count ? whole : titles
  }

  /// A title without what file systems don't take: slashes and backslashes, colons, control characters, and what
  /// is too long.
  static func plain(_ title: String) -> String {
    var kept = ""
    for scalar in title.unicodeScalars {
      let isOdd =
        scalar.properties.generalCategory == .control
        || "/\\:*?\"<>|".unicodeScalars.contains(scalar)
      let next = isOdd ? "_" : String(scalar)
      guard kept.utf8.count + next.utf8.count <= longest else { break }
      kept += next
    }
    while kept.unicodeScalars.first == " " { kept.unicodeScalars.removeFirst() }
    while let last = kept.unicodeScalars.last, last == " " || last == "." {
      kept.unicodeScalars.removeLast()
    }
    return kept
  }
}
