import AudioCore

/// Makes exact times of those of OpenTimelineIO, whose values and rates are Doubles.
enum OTIOTime {
  /// How far a rate may lie from n or n·1000/1001: 23.976 is 24000/1001.
  private static let rateTolerance = 1e-4
  /// How far a value may lie from a whole number.
  private static let valueTolerance = 1e-6
  private static let mostRate = 1e9
  private static let mostValue = 281_474_976_710_656.0

  /// The exact time of a `RationalTime.1`; `who` is named in messages.
  static func time(_ tree: JSONTree?, of who: String) throws(ListError) -> MediaTime {
    guard let tree, tree["OTIO_SCHEMA"]?.string == "RationalTime.1",
      case .number(let value)? = tree["value"], case .number(let rate)? = tree["rate"]
    else { throw ListError(.inputUnreadable, "\(who) has no RationalTime.1 where one belongs") }
    let ticks = value.rounded()
    guard abs(value - ticks) <= valueTolerance, abs(ticks) <= mostValue else {
      throw ListError(
        .inputUnreadable,
        "\(who) has the time \(value) at rate \(rate), which isn't whole; "
          + "conform the timeline to one rate")
    }
    guard rate <= mostRate, rate >= 0.5 else { throw badRate(rate, who) }
    let whole = rate.rounded()
    if whole >= 1, abs(rate - whole) <= rateTolerance {
      return MediaTime(ticks: Int64(ticks), rate: Int64(whole))
    }
    let video = (rate * 1.001).rounded()
    guard abs(rate - video * 1000 / 1001) <= rateTolerance else { throw badRate(rate, who) }
    return MediaTime(ticks: Int64(ticks) * 1001, rate: Int64(video) * 1000)
  }

  /// The start and the length of a `TimeRange.1`.
  static func range(
    _ tree: JSONTree?, of who: String
  ) throws(ListError) -> (start: MediaTime, duration: MediaTime) {
    guard let tree, tree["OTIO_SCHEMA"]?.string == "TimeRange.1" else {
      throw ListError(.inputUnreadable, "\(who) has no TimeRange.1 where one belongs")
    }
    let range = (try time(tree["start_time"], of: who), try time(tree["duration"], of: who))
    guard range.1.ticks >= 0 else {
      throw ListError(.inputUnreadable, "\(who) has a negative length; correct it")
    }
    return range
  }

  /// The exact sum of two times, or their difference.
  static func sum(
    _ left: MediaTime, _ right: MediaTime, isNegative: Bool = false, of who: String
  ) throws(ListError) -> MediaTime {
    guard let sum = left.adding(right, isNegative: isNegative) else {
      throw ListError(
        .inputUnreadable, "the times of \(who) can't be added exactly; use fewer different rates")
    }
    return sum
  }

  private static func badRate(_ rate: Double, _ who: String) -> ListError {
    ListError(
      .inputUnreadable,
      "\(who) has the rate \(rate), which is neither whole nor a whole one times 1000/1001; "
        + "conform the timeline to one rate")
  }
}
