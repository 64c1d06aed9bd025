// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Processing of the user's own at one point of an output's chain.
public struct Tap: Sendable, Hashable, Codable {
  /// The work of a tap.
  public enum Work: Sendable, Hashable, Codable {
    /// An equaliser from a text file of AutoEq or Equalizer APO.
    case equalizer(path: String)
    /// A convolution with the impulse responses of a sound file.
    case impulse(ImpulseRequest)
    /// A program that the sound is sent through.
    case program(ProgramRequest)
    /// Filters of libavfilter, of those that may be used.
    case filters(FilterRequest)
    /// An LV2 plugin.
    case plugin(PluginRequest)
    /// A look at the samples that are written, at ``TapPoint/output`` only.
    case analysis(AnalysisRequest)
    /// Code of the caller's own.
    case own(OwnTap)
  }

  /// How the delay of a program, of filters or of a plugin is known.
  public enum Latency: Sendable, Hashable, Codable {
    /// The stated delay is used and checked by a test signal; where the tap states none or a wrong one, the delay that the signal shows.
    case automatic
    /// The stated delay is used, whatever a test signal shows.
    case report
    /// The delay that a test signal shows is used; a run without such a sign fails.
    case measure
    /// So many samples; whatever the tap states or does, for example because its purpose is a delay.
    case samples(Int)
  }

  /// Point of the chain at which it sits.
  public var point: TapPoint
  /// Work of the tap.
  public var work: Work
  /// How its delay is known, where it isn't Pinna's or the caller's own.
  public var latency = Latency.automatic

  /// A tap at `point`.
  public init(_ point: TapPoint, _ work: Work) {
    self.point = point
    self.work = work
  }

  /// A tap of the caller's own that changes sound.
  /// - Parameters:
  ///   - point: where it sits; not `output`.
  ///   - identity: what reports and caches know it by. Another processing needs another identity.
  ///   - make: makes one tap; called once for each output, at `item` for each item, and once more to try it.
  public init(
    _ point: TapPoint, _ identity: String,
    make: @escaping @Sendable (TapContext) throws -> any AudioTap
  ) {
    self.init(point, .own(OwnTap(identity, .processes(make))))
  }

  /// A tap at ``TapPoint/output`` that only looks at the samples that are written.
  /// - Parameters:
  ///   - identity: what reports know it by.
  ///   - make: makes one observer; called once for each output.
  public static func observing(
    _ identity: String, make: @escaping @Sendable (TapContext) throws -> any AudioObserver
  ) -> Tap {
    Tap(.output, .own(OwnTap(identity, .observes(make))))
  }
}

extension Tap.Work {
  /// The file that it is made of; `nil` where there is none.
  var path: String? {
    switch self {
    case .equalizer(let path): return path
    case .impulse(let request): return request.path
    case .plugin(let request): return request.statePath
    case .program, .filters, .analysis, .own: return nil
    }
  }

  /// This work with the file at `path`.
  func renamed(_ path: String) -> Tap.Work {
    switch self {
    case .equalizer: return .equalizer(path: path)
    case .impulse(var request):
      request.path = path
      return .impulse(request)
    case .plugin(var request):
      request.statePath = path
      return .plugin(request)
    case .program, .filters, .analysis, .own: return self
    }
  }
}

/// Impulse responses to convolve with.
public struct ImpulseRequest: Sendable, Hashable, Codable {
  /// The sample of the responses that counts as their beginning, so that it stays where the input's sample is.
  public enum Alignment: String, Sendable, Hashable, Codable, CaseIterable {
    /// The largest one: what a filter of linear phase delays is removed.
    case peak
    /// The first one.
    case start
  }

  /// The sound file: one channel for all, one for each, or four for stereo (left to left, left to right, right to
  /// left, right to right).
  public var path: String
  /// Sample that counts as the beginning.
  public var alignment: Alignment

  /// The responses in the file at `path`.
  public init(path: String, alignment: Alignment = .peak) {
    self.path = path
    self.alignment = alignment
  }
}

/// Code of the caller's own, known by its name.
///
/// Two are equal when their names are. JSON holds the name only: what is read back can be compared and listed, but
/// making a tap of it fails.
public struct OwnTap: Sendable, Hashable, Codable {
  /// How a tap is made.
  public enum Make: Sendable {
    /// Changes the sound.
    case processes(@Sendable (TapContext) throws -> any AudioTap)
    /// Looks at the sound.
    case observes(@Sendable (TapContext) throws -> any AudioObserver)
  }

  /// Identity in reports and caches.
  public let identity: String
  /// How it is made; `nil` after reading JSON.
  public let make: Make?

  /// A tap called `identity`.
  public init(_ identity: String, _ make: Make) {
    self.identity = identity
    self.make = make
  }

  /// Reads the name.
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    identity = try decoder.singleValueContainer().decode(String.self)
    make = nil
  }

  /// Writes the name.
  /// - Throws: `EncodingError`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(identity)
  }

  /// Whether both have the same name.
  public static func == (one: OwnTap, other: OwnTap) -> Bool { one.identity == other.identity }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

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
        .usage, "\(option) \(text): give KIND=ARGUMENTS after the point, e.g. eq=headphones.txt")
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
