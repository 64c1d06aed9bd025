/// The edges of the screen that a position snaps to (screenEdgeLock).
package struct ScreenEdge: Sendable, Hashable {
  package enum Horizontal: Sendable, Hashable { case left, right }
  package enum Vertical: Sendable, Hashable { case bottom, top }

  /// Left or right.
  package var horizontal: Horizontal?
  /// Bottom or top.
  package var vertical: Vertical?
}
