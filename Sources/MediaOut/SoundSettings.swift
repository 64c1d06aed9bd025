// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV

/// Everything that a writer must know of a sound before the first sample, whatever the container.
package struct SoundSettings: Sendable {
  /// Rate and layout.
  package var format: AudioFormat
  package var coding: OutputCoding
  /// Samples per channel that will be written.
  package var frames: Int64
  package var texts = TrackTexts()
  /// Language: a code of ISO 639-2/T or a tag of BCP 47; empty when unknown.
  package var language = ""
  /// Name that users give the track; `nil` without one.
  package var title: String?
  /// Whether players take the track where the user chose none.
  package var isDefault = true
  /// Purposes of the track, apart from the default.
  package var roles: OutputTrackFacts.Roles = []
  /// Samples by which the track begins later than the earliest of the presentation.
  package var startOffset: Int64 = 0
  /// Whether the two channels are made for headphones.
  package var isBinaural = false

  /// Settings without texts.
  package init(format: AudioFormat, coding: OutputCoding, frames: Int64) {
    self.format = format
    self.coding = coding
    self.frames = frames
  }
}

/// Texts, pictures and figures that a file carries besides its sound; each writer takes what its container holds.
package struct TrackTexts: Sendable {
  package var tags = MediaTags()
  /// Program that made the file, e.g. `Pinna 1.0.0`.
  package var maker = ""
  /// Program that made the sound's track, where other tracks lie beside it that are of another make; `nil` where ``maker`` made all.
  package var trackMaker: String?
  /// Pictures with their kinds.
  package var pictures: [AttachedPicture] = []
  /// Chapters in the order in which they begin.
  package var chapters: [ProgrammeMarker] = []
  /// Loudness of what is written; `nil` where it isn't known.
  package var loudness: TrackLoudness?
  /// Loudness of the album that it belongs to; `nil` for none.
  package var albumLoudness: TrackLoudness?
  /// Origin and coding history, for WAV; `nil` writes none.
  package var broadcast: BroadcastInfo?

  /// Nothing.
  package init() {}
}
