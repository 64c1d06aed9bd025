import AudioCore

/// Faults of a track's timestamps that show only over all of its packets.
struct ClockFaults {
  private var least: Int64 = .max
  private var greatest: Int64 = .min
  private var missing = 0
  private var count = 0

  /// Timestamps of MPEG systems have 33 bits (ISO/IEC 13818-1, 2.4.3.7).
  private static let period: Int64 = 1 << 33

  /// Notes a packet's presentation time in ticks, as libav unwraps it.
  mutating func note(_ time: Int64?) {
    count += 1
    guard let time else {
      missing += 1
      return
    }
    least = min(least, time)
    greatest = max(greatest, time)
  }

  /// Reports missing timestamps and, for a 33-bit clock, that it wrapped around.
  func report(
    _ clock: ContainerInputTraits.Clock?, storesTimes: Bool, to log: DiagnosticLog
  ) {
    if storesTimes, count > 0, missing == count {
      log.degrade(
        .timestampMissing,
        "no packet has a timestamp, so lost sound can't be noticed; packets are joined as they come"
      )
    }
    guard clock == .stored33Bits, count > missing else { return }
    // libav continues times across the wrap: they then cross 0, or the period.
    let isWrapped = { (turn: Int64) in least < turn && greatest >= turn }
    if isWrapped(0) || isWrapped(ClockFaults.period) {
      log.decide(
        .timestamps, "unwrapped", why: "the container's 33-bit clock wraps around inside the track")
    }
  }
}
