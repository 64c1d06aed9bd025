// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Essentials
import MediaOut
import Platform
import Rendering
import Report

/// `pinna report`.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make a page with plots, JUnit XML or Markdown of reports that pinna wrote.",
    discussion: """
      Takes the JSON of render --report and --json, compare --json, golden verify --json, \
      validate --json, measure --json and the items of a batch. Of measure --json --series it makes a loudness sheet to hand over. The page is one HTML file that loads nothing else: loudness before and after, \
      limiter, spectrum, timeline, degradations, decisions, outputs; of several reports an overview \
      that can be sorted comes first.

      In a CI step: pinna report *.json -o report.html --junit junit.xml --markdown - >> \
      "$GITHUB_STEP_SUMMARY". The exit code says whether the files were written, not how the reported \
      jobs ended.
      """)

  @Argument(help: "Reports, each with one JSON object or one a line; - is standard input.")
  var reports: [String]
  @Option(
    name: [.customShort("o"), .customLong("output")], help: "The HTML page; - is standard output.")
  var output: String?
  @Option(help: "Write JUnit XML to this file; - is standard output.") var junit: String?
  @Option(help: "Write Markdown to this file; - is standard output.") var markdown: String?
  @Option(help: "Heading of the page (default: the file's name, or how many reports there are).")
  var title: String?
  @Flag(name: [.customShort("y"), .customLong("overwrite")], help: "Replace files that exist.")
  var overwrite = false

  func run() throws {
    let places = [("-o", output), ("--junit", junit), ("--markdown", markdown)].compactMap {
      option, path in path.map { ReportOutput(option: option, path: $0) }
    }
    guard !places.isEmpty else {
      throw MediaError(.usage, "report: nothing to write; give -o, --junit or --markdown")
    }
    try ReportOutput.check(places, inputs: reports, overwrite: overwrite)
    let items = try ReportInput.items(reports)
    for place in places {
      let text: String
      switch place.option {
      case "--junit": text = JUnitReport(items: items).xml()
      case "--markdown": text = MarkdownReport(items: items).text()
      default: text = ReportPage(items: items, title: title, links: place.links()).html()
      }
      try place.write(text, overwrite: overwrite)
    }
  }
}

/// The reports that the command line names.
enum ReportInput {
  /// Largest file read, in bytes: enough for the reports of several hundred films.
  private static let largest = 1 << 30

  /// All reports, in order.
  /// - Throws: ``MediaError`` when a file is missing, can't be read or is no report.
  static func items(_ paths: [String]) throws -> [ReportItem] {
    guard paths.count(where: { $0 == "-" }) <= 1 else {
      throw MediaError(.usage, "-: standard input can only be read once; give it once")
    }
    return try paths.flatMap { path in
      let name = path == "-" ? "standard input" : path
      return try ReportParser.items(try content(path, name), name: name, root: root(of: path))
    }
  }

  /// The output folder of the batch that `path` is a result of: results are in its `.pinna/items`.
  private static func root(of path: String) -> String? {
    guard path != "-", let real = PathParts.real(path) else { return nil }
    let parts = PathParts.of(real).dropLast()
    guard parts.suffix(2) == [".pinna", "items"] else { return nil }
    return "/" + parts.dropLast(2).joined(separator: "/")
  }

  private static func content(_ path: String, _ name: String) throws -> Data {
    guard path != "-" else { return try read(STDIN_FILENO, name) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(errno, name) }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw failure(errno, name) }
    guard facts.st_mode & S_IFMT != S_IFDIR else { throw failure(EISDIR, name) }
    // The descriptor blocks from here on, so that a named pipe or a shell's `<(…)` is waited for.
    _ = fcntl(descriptor, F_SETFL, 0)
    return try read(descriptor, name)
  }

  private static func read(_ descriptor: Int32, _ name: String) throws -> Data {
    var data = Data()
    let code = try Descriptor.readToEnd(descriptor) {
      data.append(contentsOf: $0)
      guard data.count <= largest else {
        throw MediaError(
          .inputUnreadable, about: name, "is larger than 1 GiB; give reports that pinna wrote")
      }
    }
    guard code == 0 else { throw failure(code, name) }
    return data
  }

  private static func failure(_ code: Int32, _ name: String) -> MediaError {
    let text = String(cString: strerror(code))
    switch code {
    case ENOENT, ENOTDIR:
      return MediaError(.inputMissing, about: name, "doesn't exist; check the path")
    case EMFILE, ENFILE, ENOMEM:
      return MediaError(.outOfResources, about: name, "can't be read now (\(text)); try again")
    default:
      return MediaError(
        .inputUnreadable, about: name,
        "can't be read (\(text)); check what it is and its permissions")
    }
  }
}

/// A file that `report` writes, or standard output.
struct ReportOutput {
  /// The option that named it.
  let option: String
  let path: String

  private var isStandardOutput: Bool { path == "-" }

  /// Refuses, before anything is written, outputs that would replace a report, another output or,
  /// without `overwrite`, any file.
  static func check(_ outputs: [ReportOutput], inputs: [String], overwrite: Bool) throws {
    guard outputs.count(where: \.isStandardOutput) <= 1 else {
      throw MediaError(.usage, "-: only one of -o, --junit and --markdown can have standard output")
    }
    for (index, output) in outputs.enumerated() where !output.isStandardOutput {
      let location = MediaLocation.file(output.path)
      for input in inputs where input != "-" && location.isSameFile(as: input) {
        throw MediaError(
          .outputUnwritable,
          "\(output.option) \(output.path): is one of the reports; give another name")
      }
      for other in outputs[..<index] where !other.isStandardOutput {
        guard other.path != output.path, !location.isSameFile(as: other.path) else {
          throw MediaError(
            .usage,
            "\(output.option) \(output.path): is the file of \(other.option), too; give another")
        }
      }
      let name = "\(output.option) \(output.path):"
      try OutputPlace(output.path, overwrite: overwrite, as: name).checkFree()
    }
  }

  /// Writes `text`, whole or not at all.
  func write(_ text: String, overwrite: Bool) throws {
    guard !isStandardOutput else { return Terminal.output(data: text) }
    try TextFile.write(text, to: path, overwrite: overwrite)
  }

  /// Links from this file to others, whose relative paths start at `start`. Files that don't exist
  /// get none.
  func links(from start: String = ".") -> PageLinks {
    guard !isStandardOutput, let current = PathParts.real(start),
      let folder = PathParts.real(PathParts.folder(of: path))
    else { return .none }
    return PageLinks(folder: folder, current: current) { access($0, F_OK) == 0 }
  }
}
