/// How loud a programme is on one layout, as its file says.
public struct StatedLoudness: Sendable, Hashable, Codable {
  /// Why a figure isn't used.
  public enum Doubt: String, Sendable, Hashable, Codable, CaseIterable {
    /// Loudness and peak are 0, which writers put where they measured nothing.
    case placeholder
    /// No programme can be that loud.
    case implausible
  }

  /// The loudspeakers; `nil` for headphones.
  public var layout: ChannelLayout?
  /// Integrated loudness, LUFS.
  public var integrated: Double
  /// Why the figure isn't used; `nil` where it is.
  public var doubt: Doubt?
  /// Whether it is that of the file's own downmix, which isn't what Pinna renders for this layout.
  public var isOfOwnDownmix: Bool

  /// A loudness from its values.
  public init(
    layout: ChannelLayout?, integrated: Double, doubt: Doubt? = nil, isOfOwnDownmix: Bool = false
  ) {
    self.layout = layout
    self.integrated = integrated
    self.doubt = doubt
    self.isOfOwnDownmix = isOfOwnDownmix
  }
}
