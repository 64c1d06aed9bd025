// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Report
import Synchronization

/// Writes to the standard streams: data to stdout, everything else to stderr.
///
/// Nothing from outside gives the terminal a command: all text passes ``PlainText/shown(_:)`` here, and only ``overdraw`` moves
/// the cursor. Data keep their bytes on their way into a file or a pipe.
enum Terminal {
  /// 0, or the `errno` with which standard output first failed.
  private static let outputError = Atomic<Int32>(0)

  /// Writes text for people, or JSON, which has nothing in it that is replaced. ``outputFailure`` returns a failure to do so.
  static func output(_ text: String) { write(output: Array(PlainText.shown(text).utf8)) }

  /// Writes text for people; on a terminal its lines are broken between words, and what follows is `indent` columns in.
  static func output(_ text: String, indent: Int) {
    guard TerminalRecord.current == nil, isatty(STDOUT_FILENO) == 1 else { return output(text) }
    let columns = width(of: STDOUT_FILENO)
    let lines = PlainText.shown(text).split(separator: "\n", omittingEmptySubsequences: false)
    output(
      lines.flatMap { TextColumns.hanging(String($0), columns, indent: indent) }
        .joined(separator: "\n"))
  }

  /// Writes data in UTF-8, such as CSV. ``outputFailure`` returns a failure to do so.
  static func output(data text: String) { output(data: Array(text.utf8)) }

  /// Writes data in UTF-8, such as CSV. ``outputFailure`` returns a failure to do so.
  static func output(data bytes: [UInt8]) {
    let isShown = TerminalRecord.current == nil && isatty(STDOUT_FILENO) == 1
    write(output: isShown ? shown(bytes) : bytes)
  }

  /// Data as a terminal shows them; it needs no carriage returns, and tabs do no harm there.
  private static func shown(_ bytes: [UInt8]) -> [UInt8] {
    let lines = String(decoding: bytes.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    let cells = lines.split(separator: "\t", omittingEmptySubsequences: false)
    return Array(cells.map { PlainText.shown(String($0)) }.joined(separator: "\t").utf8)
  }

  private static func write(output bytes: [UInt8]) {
    if let record = TerminalRecord.current { return record.append(output: bytes) }
    let code = Descriptor.writeAll(bytes, to: STDOUT_FILENO)
    if code != 0 { outputError.store(code, ordering: .relaxed) }
  }

  /// The error of a command whose data couldn't all be written; `nil` when it could.
  static var outputFailure: MediaError? {
    let code = outputError.load(ordering: .relaxed)
    guard code != 0 else { return nil }
    return MediaError(
      .outputUnwritable,
      "standard output can't be written (\(String(cString: strerror(code)))); check where it goes")
  }

  /// Opens `/dev/null` for closed standard streams: a file opened later would otherwise get their
  /// number and receive text meant for them. The access mode is the opposite of the stream's, so
  /// that reading or writing it still fails.
  static func fillClosedStreams() {
    for (descriptor, flags) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDWR),
    ] where fcntl(descriptor, F_GETFD) < 0 {
      // `open` returns the lowest free descriptor, which is this one.
      _ = open("/dev/null", flags)
    }
  }

  /// Writes anything that isn't data.
  static func error(_ text: String) { write(errors: PlainText.shown(text)) }

  /// Writes `text` over the last line, which may be without its end.
  static func overdraw(_ text: String = "") {
    write(errors: "\r\u{1B}[K" + PlainText.shown(text))
  }

  /// Writes `text` over the last lines, as many as `lines`.
  static func overdraw(lines: Int, _ text: String = "") {
    write(errors: (lines > 0 ? "\r\u{1B}[\(lines)A\u{1B}[J" : "") + PlainText.shown(text))
  }

  /// Writes labelled lines, as wide as the terminal is.
  static func show(_ lines: [LabelledLine], indent: Int = 10) {
    let layout = LineLayout(
      width: isInteractive ? width : nil, hasColours: ColourChoice.isOn, indent: indent)
    write(errors: layout.text(lines))
  }

  /// Prints the sentence of one failure.
  static func complain(_ sentence: String) {
    show([LabelledLine(label: "pinna:", text: sentence, tone: .failed)], indent: 7)
  }

  /// Columns of the terminal that standard error is; 80 where that is unknown.
  static var width: Int { width(of: STDERR_FILENO) }

  private static func width(of descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else { return 80 }
    return Int(size.ws_col)
  }

  /// Whether progress can be drawn on stderr.
  static var isInteractive: Bool { TerminalRecord.current == nil && isatty(STDERR_FILENO) == 1 }

  private static func write(errors text: String) {
    if let record = TerminalRecord.current { return record.append(errors: text) }
    _ = Descriptor.writeAll(Array(text.utf8), to: STDERR_FILENO)
  }
}

/// The text that a command prints, kept in memory: the command runs inside a process that isn't its own.
///
/// Such a command draws no progress, and leaves the signals of the process alone.
final class TerminalRecord: Sendable {
  /// The record of the current task; `nil` where text goes to the standard streams.
  @TaskLocal static var current: TerminalRecord?

  private let streams = Mutex<(output: [UInt8], errors: String)>(([], ""))

  /// Standard output so far.
  var output: [UInt8] { streams.withLock { $0.output } }
  /// Standard error so far.
  var errors: String { streams.withLock { $0.errors } }

  /// Keeps what belongs to standard output.
  func append(output bytes: [UInt8]) { streams.withLock { $0.output += bytes } }
  /// Keeps what belongs to standard error.
  func append(errors text: String) { streams.withLock { $0.errors += text } }
}

/// Makes text from outside safe to print: names of files, and metadata in them.
enum PlainText {
  /// `text` with its line feeds, and with everything else replaced that ``line(_:)`` replaces. ``Terminal`` does this to all
  /// that it shows, so that no command has to think of it; text of one line is made so where it is put together.
  static func shown(_ text: String) -> String {
    let isASCII = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) || $0 == UInt8(ascii: "\n") }
    guard !isASCII else { return text }
    let scalars = text.unicodeScalars.map { $0.isPlain || $0 == "\n" ? $0 : "\u{FFFD}" }
    return String(String.UnicodeScalarView(scalars))
  }

  /// `text` on one line that contains no commands to the terminal and doesn't reverse the text
  /// beside it: control characters, line breaks and marks of direction become U+FFFD.
  static func line(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { $0.isPlain ? $0 : "\u{FFFD}" }
    return String(String.UnicodeScalarView(scalars))
  }

  /// `lines`, each made safe and ended by a line feed.
  static func lines(_ lines: [String]) -> String { lines.map { line($0) + "\n" }.joined() }

  /// `rows` as lines with columns of equal widths, aligned at their left but for those that `right` numbers; the last
  /// column ends where its text ends. All rows have as many cells as the first.
  static func table(_ rows: [[String]], right: Range<Int> = 0..<0) -> String {
    // Cells are made safe first, because that changes how wide some are.
    let rows = rows.map { $0.map(line) }
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { TextColumns.count($0[column]) }.max() ?? 0
    }
    return lines(
      rows.map { row in
        var text = row.enumerated().map { column, cell in
          Figures.padded(cell, widths[column], left: right.contains(column))
        }.joined(separator: "  ")
        while text.hasSuffix(" ") { text.removeLast() }
        return text
      })
  }
}

/// Figures and strings as text for the terminal, and JSON lines.
enum Figures {
  /// A number with `digits` digits after the point.
  static func fixed(_ value: Double, _ digits: Int) -> String {
    value.fixed(digits) ?? "-"
  }

  /// An optional figure; a dash when it is missing.
  static func fixed(_ value: Double?, _ digits: Int) -> String {
    value.map { fixed($0, digits) } ?? "-"
  }

  /// `value` rounded to `digits` digits after the point; 0 when it isn't finite or too large.
  static func rounded(_ value: Double, _ digits: Int) -> Double {
    Double(fixed(value, digits)) ?? 0
  }

  /// `value` as a line of JSON.
  static func line(_ value: some Encodable) -> String? {
    (try? ReportJSON.line(value)).map { $0 + "\n" }
  }

  /// Text padded with spaces to `width`.
  static func padded(_ text: String, _ width: Int, left: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - TextColumns.count(text)))
    return left ? space + text : text + space
  }
}

extension Figures {
  /// A time as h:mm:ss.mmm, without hours where there are none.
  static func clock(_ seconds: Double) -> String {
    let milliseconds = Int((max(0, min(seconds, 1e9)) * 1000).rounded())
    let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    let tail = "\(two(whole % 60)).\(rest < 100 ? "0" : "")\(rest < 10 ? "0" : "")\(rest)"
    return whole < 3600
      ? "\(whole / 60):\(tail)" : "\(whole / 3600):\(two(whole / 60 % 60)):\(tail)"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
