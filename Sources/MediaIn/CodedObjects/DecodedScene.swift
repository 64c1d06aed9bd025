import AudioCore

/// Follows the elements of a decoded programme, at most one bed and then objects, through the updates that come
/// with its samples.
struct DecodedScene {
  private var ways: [ObjectWay]
  /// Plane of the first object less the place of its element.
  private let shift: Int

  /// The elements of `programme` as they begin.
  init(_ programme: Programme) {
    ways = ObjectWay.all(of: programme)
    // A plane of the bed has no updates, and objects follow it one plane each.
    shift = programme.planes - ways.count
  }

  /// What is known of each element so far.
  var facts: [ObjectFacts] { ways.map(\.facts) }

  /// Notes an update whose time is on the file's clock.
  mutating func note(_ update: ObjectUpdate) { ways[update.plane - shift].note(update) }
}
