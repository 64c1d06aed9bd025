import AudioCore
import Platform

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
      make: .processes { context, known in
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
    guard !word.hasPrefix("/"), word.contains("/") || word.contains("."),
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
