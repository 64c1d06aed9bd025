/// The facts of one frame that reports show.
package struct AC4FrameFacts: Sendable, Equatable {
  /// The table of contents.
  package internal(set) var toc: AC4TableOfContents
  /// The facts of each presentation.
  package internal(set) var presentations: [AC4PresentationFacts]
}
