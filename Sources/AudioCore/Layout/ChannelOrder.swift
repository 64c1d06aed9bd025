// SPDX-License-Identifier: Apache-2.0

/// Loudspeakers of a file's channels in the order in which they lie there, which may be another than the mask's.
public struct ChannelOrder: Sendable, Hashable, Codable, RawRepresentable, CustomStringConvertible {
  /// The speakers of the file's channels; none where nothing names them.
  public let speakers: [Speaker]
  /// These speakers in mask order, as programmes hold them.
  public let layout: ChannelLayout

  /// Orders of film and of immersive mixes that have a name: the sides before the backs, as ITU-R BS.2051-3 lists them.
  private static let named: [(name: String, list: String)] = [
    ("5.1(film)", "FL+FC+FR+SL+SR+LFE"), ("7.1(film)", "FL+FC+FR+SL+SR+BL+BR+LFE"),
    ("7.1(side-first)", "FL+FR+FC+LFE+SL+SR+BL+BR"),
    ("7.1.4(side-first)", "FL+FR+FC+LFE+SL+SR+BL+BR+TFL+TFR+TBL+TBR"),
  ]

  /// Names of the orders that have one.
  public static var knownNames: [String] { named.map(\.name) }

  /// The order of the speakers of `layout`, which is the mask's.
  public init(_ layout: ChannelLayout) { (speakers, self.layout) = (layout.speakers, layout) }

  /// The order of this name: that of a layout, one of ``knownNames``, or names of channels in any order
  /// (`FL+FC+FR+SL+SR+LFE`), in any letter case; `nil` for any other text, and for a list with an unknown or a repeated name.
  public init?(name: String) {
    let list = ChannelOrder.named.first { $0.name == name.lowercased() }?.list ?? name
    if let layout = ChannelLayout(name: list) {
      self = ChannelOrder(layout)
      return
    }
    guard case .order(let layout)? = LayoutNameFault(of: list) else { return nil }
    speakers = list.split(separator: "+").compactMap { Speaker(name: String($0)) }
    self.layout = layout
  }

  /// Whether the channels lie in mask order.
  public var isOfMask: Bool { speakers == layout.speakers }

  /// Name of the layout where the channels lie in its order, else that of the order or the speakers joined by `+`.
  public var description: String {
    if isOfMask { return layout.name }
    let list = speakers.map(\.name).joined(separator: "+")
    return ChannelOrder.named.first { $0.list == list }?.name ?? list
  }

  /// Same as ``description``.
  public var rawValue: String { description }

  /// Same as ``init(name:)``, and for the number of channels that nothing names (`12 channels`) as well.
  public init?(rawValue: String) {
    if let layout = ChannelLayout(coded: rawValue) {
      self.init(layout)
    } else {
      self.init(name: rawValue)
    }
  }
}

/// Why a list of channel names (`FL+FR+FC`) is no ``ChannelLayout``.
package enum LayoutNameFault: Equatable, CustomStringConvertible {
  /// A part of the list is no known channel name.
  case unknown(String)
  /// A channel is named more than once.
  case repeated(String)
  /// The names are in another order than the mask's; `layout` holds the same channels.
  case order(ChannelLayout)

  /// The first fault of `text`; `nil` where it is a layout, or no list joined by `+`.
  package init?(of text: String) {
    guard text.contains("+"), ChannelLayout(name: text) == nil else { return nil }
    var speakers: [Speaker] = []
    for part in text.split(separator: "+", omittingEmptySubsequences: false).map(String.init) {
      guard let speaker = Speaker(name: part) else {
        self = .unknown(part)
        return
      }
      guard !speakers.contains(speaker) else {
        self = .repeated(speaker.name)
        return
      }
      speakers.append(speaker)
    }
    self = .order(ChannelLayout(speakers))
  }

  /// The fault and its cure, as the rest of a sentence.
  package var description: String {
    switch self {
    case .unknown(let name):
      let known = Speaker.allCases.map(\.name).joined(separator: ", ")
      return "\"\(name)\" is no channel name; give some of \(known)"
    case .repeated(let name): return "\(name) is named twice; name each channel once"
    case .order(let layout):
      let order = layout.speakers.map(\.name).joined(separator: "+")
      return "channels must lie in the order \(order); put those of the file into it"
    }
  }
}
