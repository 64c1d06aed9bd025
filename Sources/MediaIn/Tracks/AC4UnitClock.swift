import AC4
import AudioCore

/// Gives the frames of an AC-4 elementary stream their times by adding up their lengths: the frames
/// themselves carry no times.
struct AC4UnitClock {
  private let path: String
  private let log: DiagnosticLog
  private let policy: DamagePolicy
  private var rate: AC4FrameRate?
  private(set) var time: Int64 = 0

  /// Ticks a second; 1 before the first frame.
  var timescale: Int64 { Int64(rate?.mediaTimescale ?? 1) }

  init(path: String, log: DiagnosticLog, policy: DamagePolicy = .fail) {
    self.path = path
    self.log = log
    self.policy = policy
  }

  /// The next frame with its time.
  /// - Throws: ``MediaError`` of kind `damaged` for a wrong checksum or table of contents, of kind
  ///   `unsupported-feature` when the frame rate changes.
  mutating func unit(_ frame: AC4SyncFrame) throws -> AccessUnit {
    if frame.isCRCGood == false, let unit = concealed(frame) { return unit }
    guard frame.isCRCGood != false else {
      // Before the first intact frame nobody knows how long a damaged one lasts.
      let remedy = policy == .conceal ? "" : ", or render it with \(setting: .damage) conceal"
      throw MediaError(
        .damaged, about: path,
        "the AC-4 frame at byte \(frame.position) has a wrong checksum; get a whole copy\(remedy)")
    }
    if frame.skippedBytes > 0 {
      log.degrade(
        .garbageSkipped,
        "\(frame.skippedBytes) bytes before byte \(frame.position) are no AC-4 and were left out")
    }
    do {
      return try unit(frame.rawFrame)
    } catch let error as MediaError where error.kind == .damaged {
      // A frame without a checksum shows its damage only here.
      guard let unit = concealed(frame) else { throw error }
      return unit
    }
  }

  /// A unit that stands for the damaged `frame`; `nil` when damage isn't concealed, or no frame before
  /// says how long it lasts.
  private mutating func concealed(_ frame: AC4SyncFrame) -> AccessUnit? {
    guard policy == .conceal, let rate else { return nil }
    let duration = Int64(rate.frameDuration)
    defer { time += duration }
    return AccessUnit(
      data: frame.rawFrame, time: time, duration: duration, isSync: false, isDamaged: true)
  }

  /// The next raw frame with its time.
  mutating func unit(_ raw: [UInt8]) throws -> AccessUnit {
    let contents: AC4TableOfContents
    do { contents = try AC4TableOfContents(rawFrame: raw) } catch {
      throw MediaError(error.mediaError.kind, about: path, "\(error)", cause: error)
    }
    guard rate == nil || rate == contents.frameRate else {
      throw MediaError(
        .unsupportedFeature, about: path,
        "its AC-4 frame rate changes in mid-stream, which one track can't hold")
    }
    rate = contents.frameRate
    let duration = Int64(contents.frameRate.frameDuration)
    defer { time += duration }
    return AccessUnit(data: raw, time: time, duration: duration, isSync: contents.isIFrame)
  }
}
