import AC4
import AudioCore
import LibAV
import Platform

/// The frames of a raw `.ac4` file.
final class RawAC4Units: AccessUnitSource {
  /// Bytes that are read at once.
  private static let piece = 1 << 16

  private let file: LocalFile
  private var scanner = AC4FrameScanner()
  private var position: Int64 = 0
  private var clock: AC4UnitClock
  private let log: DiagnosticLog

  var timescale: Int64 { clock.timescale }
  var origin: (ticks: Int64, rate: Int64) { (0, 1) }

  init(file: LocalFile, log: DiagnosticLog, policy: DamagePolicy) {
    self.file = file
    self.log = log
    clock = AC4UnitClock(path: file.path, log: log, policy: policy)
  }

  private func noteRest() {
    guard scanner.skippedBytes > 0 else { return }
    log.degrade(
      .truncated,
      "the last \(scanner.skippedBytes) bytes are no whole AC-4 frame; they are missing")
  }

  func next() throws -> AccessUnit? {
    while true {
      if let frame = scanner.next() { return try clock.unit(frame) }
      guard position < file.size else {
        noteRest()
        return nil
      }
      let bytes = file.bytes(at: position, count: RawAC4Units.piece)
      guard !bytes.isEmpty else {
        throw MediaError(.inputUnreadable, about: file.path, "reading failed; check the disk")
      }
      scanner.push(bytes)
      position += Int64(bytes.count)
      if position >= file.size { scanner.finish() }
    }
  }
}
