import AudioCore
import Rendering
import Spatial

/// One way in which a listening page plays every excerpt.
package struct AuditionWay: Sendable, Hashable {
  /// Where its sound comes from.
  package enum Source: Sendable, Hashable {
    /// The input, rendered for an endpoint; what isn't for headphones or speakers is mixed to stereo.
    case render(Endpoint)
    /// A finished file, played as it is where it is stereo, at the times of the input.
    case file(String)
  }

  /// What people call it; no two ways of a page have one label.
  package var label: String
  /// The arguments of `pinna render` that give it.
  package var flags: String
  /// Where its sound comes from.
  package var source: Source

  /// A way.
  package init(label: String, flags: String, source: Source) {
    self.label = label
    self.flags = flags
    self.source = source
  }

  /// The endpoint of what is rendered from the input; `nil` for a finished file.
  var endpoint: Endpoint? {
    if case .render(let endpoint) = source { return endpoint }
    return nil
  }

  /// Whether its HRTF set is a HeSuVi file, which has seven directions only.
  var hasSevenPlaces: Bool { endpoint?.hrtf?.choice.path?.lowercased().hasSuffix(".wav") ?? false }
}
