// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Counts packets that couldn't be decoded and treats them as the policy says.
///
/// Damage before the first good frame is a cut start, and a short stretch after the last good frame is a
/// truncated end: both are only reported. Any other damage fails the job or becomes silence.
struct DamageLedger {
  private let policy: DamagePolicy
  private let path: String
  private let log: DiagnosticLog
  /// Remedy for damage, in words for users.
  private let remedy: String
  /// The first finding of a damaged stretch that no good frame has ended yet.
  private var open: String?
  private var atStart = 0
  private var count = 0
  /// Number of these since the last good frame.
  private var openCount = 0
  /// Samples since the last good frame that were decoded from doubtful packets.
  private(set) var doubtful: Int64 = 0
  private var runs = 0
  private var jumps = 0
  /// Samples in packets that were lost or doubtful since the last good frame.
  private var lost: Int64 = 0
  /// Findings of one kind that get a sentence of their own in the report.
  private static let listed = 10
  /// Whether anything has been decoded.
  private(set) var hasGoodFrame = false
  /// Whether packets were lost since ``pendingSilence`` was last compared with the clock.
  var hasUnsettledLoss = false
  /// Samples of silence that stand for lost packets and haven't been handed out yet.
  private(set) var pendingSilence = 0
  /// Position of the first sample of that silence.
  private(set) var silencePosition: Int64?

  init(
    policy: DamagePolicy, path: String, log: DiagnosticLog,
    remedy: String = "give an intact copy, or \(setting: .damage) conceal to fill with silence"
  ) {
    self.policy = policy
    self.path = path
    self.log = log
    self.remedy = remedy
  }

  /// Notes a damaged packet, of which `samples` samples are missing as far as is known; `span` is how many
  /// it holds in all. `packet` is its number, `nil` where earlier ones weren't read.
  mutating func note(
    _ reason: String, packet: Int?, time: String?, samples: Int, span: Int, position: Int64?
  ) {
    if !hasGoodFrame {
      atStart += 1
      return
    }
    count += 1
    openCount += 1
    lost += Int64(max(0, samples, span))
    doubtful += Int64(span)
    let place = time.map { " at \($0)" } ?? ""
    let name = packet.map { "packet \($0)" } ?? "a packet"
    open = open ?? "\(name)\(place) can't be decoded (\(reason))"
    guard policy == .conceal else { return }
    hasUnsettledLoss = true
    addSilence(max(0, samples), at: position)
  }

  /// Notes a good frame.
  /// - Throws: ``MediaError`` of kind `damaged` when damage lies between it and an earlier one.
  mutating func good() throws {
    if !hasGoodFrame {
      hasGoodFrame = true
      // A cut start costs a few packets. A track that loses more than 50 counts as damaged instead.
      if atStart > 50 {
        throw MediaError(
          .damaged, about: path,
          "its first \(atStart) packets can't be decoded; give an intact copy")
      }
      if atStart > 0 {
        log.degrade(
          .damagedStart,
          atStart == 1
            ? "the first packet can't be decoded and is left out"
            : "the first \(atStart) packets can't be decoded and are left out")
      }
    }
    (lost, doubtful, openCount) = (0, 0, 0)
    guard let open else { return }
    guard policy == .conceal else { throw failure(open) }
    self.open = nil
    // This is reported now and not at the end of the track, because a job that renders only a range stops
    // reading before that end.
    runs += 1
    if runs <= DamageLedger.listed { log.degrade(.decodeErrors, "\(open); concealed") }
  }

  private func failure(_ finding: String) -> MediaError {
    MediaError(.damaged, about: path, "\(finding); \(remedy)")
  }

  /// Reports a jump of the clock where packets were lost whole.
  mutating func noteJump(_ sentence: String) {
    jumps += 1
    if jumps <= DamageLedger.listed { log.degrade(.timestampGap, sentence) }
  }

  /// Adds `samples` to the pending silence. `position` becomes its start when none was pending.
  mutating func addSilence(_ samples: Int, at position: Int64?) {
    if pendingSilence == 0 { silencePosition = position }
    pendingSilence += samples
  }

  /// Takes up to `limit` samples of the pending silence.
  mutating func takeSilence(atMost limit: Int) -> Int {
    let count = min(limit, pendingSilence)
    pendingSilence -= count
    silencePosition = pendingSilence > 0 ? silencePosition.map { $0 + Int64(count) } : nil
    return count
  }

  /// Whether nothing good followed the last damage so far.
  var isOpen: Bool { hasGoodFrame && open != nil }

  /// Passes over the damage since the last good frame, because it lies after the last sample of the programme, by the `evidence`.
  mutating func leaveOutEnd(_ evidence: String) {
    guard let open, hasGoodFrame else { return }
    log.decide(
      .trailingData, "left out",
      why: "\(open), but \(evidence)")
    count -= openCount
    (self.open, lost, doubtful, openCount) = (nil, 0, 0, 0)
    (pendingSilence, silencePosition, hasUnsettledLoss) = (0, nil, false)
  }

  /// Judges the damage at the end of the track. `missing` is the number of samples that the container
  /// declares beyond the last one; up to `longestEnd` lost samples are only a truncated end.
  /// - Throws: ``MediaError`` of kind `damaged` when nothing at all could be decoded, or more than
  ///   the end is lost.
  mutating func close(missing: Int64 = 0, longestEnd: Int64 = 0) throws {
    guard hasGoodFrame else {
      if atStart > 0 {
        throw MediaError(
          .damaged, about: path, "none of its audio packets can be decoded; give an intact copy")
      }
      throw MediaError(
        .inputUnreadable, about: path, "its audio track holds no samples; give a file with sound")
    }
    if let open {
      guard policy == .conceal || max(lost, missing) <= longestEnd else {
        throw failure("\(open) and nothing after it can")
      }
      log.degrade(.truncated, "the end is cut or damaged: \(open), nothing decodable follows")
      self.open = nil
    }
    if policy == .conceal, count > 0 {
      log.degrade(
        .decodeErrors,
        count.counted("packet in all was", "packets in all were") + " damaged and concealed")
    }
  }
}

/// The treatment of a packet that can't be decoded.
public enum DamagePolicy: String, Sendable, CaseIterable, Codable {
  /// The job fails (exit 4).
  case fail
  /// The packet's time is filled with silence and the report says so.
  case conceal
}
