/// All that one frame tells, for people.
public struct AC4FrameFacts: Sendable, Equatable {
  /// The table of contents.
  public internal(set) var toc: AC4TableOfContents
  /// Its presentations.
  public internal(set) var presentations: [AC4PresentationFacts]
}
