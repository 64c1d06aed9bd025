// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Verify

/// Taps that send sound through a program.
struct ProgramFile {
  let launcher: ProgramLauncher

  /// The tap that `request` asks for.
  /// - Throws: ``MediaError`` when there is no such program.
  func load(_ request: ProgramRequest, at point: TapPoint) throws -> LoadedTap {
    guard let name = request.words.first, let path = ProgramPlace.path(of: name) else {
      throw MediaError(
        .usage, about: request.words.first ?? "",
        "there is no such program that can be run; give its name or its path")
    }
    let files = request.words.dropFirst().map(absolute)
    let words = [path] + zip(request.words.dropFirst(), files).map { $1 ?? $0 }
    var settings = ["length=\(request.tail == .samples(0) ? "same" : "tail \(request.tail)")"]
    if case .samples(let count) = request.latency { settings.append("latency=\(count)") }
    let plan = PlannedTap(
      point: point, kind: "exec", name: request.words.joined(separator: " "),
      sha256: FileDigests.of(words), settings: settings)
    let launcher = launcher
    let stated: Int? = if case .samples(let count) = request.latency { count } else { nil }
    return LoadedTap(
      plan: plan,
      notes: notes
        + zip(request.words.dropFirst(), files).compactMap { word, file in
          file.map { "the word \(word) is the file \($0)" }
        },
      latency: stated == nil ? .measured : .declared,
      processing: { context, known in
        let latency = known.isKnown ? known.used : stated ?? 0
        return ProgramTap(
          context: context, latency: latency, tail: request.tail, name: plan.title,
          ProgramFile.program(words, launcher, context, plan.title, latency, request.tail))
      })
  }

  private var notes: [String] {
    launcher.confining == nil
      ? ["it runs with all rights of this process"] : ConfinementNotes.all
  }

  /// The whole path of the file that a word names, because the program runs in a folder of its own; `nil` for any
  /// other word. A plain word such as `gain` stays, even where a file has that name.
  private func absolute(_ word: String) -> String? {
    guard !PathParts.isAbsolute(word), PathParts.hasFolder(word) || word.contains("."),
      (try? LocalFile(path: word)) != nil
    else { return nil }
    return ListPlace.absolute(word)
  }

  /// How the program is started.
  private static func program(
    _ words: [String], _ launcher: ProgramLauncher, _ context: TapContext, _ title: String,
    _ latency: Int, _ tail: TimeSpec
  ) -> ProgramTap.Program {
    ProgramTap.Program(
      patience: launcher.patience, silence: .unavailable, notes: [], remarks: { $0.suffix(3) },
      failure: { end, errors, _ in failure(end, errors, title) },
      start: { format, seconds, scratch in
        // Behind the sound it gets as much silence as its delay and its tail take.
        let behind = Int64(latency) + tail.samples(at: format.sampleRate)
        return try launcher.start(
          words[0], Array(words.dropFirst()),
          environment: [
            "PATH=\(ProgramPlace.folders.joined(separator: ":"))", "LC_ALL=C", "PINNA_TAP=1",
            "PINNA_RATE=\(format.sampleRate)", "PINNA_CHANNELS=\(format.channels)",
            "PINNA_LAYOUT=\(format.layout.name)",
            "PINNA_FRAMES=\(context.expectedFrames.map { $0 + behind } ?? -1)",
          ], seconds: seconds, scratch: scratch)
      })
  }

  private static func failure(
    _ end: ChildProcess.End, _ errors: String, _ title: String
  ) -> MediaError {
    let how =
      switch end {
      case .code(let code): "ended with exit \(code)"
      case .signal(SIGXCPU): "used more of the processor than it may"
      case .signal(let number): "crashed (signal \(number))"
      }
    let lines = errors.split(whereSeparator: \.isNewline).suffix(3).joined(separator: " / ")
    let isKept = end == .code(ProgramLauncher.failure) && Sandbox.current != nil
    return MediaError(
      .unsupportedFeature, about: title,
      "\(how)\(lines.isEmpty ? "" : ": " + lines); "
        + (isKept ? "the sandbox runs only this program and the system's own ones; " : "")
        + "correct it, or leave it out")
  }
}

/// A program that sound is sent through: interleaved 32-bit floats, little endian, on its standard input and output.
public struct ProgramRequest: Sendable, Hashable, Codable {
  /// How its delay is known.
  public enum Latency: Sendable, Hashable, Codable {
    /// A test signal shows it before the run.
    case measured
    /// So many samples.
    case samples(Int)
  }

  /// The program, by path or by name, and its arguments.
  public var words: [String]
  /// How its delay is known.
  public var latency = Latency.measured
  /// How much longer its output may be than its input; 0 seconds by default.
  public var tail = TimeSpec.samples(0)

  /// A program with its arguments.
  public init(_ words: [String]) { self.words = words }
}

/// Starts programs of the user's that sound is sent through.
package struct ProgramLauncher: Sendable {
  /// This program's own command that gives up rights before it becomes another program; `nil` starts programs with
  /// all rights of this one.
  let confining: [String]?
  /// Seconds that a program may take and give nothing.
  package var patience = 10.0

  /// Exit code of a program that couldn't be confined or found.
  package static let failure: Int32 = 125

  /// Starts programs by `confining`, the words of a command of this program that calls ``serve(_:seconds:scratch:)``.
  package init(confining: [String]? = nil) { self.confining = confining }

  /// Work of the started process: gives up what isn't needed, and becomes the program that `words` name.
  /// - Returns: its exit code, where it failed.
  package static func serve(_ words: [String], seconds: UInt64, scratch: String) -> Int32 {
    guard let path = words.first else { return failure }
    let code = Confinement.become(
      path, Array(words.dropFirst()), seconds: seconds, scratch: scratch)
    let reason = String(cString: strerror(code))
    _ = Descriptor.writeAll(Array("\(path) can't be started: \(reason)\n".utf8), to: STDERR_FILENO)
    return failure
  }

  /// Starts the program at `path`, which may use `seconds` of the processor and write in the folder `scratch`.
  func start(
    _ path: String, _ arguments: [String], environment: [String], seconds: Int, scratch: String
  ) throws -> PipedProgram {
    let own = environment + ["HOME=\(scratch)", "TMPDIR=\(scratch)"]
    guard let confining else {
      return try PipedProgram(path, arguments, environment: own)
    }
    let words = confining + ["--seconds", "\(seconds)", "--scratch", scratch, "--", path]
    return try PipedProgram(OwnProgram.path, words + arguments, environment: own)
  }
}

/// The actions that this system can't keep foreign code from, as sentences for people.
enum ConfinementNotes {
  /// All of them; none where it can keep it from everything.
  static var all: [String] {
    let powers = Confinement.powers
    return
      (powers.guardsFiles
      ? [] : ["this kernel has no Landlock, so nothing keeps it from writing files elsewhere"])
      + (powers.guardsNetwork
        ? [] : ["this kernel has no filters of system calls, so nothing keeps it from the network"])
  }
}

/// Digests of files that decide what a tap does.
enum FileDigests {
  /// Most bytes of a file whose content is taken into account.
  private static let largest = 256 << 20

  /// SHA-256 over the contents of the files that `words` name, and over the words that name none.
  static func of(_ words: [String]) -> String {
    let digests = words.map { word -> String in
      guard let file = try? LocalFile(path: word), file.size <= Int64(largest) else { return word }
      return (try? file.sha256()) ?? word
    }
    return Digest.sha256(Array(digests.joined(separator: "\n").utf8))
  }
}
