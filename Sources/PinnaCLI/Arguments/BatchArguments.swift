import ArgumentParser
import AudioCore
import Batch
import Essentials
import Platform

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
  var maxOutputSize: String?
  @Flag(help: "Use the portable code paths of libav: same bits on every processor.")
  var deterministic = false
  @Option(help: StrictClasses.help)
  var strict: String?

  /// The plan with the options of `render` that follow `command` on the command line.
  func plan(_ render: RenderArguments, command: String) throws -> BatchPlan {
    try BatchSourceArguments.check(render)
    let options = OptionValues(commandLine: Array(Main.words.drop { $0 != command }.dropFirst()))
    guard !root.isEmpty else { throw MediaError(.usage, "-O: give a folder") }
    var planner = BatchPlanner(
      engine: RenderEngine(), root: root, options: options,
      name: try name.map { try NameTemplate($0) }, isAlbum: render.level.album ?? false)
    return try planner.plan(try place())
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
      throw MediaError(.usage, "\(word): a batch takes nothing behind --; list it in a manifest")
    }
  }

  private func place() throws -> BatchSource {
    switch (source, inputList) {
    case (let source?, nil): return try BatchSource(path: source)
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

  private static func bytes(_ list: String) throws -> [UInt8] {
    let descriptor = list == "-" ? STDIN_FILENO : open(list, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw MediaError(
        .usage,
        "--input-list \(list): can't be read (\(String(cString: strerror(errno)))); check the path")
    }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let got = read(descriptor, &chunk, chunk.count)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else {
        throw MediaError(
          .usage, "--input-list \(list): can't be read (\(String(cString: strerror(errno))))")
      }
      if got == 0 { return bytes }
      bytes += chunk[..<got]
    }
  }
}
