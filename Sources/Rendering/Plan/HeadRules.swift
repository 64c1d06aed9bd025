import AudioCore

/// What an output whose sound begins before its source rules out.
enum HeadRules {
  /// Makes sure that an output whose sound begins before its source has nothing else with a place in time, and no tap
  /// that changes the tempo.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature`.
  static func check(
    _ rendition: Rendition, _ taps: [LoadedTap], _ beside: Companions, _ name: String
  ) throws {
    guard rendition.filterHead == .keep else { return }
    let obstacles: [(isThere: Bool, words: String)] = [
      (beside.hasVideo, "the pictures; add \(setting: .video) drop"),
      (!beside.subtitles.isEmpty, "the subtitles; add \(setting: .subtitles) drop"),
      (!beside.chapters.isEmpty, "the chapters; add \(setting: .leavesChaptersOut)"),
      (taps.contains { !$0.tempo.isSame }, "a tap that changes the tempo; leave it out"),
    ]
    guard let obstacle = obstacles.first(where: \.isThere) else { return }
    throw MediaError(
      .unsupportedFeature, about: name,
      "\(setting: .filterHead) keep lets the sound begin before its source, out of step with \(obstacle.words)"
    )
  }

  /// Refuses a head that is kept in a queue.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature`.
  static func checkQueue(_ rendition: Rendition) throws {
    guard rendition.filterHead == .keep else { return }
    throw MediaError(
      .unsupportedFeature,
      "\(setting: .filterHead) keep: a queue begins with its first item; begin the queue with a silence, or leave it out"
    )
  }
}
