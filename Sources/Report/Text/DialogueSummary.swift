// SPDX-License-Identifier: Apache-2.0
import AudioCore

extension DialogueLoudness {
  /// Verdict, confidence and evidence in a sentence.
  package var summary: String {
    let certain = PageText.figure(certainSeconds, "s", 1)
    let found = PageText.figure(speechSeconds, "s", 1)
    let part = certain == found ? "all of it certain" : "\(certain) of it certain"
    let evidence =
      speechSeconds > 0 ? "\(found) of speech in \(place), \(part)" : "none in \(place)"
    switch verdict {
    case .dialogue: return "\(confidence) confidence: \(evidence)"
    case .uncertainSpeech: return "too little is certain: \(evidence)"
    case .notEnoughSpeech: return "too little (10 s and 15 % are needed): \(evidence)"
    case .noSpeech: return "no certain speech: \(evidence)"
    }
  }

  /// The signal that speech was looked for in.
  private var place: String {
    switch source {
    case .stated: "sound that the file calls dialogue"
    case .centre: "the centre channel"
    case .centreAndMid: "the centre channel and the middle of the front pair"
    case .mid: "the middle of the front pair"
    case .mono: "the only channel"
    }
  }

  /// Figures as rows of a table: name, value, unit.
  package var rows: [(String, Double?, String)] {
    [
      ("Dialogue loudness", dialogueLoudness, "LUFS"),
      ("Programme less dialogue (LDR)", ldr, "LU"),
      ("Loudness range of the dialogue", dialogueRange, "LU"),
      ("Dialogue alone, without other sound", sourceLoudness, "LUFS"),
      ("Dialogue as the file states it", statedLoudness, "LUFS"),
      ("Certain speech", share * 100, "%"),
    ].filter { $0.1 != nil || $0.0 == "Dialogue loudness" }
  }
}
