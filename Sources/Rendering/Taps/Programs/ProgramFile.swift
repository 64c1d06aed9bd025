import AudioCore
import Platform
import Verify

/// Taps that send sound through a program.
struct ProgramFile {
  /// Most bytes of a file among the words whose content is taken into account.
  private static let largest = 256 << 20

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
      sha256: digest(words), settings: settings)
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
        try ProgramTap(
          words, launcher: launcher, context: context, latency: stated ?? known.used,
          tail: request.tail,
          name: plan.title)
      })
  }

  /// What this system can't keep the program from.
  private var notes: [String] {
    guard launcher.confining != nil else { return ["it runs with all rights of this process"] }
    let powers = Confinement.powers
    return
      (powers.guardsFiles
      ? [] : ["this kernel has no Landlock, so nothing keeps it from writing files elsewhere"])
      + (powers.guardsNetwork
        ? [] : ["this kernel has no filters of system calls, so nothing keeps it from the network"])
  }

  /// The whole path of the file that a word names, because the program runs in a folder of its own; `nil` for any
  /// other word. A plain word such as `gain` stays, even where a file has that name.
  private func absolute(_ word: String) -> String? {
    guard !word.hasPrefix("/"), word.contains("/") || word.contains("."),
      (try? LocalFile(path: word)) != nil
    else { return nil }
    return ListPlace.absolute(word)
  }

  /// SHA-256 over the program and all files that its words name.
  private func digest(_ words: [String]) -> String {
    let digests = words.map { word -> String in
      guard let file = try? LocalFile(path: word), file.size <= Int64(ProgramFile.largest) else {
        return word
      }
      return PCMDigest.of(file.bytes(at: 0, count: Int(file.size)))
    }
    return PCMDigest.of(Array(digests.joined(separator: "\n").utf8))
  }
}
