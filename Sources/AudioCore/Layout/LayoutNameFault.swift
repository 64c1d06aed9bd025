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
