import AudioCore

/// Makes the filters of a loudspeaker's reflections in a room: all of them summed, each through the
/// responses of its own direction.
final class RoomFilters {
  private let shoebox: Shoebox
  private let designer: HRIRDesigner
  private let rate: Int
  private let head: HeadRotation

  /// Filters at `rate` Hz for a head in `pose` in the middle of `shoebox`.
  init(_ shoebox: Shoebox, _ designer: HRIRDesigner, rate: Int, pose: HeadPose) {
    self.shoebox = shoebox
    self.designer = designer
    self.rate = rate
    head = HeadRotation(pose)
  }

  /// `direct`, the filters of a loudspeaker in `direction` of the room, with its reflections.
  func adding(to direct: HRIRDesigner.Pair, _ direction: Direction) -> HRIRDesigner.Pair {
    var sum = direct
    for reflection in shoebox.reflections(from: direction) {
      let delay = reflection.delay(rate: rate)
      let whole = Int(delay.rounded(.down))
      let pair = designer.pair(
        at: head.place(of: reflection.place), delayedBy: delay - Double(whole))
      add(reflection.filtered(pair.left, rate: rate), at: whole, to: &sum.left)
      add(reflection.filtered(pair.right, rate: rate), at: whole, to: &sum.right)
    }
    return sum
  }

  private func add(_ taps: [Double], at start: Int, to sum: inout [Double]) {
    let missing = start + taps.count - sum.count
    if missing > 0 { sum += [Double](repeating: 0, count: missing) }
    for (index, tap) in taps.enumerated() { sum[start + index] += tap }
  }
}
