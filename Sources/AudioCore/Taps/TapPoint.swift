/// Where in the chain of an output a tap gets the sound.
///
/// The chain is: decode and trim · `item` · renderer · sum of all items · `programme` · rate conversion ·
/// `post` · meter · gain and limiter · `output`.
public enum TapPoint: String, Sendable, Hashable, Codable, CaseIterable {
  /// The channels of one decoded item, from its first valid sample, at the item's own rate; of a queue one
  /// tap for each item.
  case item
  /// The rendered programme, all items together, before the rate is converted.
  case programme
  /// The rendered programme at the rate of the output; what comes out is measured and normalised.
  case post
  /// The samples as readers of the file get them. They can only be looked at.
  case output
}
