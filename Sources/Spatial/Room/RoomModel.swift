/// A simulated listening room, heard by its early reflections.
///
/// The reflections are those of image sources in a box (J. B. Allen, D. A. Berkley: "Image method
/// for efficiently simulating small-room acoustics", J. Acoust. Soc. Am. 65, 1979) off one or two
/// surfaces: 24 for each loudspeaker, those from which a listener infers a room's size. Each comes
/// from its own direction, later and weaker because of its longer path, and duller because the
/// surfaces absorb high frequencies. All together are some 3 dB weaker than the direct sound; the
/// strongest one, off the floor, is 7…8 dB weaker at 2 kHz. They end 38 ms (small) or 56 ms (medium) after
/// the direct sound. On request a reverberant tail follows, with the energy that the images of higher
/// order would have.
///
/// The rooms are treated as listening rooms are: curtains on the walls, a carpet, tiles on the
/// ceiling.
public enum RoomModel: String, Sendable, Hashable, Codable, CaseIterable {
  /// A living room: 4.2 m wide, 5 m long, 2.5 m high, loudspeakers 1.8 m away.
  case small
  /// A large listening room: 6.4 m wide, 8 m long, 3 m high, loudspeakers 2.6 m away.
  case medium

  /// Its geometry and surfaces.
  var shoebox: Shoebox {
    switch self {
    case .small:
      return Shoebox(size: SIMD3(5, 4.2, 2.5), listener: SIMD3(2.2, 2.1, 1.2), distance: 1.8)
    case .medium:
      return Shoebox(size: SIMD3(8, 6.4, 3), listener: SIMD3(3.5, 3.2, 1.2), distance: 2.6)
    }
  }
}
