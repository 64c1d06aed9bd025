import AudioCore

/// Reads the frames of a surveyed audio track again, without decoding them.
package final class CodedAudioReader {
  private let source: AccessUnitSource
  private let survey: CodedAudioSurvey
  private var index = 0

  init(_ source: AccessUnitSource, _ survey: CodedAudioSurvey) {
    self.source = source
    self.survey = survey
  }

  /// The next frame; `nil` behind the last.
  /// - Throws: ``MediaError`` when the file holds fewer frames than the survey found, or was changed.
  package func next() throws -> AccessUnit? {
    while index < survey.skipped + survey.count {
      guard let unit = try source.next() else {
        throw MediaError(.inputUnreadable, "the audio ends early; was the file changed?")
      }
      index += 1
      if index > survey.skipped { return unit }
    }
    try survey.media.checkUnchanged()
    return nil
  }
}
