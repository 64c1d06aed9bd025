// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Reads a cue sheet line by line. Keywords come in any case; quotes have no escape.
struct CueReader {
  private let search: NameSearch
  private var sheet = CueSheet()
  private var fileLines: [Int] = []
  private var usedFiles: Set<Int> = []
  private var track: CueSheet.Track?
  /// The number of the track's last INDEX; −1 before the first.
  private var lastIndex = -1
  private var lastMark: CueSheet.Mark?

  /// A reader of a sheet in `folder` that begins with the notes of its text.
  init(folder: ListFolder, notes: [ListNote]) {
    search = NameSearch(folder: folder)
    sheet.notes = notes
  }

  /// Reads one line.
  mutating func read(_ line: ListText.Line) throws(ListError) {
    let (keyword, rest) = ListWord.split(line.text)
    let number = line.number
    switch keyword.uppercased() {
    case "REM": readRemark(rest)
    case "FILE": try readFile(rest, number)
    case "TRACK": try readTrack(rest, number)
    case "INDEX": try readIndex(rest, number)
    case "PREGAP": try readGap(rest, number, \.pregap, "PREGAP")
    case "POSTGAP": try readGap(rest, number, \.postgap, "POSTGAP")
    case "FLAGS": try readFlags(rest, number)
    case "TITLE": setName(\.title, rest)
    case "PERFORMER": setName(\.performer, rest)
    case "SONGWRITER": setName(\.songwriter, rest)
    case "CATALOG": readCatalog(rest, number)
    case "ISRC": try readISRC(rest, number)
    case "CDTEXTFILE": note(.ignored, number, "the file of CD-Text isn't read")
    default:
      note(
        .unknownLine, number,
        "the keyword \(ListWord.quoted(keyword)) isn't known and has no effect")
    }
  }

  /// The whole sheet.
  /// - Throws: ``ListError`` when it has no track, or a file without one.
  mutating func finish() throws(ListError) -> CueSheet {
    try finishTrack()
    guard let first = sheet.tracks.first else {
      throw ListError(
        .inputUnreadable, "the sheet has no TRACK with an INDEX; check that it is a cue sheet")
    }
    for (file, line) in fileLines.enumerated() where !usedFiles.contains(file) {
      throw refusal(
        line, "no track has an INDEX in \(ListWord.quoted(sheet.files[file])); remove the FILE line"
      )
    }
    if first.start != CueSheet.Mark(file: 0, frames: 0) {
      note(.hiddenTrack, first.line, "sound lies before track \(first.number); it is item 0")
    }
    return sheet
  }

  private func refusal(_ line: Int, _ message: String) -> ListError {
    ListError(.inputUnreadable, line: line, message)
  }

  private mutating func note(_ code: ListNote.Code, _ line: Int, _ message: String) {
    sheet.notes.keep(ListNote(code, line: line, message))
  }

  /// The text between the first and the last quote, so that quotes inside are kept; else the whole.
  private static func unquoted(_ text: Substring) -> String {
    String(ListWord.quotation(text)?.inside ?? text)
  }

  private mutating func setName(
    _ path: WritableKeyPath<CueSheet.Names, String?>, _ text: Substring
  ) {
    let value = CueReader.unquoted(text)
    if track != nil {
      track?.names[keyPath: path] = value
    } else {
      sheet.names[keyPath: path] = value
    }
  }

  private mutating func readRemark(_ rest: Substring) {
    let (key, value) = ListWord.split(rest)
    guard !key.isEmpty, sheet.remarks.count < ListLimits.cueRemarks else { return }
    sheet.remarks.append(
      CueSheet.Remark(
        key: key.uppercased(), value: CueReader.unquoted(value), track: track?.number))
  }

  private mutating func readCatalog(_ rest: Substring, _ line: Int) {
    let value = CueReader.unquoted(rest)
    sheet.catalog = value
    if value.utf8.count != 13 || ListWord.whole(value[...], digits: 13) == nil {
      note(.oddCode, line, "CATALOG \(ListWord.quoted(value)) doesn't have 13 digits")
    }
  }

  private mutating func readISRC(_ rest: Substring, _ line: Int) throws(ListError) {
    guard track != nil else { throw refusal(line, "ISRC stands before the first TRACK; move it") }
    let value = CueReader.unquoted(rest)
    track?.isrc = value
    let isCode = value.utf8.allSatisfy {
      (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
    }
    if !isCode || value.utf8.count != 12 {
      note(.oddCode, line, "ISRC \(ListWord.quoted(value)) doesn't have twelve letters and digits")
    }
  }

  private mutating func readFile(_ rest: Substring, _ line: Int) throws(ListError) {
    guard let (name, kind) = CueReader.file(rest) else {
      throw refusal(line, "FILE needs a name and a type; write FILE \"name.wav\" WAVE")
    }
    guard sheet.files.count < ListLimits.cueFiles else {
      throw refusal(
        line, "the sheet has more than \(ListLimits.cueFiles) FILE lines; split it")
    }
    let path = try search.folder.inside(name, line: line)
    let found = try search.find(path, line: line)
    let isKnown = sheet.files.contains(found.path)
    try checkKind(kind.uppercased(), isKnown: isKnown, line)
    if !isKnown, let note = found.note { sheet.notes.keep(note) }
    // Nothing was taken of the file between the two lines.
    guard sheet.files.last != found.path || usedFiles.contains(sheet.files.count - 1) else {
      return
    }
    sheet.files.append(found.path)
    fileLines.append(line)
  }

  /// The name and the type of a FILE line; `nil` where one of them is missing.
  static func file(_ rest: Substring) -> (name: Substring, kind: Substring)? {
    if rest.unicodeScalars.dropFirst().contains("\""), let quote = ListWord.quotation(rest) {
      return (quote.inside, quote.rest)
    }
    return ListWord.splitLast(rest).map { ($0.rest, $0.word) }
  }

  private mutating func checkKind(
    _ kind: String, isKnown: Bool, _ line: Int
  ) throws(ListError) {
    switch kind {
    case "WAVE", "AIFF", "FLAC", "": break
    case "MP3" where isKnown: break
    case "MP3":
      note(
        .uncertainStart, line,
        "the sheet's times may or may not count the delay of the MP3 encoder; listen to the joins")
    case "BINARY", "MOTOROLA":
      throw ListError(
        .unsupportedFeature, line: line,
        "the file type \(kind) has no header; convert the file to WAV and write WAVE")
    default:
      note(
        .unknownLine, line, "the file type \(ListWord.quoted(kind)) isn't known; contents decide")
    }
  }

  private mutating func readTrack(_ rest: Substring, _ line: Int) throws(ListError) {
    try finishTrack()
    let (word, kind) = ListWord.split(rest)
    guard let number = ListWord.whole(word, digits: 2), number > 0 else {
      throw refusal(line, "TRACK needs a number from 01 to 99, not \(ListWord.quoted(word))")
    }
    guard kind.uppercased() == "AUDIO" else {
      throw ListError(
        .unsupportedFeature, line: line,
        "track \(number) is \(ListWord.quoted(kind)), not AUDIO; remove the track")
    }
    if let last = sheet.tracks.last, last.number >= number {
      throw refusal(line, "track \(number) follows track \(last.number); number them upwards")
    }
    guard !sheet.files.isEmpty else {
      throw refusal(line, "track \(number) stands before the first FILE; write FILE in front of it")
    }
    track = CueSheet.Track(number: Int(number), line: line)
    lastIndex = -1
  }

  private mutating func finishTrack() throws(ListError) {
    guard let done = track else { return }
    guard lastIndex >= 1 else {
      throw refusal(done.line, "track \(done.number) has no INDEX 01; write where it begins")
    }
    if done.hasPreEmphasis {
      note(.preEmphasis, done.line, "track \(done.number) has pre-emphasis of 50/15 µs")
    }
    sheet.tracks.append(done)
    track = nil
  }

  private mutating func readIndex(_ rest: Substring, _ line: Int) throws(ListError) {
    guard let current = track else {
      throw refusal(line, "INDEX stands before the first TRACK; move it after one")
    }
    let (word, place) = ListWord.split(rest)
    guard let number = ListWord.whole(word, digits: 2).map(Int.init), number > lastIndex,
      number <= 1 || lastIndex >= 1
    else {
      throw refusal(
        line,
        "INDEX \(ListWord.quoted(word)) of track \(current.number) is out of order; "
          + "number them 00 (optional), 01, 02 and so on")
    }
    let frames = try CueReader.frames(place, line: line)
    try settleFile(at: frames, line)
    let mark = CueSheet.Mark(file: sheet.files.count - 1, frames: frames)
    if let last = lastMark, last.file == mark.file {
      // Two tracks at one place would leave nothing of the first.
      let isEmptyTrack = number == 1 && mark == last && last == sheet.tracks.last?.start
      guard mark.frames >= last.frames, !isEmptyTrack else {
        throw refusal(
          line,
          "INDEX \(word) of track \(current.number) isn't after the INDEX in front of it; "
            + "correct one of them")
      }
    }
    switch number {
    case 0: track?.gapStart = mark
    case 1: track?.start = mark
    default: track?.marks.append(mark)
    }
    usedFiles.insert(mark.file)
    lastIndex = number
    lastMark = mark
  }

  /// Decides by its first INDEX what a FILE line means that names a file again. Some programs write such a line in front of
  /// each track: where times go on, both lines are one file. From 0 on, the file is played once more.
  private mutating func settleFile(at frames: Int64, _ line: Int) throws(ListError) {
    let file = sheet.files.count - 1
    guard !usedFiles.contains(file), let last = lastMark,
      sheet.files[..<file].contains(sheet.files[file])
    else { return }
    let goesOn = frames > last.frames || (frames == last.frames && lastIndex >= 0)
    let isNext = last.file == file - 1 && sheet.files[last.file] == sheet.files[file]
    if isNext && (goesOn || frames > 0) {
      // Times that go back are refused as those behind a single line are.
      sheet.files.removeLast()
      fileLines.removeLast()
    } else if frames > 0 {
      throw refusal(
        line,
        "\(ListWord.quoted(sheet.files[file])) is named again after another file, and not from its beginning on; "
          + "write its tracks after one FILE line, or the sheet's times from 00:00:00 on")
    }
  }

  private mutating func readGap(
    _ rest: Substring, _ line: Int, _ path: WritableKeyPath<CueSheet.Track, Int64>,
    _ keyword: String
  ) throws(ListError) {
    guard track != nil else {
      throw refusal(line, "\(keyword) stands before the first TRACK; move it after one")
    }
    track?[keyPath: path] = try CueReader.frames(rest, line: line)
  }

  private mutating func readFlags(_ rest: Substring, _ line: Int) throws(ListError) {
    guard let number = track?.number else {
      throw refusal(line, "FLAGS stands before the first TRACK; move it after one")
    }
    for flag in rest.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
      switch flag.uppercased() {
      case "PRE": track?.hasPreEmphasis = true
      case "DCP", "SCMS": break  // Permission to copy isn't sound.
      case "4CH": note(.ignored, line, "track \(number) is marked 4CH; its file's channels hold")
      case "DATA":
        throw ListError(
          .unsupportedFeature, line: line, "track \(number) is data; remove the track")
      default:
        note(
          .unknownLine, line, "the flag \(ListWord.quoted(flag)) isn't known and has no effect")
      }
    }
  }

  /// Frames of a time `mm:ss:ff`; minutes may pass 99.
  private static func frames(_ text: Substring, line: Int) throws(ListError) -> Int64 {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let minutes = ListWord.whole(parts[0], digits: 6),
      let seconds = ListWord.whole(parts[1], digits: 2), seconds < 60,
      let frames = ListWord.whole(parts[2], digits: 2), frames < CueSheet.framesPerSecond
    else {
      throw ListError(
        .inputUnreadable, line: line,
        "\(ListWord.quoted(text)) isn't a time; write mm:ss:ff with ss up to 59 and ff up to 74")
    }
    return (minutes * 60 + seconds) * CueSheet.framesPerSecond + frames
  }
}
