// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Rendering

/// The user's own processing inside the chain.
struct TapArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "An equaliser as text of AutoEq or Equalizer APO, e.g. for a headphone: the same as --tap "
        + "post:eq=FILE (repeatable).", valueName: "file"))
  var eq: [String] = []
  @Option(
    help: ArgumentHelp(
      "Processing at a point of the chain (item, programme, post), as POINT:KIND=ARGUMENTS: eq=FILE, "
        + "fir=FILE[,align=peak|start], avfilter=FILTER=NAME=VALUE:…,…, or lv2=URI[,preset=NAME][,state=FILE]"
        + "[,channels=mix][,NAME=VALUE…] (repeatable; in this order).",
      valueName: "tap"))
  var tap: [String] = []
  @Option(
    help: ArgumentHelp(
      "A program after -- that the sound is sent through at a point, as interleaved 32-bit floats on standard input "
        + "and output: POINT[,tail=TIME][,latency=SAMPLES].", valueName: "point"))
  var tapExec: String?

  @Option(
    help: ArgumentHelp(
      "Source of the delay of programs, filters and plugins: report (what they state), measure (what a test signal "
        + "shows) or a number of samples; by default what they state, corrected by the test signal.",
      valueName: "how"))
  var tapLatency: String?
  @Option(
    help: ArgumentHelp(
      "If one of these fails: fail, or bypass (render again without it, and report it).",
      valueName: "policy"))
  var onTapFailure = Given(Policy.TapFailure.fail)

  @Flag(
    help:
      "Leave out the taps of the preset and of a queue's items; those of --eq, --tap and --tap-exec stay."
  )
  var noTaps = false

  @Option(
    help: ArgumentHelp(
      "What is found out about the written samples: spectrogram=FILE.png, levels[=FILE.csv], phase[=FILE.csv], "
        + "silence[=FILE.cue|json|txt|csv], bandlimit; several with commas.", valueName: "what"))
  var analyze: String?

  @Argument(
    parsing: .postTerminator,
    help: "The program of --tap-exec with its arguments; without that option, further inputs.")
  var program: [String] = []

  /// The inputs among what stands behind `--`.
  var inputs: [String] { tapExec == nil ? program : [] }

  /// Analysis of an output that the flags ask for; `nil` for none.
  /// - Throws: ``MediaError`` of kind `usage`.
  func analysis() throws -> Tap? {
    guard let analyze else { return nil }
    let parts = try analyze.split(separator: ",", omittingEmptySubsequences: false).map { word in
      let sides = word.split(separator: "=", maxSplits: 1).map(String.init)
      let kind = try Given<AnalysisRequest.Kind>(argument: sides.first ?? "").value(.analysis)
      return AnalysisRequest.Part(kind, path: sides.count > 1 ? sides[1] : nil)
    }
    return Tap(.output, .analysis(AnalysisRequest(parts)))
  }

  /// The taps that the flags ask for.
  /// - Throws: ``MediaError`` of kind `usage`.
  func taps() throws -> [Tap] {
    try eq.map { Tap(.post, .equalizer(path: $0)) } + tap.map { try TapText.parse($0, "--tap") }
      + (tapExec.map { [try TapFlags.program($0, program)] } ?? [])
  }

  /// How the delays of taps are known; `nil` leaves that to each tap.
  /// - Throws: ``MediaError`` of kind `usage`.
  func latency() throws -> Tap.Latency? { try tapLatency.map(TapFlags.latency) }
}

/// Parsers of the flags for taps.
enum TapFlags {
  /// The program `words` at the point that `text` names, given as `--tap-exec`.
  /// - Throws: ``MediaError`` of kind `usage`.
  static func program(_ text: String, _ words: [String]) throws -> Tap {
    guard !words.isEmpty else {
      throw MediaError(.usage, "--tap-exec \(text): give the program after --, e.g. -- sox …")
    }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard let point = TapPoint(rawValue: parts[0]), point != .output else {
      throw MediaError(.usage, "--tap-exec \(text): the point is item, programme or post")
    }
    var request = ProgramRequest(words)
    for part in parts.dropFirst() {
      let sides = part.split(separator: "=", maxSplits: 1).map(String.init)
      switch sides.first {
      case "tail" where sides.count == 2:
        request.tail = try TimeSpec(sides[1], option: "--tap-exec tail")
      case "latency" where sides.count == 2:
        guard let count = Int(sides[1]), (0...TapHost.longestDelay).contains(count) else {
          throw MediaError(.usage, "--tap-exec \(text): latency is a number of samples")
        }
        request.latency = .samples(count)
      default:
        throw MediaError(
          .usage, "--tap-exec \(text): '\(part)' is neither tail=TIME nor latency=SAMPLES")
      }
    }
    return Tap(point, .program(request))
  }

  /// How delays are known, as `text` of `--tap-latency` says.
  /// - Throws: ``MediaError`` of kind `usage`.
  static func latency(_ text: String) throws -> Tap.Latency {
    switch text {
    case "report": return .report
    case "measure": return .measure
    default:
      guard let count = Int(text), (0...TapHost.longestDelay).contains(count) else {
        throw MediaError(
          .usage, "--tap-latency \(text): give report, measure or a number of samples")
      }
      return .samples(count)
    }
  }
}
