/// All that one frame tells, for people.
package struct AC4FrameFacts: Sendable, Equatable {
  /// The table of contents.
  package internal(set) var toc: AC4TableOfContents
  /// Its presentations.
  package internal(set) var presentations: [AC4PresentationFacts]
}
