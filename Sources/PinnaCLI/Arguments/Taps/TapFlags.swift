import AudioCore
import Rendering

/// What flags say of taps.
enum TapFlags {
  /// The program `words` at the point that `text` names, given as `--tap-exec`.
  /// - Throws: ``MediaError`` of kind `usage`.
  static func program(_ text: String, _ words: [String]) throws -> Tap {
    guard !words.isEmpty else {
      throw MediaError(.usage, "--tap-exec \(text): give the program behind --, e.g. -- sox …")
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
