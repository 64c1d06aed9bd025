import AudioCore

/// Taps as text: `POINT:KIND=ARGUMENTS`.
package enum TapText {
  /// The tap that `text` describes, given as `option`.
  /// - Throws: ``MediaError`` of kind `usage`.
  package static func parse(_ text: String, _ option: String) throws -> Tap {
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
    case "lv2": return Tap(point, .plugin(try plugin(sides[1], option)))
    default:
      throw MediaError(
        .usage, "\(option) \(text): there is no tap \(sides[0]); give eq, fir, avfilter or lv2")
    }
  }

  /// A plugin as `URI[,NAME=VALUE…]`.
  private static func plugin(_ text: String, _ option: String) throws -> PluginRequest {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard let uri = parts.first, !uri.isEmpty else {
      throw MediaError(.usage, "\(option) lv2=\(text): give the address of a plugin")
    }
    var request = PluginRequest(uri)
    var seen: Set<String> = []
    for part in parts.dropFirst() {
      let sides = part.split(separator: "=", maxSplits: 1).map(String.init)
      guard sides.count < 2 || seen.insert(sides[0]).inserted else {
        throw MediaError(.usage, "\(option) lv2=\(text): \(sides[0]) stands twice; give it once")
      }
      guard sides.count == 2 else {
        throw MediaError(
          .usage,
          "\(option) lv2=\(text): '\(part)' isn't NAME=VALUE; pinna taps show \(uri) names the controls"
        )
      }
      switch sides[0] {
      case "preset": request.preset = sides[1]
      case "state": request.statePath = sides[1]
      case "channels":
        guard let channels = PluginRequest.Channels(rawValue: sides[1]) else {
          throw MediaError(.usage, "\(option): channels=\(sides[1]) can't be; give exact or mix")
        }
        request.channels = channels
      default: request.settings.append(.init(sides[0], sides[1]))
      }
    }
    return request
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
