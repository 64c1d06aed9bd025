// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Batch
import Essentials
import MediaOut
import Platform
import Rendering
import Report

/// The inputs of a batch, its output folder and its output names: the same for `batch` and `merge`.
struct BatchSourceArguments: ParsableArguments {
  @Argument(help: "Manifest in YAML or JSON (see pinna schema manifest), or folder of media files.")
  var source: String?
  @Option(
    name: [.customShort("O"), .customLong("output-folder")],
    help: "Folder for outputs and results; it is made.")
  var root: String
  @Option(
    help: ArgumentHelp(
      "Instead: a file with one path or URL a line, or separated by zero bytes; - is standard input.",
      valueName: "file|-"))
  var inputList: String?
  @Option(
    help: ArgumentHelp(
      "Name of outputs: text with {id}, {stem}, {dir}, {ext}, {endpoint}, {n} "
        + "(default {dir}/{stem}.{ext}).", valueName: "template"))
  var name: String?
  @Option(help: "Samples a block; the output doesn't depend on it.")
  var blockSize: Int?
  @Option(
    help: ArgumentHelp(
      "Most bytes the samples of a job's outputs may take, before any codec.", valueName: "size"))
  var maxOutputSize: Given<Int>?
  @Flag(help: "Use the portable code paths of libav: same bits on every processor.")
  var deterministic = false
  @Option(help: StrictClasses.help)
  var strict: String?

  /// The plan with these options of `render`.
  func plan(
    _ input: InputArguments, _ render: RenderArguments, _ listener: ListenerArguments
  ) throws -> BatchPlan {
    try BatchSourceArguments.check(render)
    guard !root.isEmpty else { throw MediaError(.usage, "-O: give a folder") }
    var planner = try planner(input, render, listener)
    return try planner.plan(try place())
  }

  /// The planner of files with these options of `render`.
  func planner(
    _ input: InputArguments, _ render: RenderArguments, _ listener: ListenerArguments
  ) throws -> BatchPlanner<RenderEngine> {
    BatchPlanner(
      engine: RenderEngine(), root: root,
      options: GivenOptions(self, input, render, listener).ofBatch,
      name: try name.map { try NameTemplate($0) }, isAlbum: render.level.album ?? false)
  }

  /// Refuses options of `render` that a batch has no use for.
  /// - Throws: ``MediaError`` of kind `usage`.
  static func check(_ render: RenderArguments) throws {
    guard render.also.isEmpty else {
      throw MediaError(
        .usage, "--also: takes one input; list outputs: in a manifest, each with its endpoint")
    }
    guard render.taps.tapExec == nil else {
      throw MediaError(
        .usage, "--tap-exec: a batch starts no programs; run pinna render for each file")
    }
    guard render.taps.analyze == nil else {
      throw MediaError(
        .usage, "--analyze: a batch doesn't look at its outputs; run pinna render for each file")
    }
    if let word = render.taps.program.first {
      throw MediaError(.usage, "\(word): a batch takes nothing after --; list it in a manifest")
    }
  }

  private func place() throws -> BatchSource {
    switch (source, inputList) {
    case (let source?, nil):
      guard !BatchSourceArguments.isMedia(source) else {
        throw MediaError(
          .usage, about: source,
          "is a media file, and a batch takes a folder or a manifest; pinna render renders one file"
        )
      }
      return try BatchSource(path: source)
    case (nil, let list?):
      return .list(
        try InputList.paths(try BatchSourceArguments.bytes(list), name: list),
        name: list == "-" ? "standard input" : list)
    case (nil, nil):
      throw MediaError(.usage, "nothing to do: give a manifest, a folder or --input-list")
    default:
      throw MediaError(.usage, "--input-list: takes the place of a manifest or folder; give one")
    }
  }

  /// Whether a file isn't a manifest, but what a manifest lists.
  private static func isMedia(_ path: String) -> Bool {
    OutputExtension(path).isClaimed && access(path, F_OK) == 0 && !PathParts.isFolder(path)
  }

  private static func bytes(_ list: String) throws -> [UInt8] {
    let descriptor = list == "-" ? STDIN_FILENO : open(list, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw MediaError(
        .usage,
        "--input-list \(list): can't be read (\(String(cString: strerror(errno)))); check the path")
    }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var bytes: [UInt8] = []
    let code = Descriptor.readToEnd(descriptor) { bytes += $0 }
    guard code == 0 else {
      throw MediaError(
        .usage, "--input-list \(list): can't be read (\(String(cString: strerror(code))))")
    }
    return bytes
  }
}

/// Places of a batch's reports.
struct BatchReportArguments: ParsableArguments {
  @Flag(help: "Print the batch's report as JSON on stdout.") var json = false
  @Option(
    help: ArgumentHelp(
      "Write the batch's report as JSON to this file; - is standard output.", valueName: "file"))
  var report: String?
  @Option(
    help: ArgumentHelp("Write the outcome as JUnit XML to this file (or -).", valueName: "file"))
  var junit: String?
  @Option(
    help: ArgumentHelp("Write the outcome as Markdown to this file (or -).", valueName: "file"))
  var markdown: String?
  @Option(
    help: ArgumentHelp(
      "Write a page with plots of all items to this file (or -).", valueName: "file"))
  var html: String?
  @Option(
    help: ArgumentHelp(
      "Write the levels, gains and lengths of all outputs as CSV to this file (or -).",
      valueName: "file"))
  var csv: String?
  @OptionGroup var colours: ColourArguments
  @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Only failures.") var quiet = false

  /// Refuses places that can't be written, and those of the batch's own files, before any work is
  /// done. Without `overwrite` only reports of an earlier run are replaced.
  /// - Parameter count: items that the reports are about.
  func check(_ plan: BatchPlan, count: Int, overwrite: Bool) throws {
    guard files.count(where: { $0.path == "-" }) + (json ? 1 : 0) <= 1 else {
      throw MediaError(
        .usage, "--json and - as a file: only one can have standard output; choose one")
    }
    for (index, (option, path)) in files.enumerated() where path != "-" {
      let location = MediaLocation.file(path)
      let isTwice = files[..<index].contains { location.isSameFile(as: $0.path) }
      if let role = isTwice ? "another report" : plan.role(of: path) {
        throw MediaError(.outputUnwritable, "\(option) \(path): is \(role); give another name")
      }
      guard overwrite || EarlierReport.mayBeReplaced(path, by: option) else {
        throw OutputPlace(path, overwrite: false, as: "\(option) \(path):")
          .taken(" and isn't such a report of a batch")
      }
      do { _ = try AtomicFile(target: path, overwrite: true) } catch let error as MediaError {
        throw MediaError(error.kind, "\(option) \(error.message)")
      }
    }
    if let html, html != "-", BatchPage.pages(items: count) > 0 {
      try PageFolder(index: html).check(plan, overwrite: overwrite)
    }
  }

  /// Writes and prints all reports that were asked for; paths in them are relative to `root`.
  func publish(_ batch: BatchOutcome, root: String) throws {
    if json { try TextOutput.write(to: "-") { try BatchJSON.write(batch, to: $0) } }
    for (option, path) in files {
      switch option {
      case "--report": try TextOutput.write(to: path) { try BatchJSON.write(batch, to: $0) }
      case "--junit": try TextOutput.write(to: path) { try BatchJUnit.write(batch, to: $0) }
      case "--markdown":
        let text = try BatchMarkdown.text(batch)
        try TextOutput.write(to: path) { try $0(text) }
      case "--csv":
        let page = BatchPage(batch: batch, store: ResultStore(root: root))
        try TextOutput.write(to: path) { try BatchCSV.write(batch, items: page.items, to: $0) }
      default: try publishPage(BatchPage(batch: batch, store: ResultStore(root: root)), path, root)
      }
    }
  }

  private func publishPage(_ page: BatchPage, _ path: String, _ root: String) throws {
    guard path != "-", BatchPage.pages(items: page.batch.entries.count) > 0 else {
      let links = ReportOutput(option: "--html", path: path).links(from: root)
      let text = try page.single(links: links)
      try TextOutput.write(to: path) { try $0(text) }
      if path != "-" { PageFolder(index: path).removePages(after: 0) }
      return
    }
    try PageFolder(index: path).write(page, root: root)
  }

  private var files: [(option: String, path: String)] {
    [
      ("--report", report), ("--junit", junit), ("--markdown", markdown), ("--csv", csv),
      ("--html", html),
    ].compactMap { option, path in path.map { (option, $0) } }
  }
}
