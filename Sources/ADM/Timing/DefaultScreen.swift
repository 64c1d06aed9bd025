import AudioCore
import Platform

/// The screen that is assumed at the reproduction: in front, 58° wide, 1.78 times as wide as high
/// (ITU-R BS.2076-2, 5.8.4). A screen of the programme's own is taken for the same.
enum DefaultScreen {
  /// Azimuth of the left edge, degrees.
  private static let left = 29.0
  /// Elevation of the top edge, degrees.
  private static let top = atan(tan(left * .pi / 180) / 1.78) * 180 / .pi

  /// `direction`, moved to the edges that are stated.
  static func snapped(_ direction: Direction, to edge: ScreenEdge) -> Direction {
    var result = direction
    switch edge.horizontal {
    case .left: result.azimuth = left
    case .right: result.azimuth = -left
    case nil: break
    }
    switch edge.vertical {
    case .top: result.elevation = top
    case .bottom: result.elevation = -top
    case nil: break
    }
    return result
  }
}
