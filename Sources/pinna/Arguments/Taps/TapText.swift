import AudioCore
import Rendering

/// Taps as text: `POINT:KIND=ARGUMENTS`.
enum TapText {
  /// The tap that `text` describes, given as `option`.
  /// - Throws: ``MediaError`` of kind `usage`.
  static func parse(_ text: String, _ option: String) throws -> Tap {
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else {
      throw MediaError(
        .usage, "\(option) \(text): give POINT:KIND=ARGUMENTS, e.g. post:eq=headphones.txt")
    }
    guard let point = TapPoint(rawValue: String(halves[0])), point != .output else {
      throw MediaError(.usage, "\(option) \(text): the point is item, programme or post")
    }
    let sides = halves[1].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    guard sides.count == 2, !sides[1].isEmpty else {
      throw MediaError(
        .usage, "\(option) \(text): give KIND=ARGUMENTS behind the point, e.g. eq=headphones.txt")
    }
    switch sides[0] {
    case "eq": return Tap(point, .equalizer(path: sides[1]))
    case "avfilter": return Tap(point, .filters(try FilterRequest(parsing: sides[1])))
    case "fir": return Tap(point, .impulse(try impulse(sides[1], option)))
    default:
      throw MediaError(
        .usage, "\(option) \(text): there is no tap \(sides[0]); give eq, fir or avfilter")
    }
  }

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

  private static func impulse(_ text: String, _ option: String) throws -> ImpulseRequest {
    let mark = ",align="
    guard let range = text.ranges(of: mark).last else { return ImpulseRequest(path: text) }
    let word = String(text[range.upperBound...])
    guard let alignment = ImpulseRequest.Alignment(rawValue: word) else {
      throw MediaError(.usage, "\(option): align=\(word) can't be; give peak or start")
    }
    return ImpulseRequest(path: String(text[..<range.lowerBound]), alignment: alignment)
  }
}
