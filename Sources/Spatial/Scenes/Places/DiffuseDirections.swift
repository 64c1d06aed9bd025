import AudioCore

/// The directions from which diffuse sound comes: 24, nearly even, the right half mirroring the left.
enum DiffuseDirections {
  /// Twelve on the left, then their mirror images.
  static let all: [Direction] = {
    let left = [
      (22.5, 0.0), (67.5, 0), (112.5, 0), (157.5, 0), (45, 35), (90, 30), (135, 35), (45, -35),
      (90, -30), (135, -35), (60, 72), (120, -72),
    ].map { Direction(azimuth: $0.0, elevation: $0.1) }
    return left + left.map { Direction(azimuth: -$0.azimuth, elevation: $0.elevation) }
  }()
}
