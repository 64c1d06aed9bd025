// SPDX-License-Identifier: Apache-2.0

/// A picture beside the sound, mostly a cover: a whole JPEG or PNG file, its size and what it shows.
package struct AttachedPicture: Sendable, Equatable {
  /// The file.
  package var bytes: [UInt8]
  /// Width in pixels.
  package var width: Int
  /// Height in pixels.
  package var height: Int
  /// Kind of picture, 0…20 (ID3v2.4.0, 4.14, and RFC 9639, 8.8.1): 3 is the front cover.
  package var kind = AttachedPicture.frontCover
  /// Its description; empty for none.
  package var text = ""

  /// Number of the front cover among the kinds.
  package static let frontCover = 3

  /// A front cover of `width` × `height` pixels.
  package init(bytes: [UInt8], width: Int, height: Int) {
    self.bytes = bytes
    self.width = width
    self.height = height
  }

  /// MIME type of JPEG or PNG by the first byte, which is FF in JPEG.
  package var mediaType: String { bytes.first == 0xFF ? "image/jpeg" : "image/png" }

  /// The number of what libavformat calls `name` in the tag `comment` of a picture's stream; `nil` for any other text.
  package static func kind(named name: String) -> Int? { kinds.firstIndex(of: name) }

  /// libavformat's names of the kinds, in the order of their numbers.
  private static let kinds = [
    "Other", "32x32 pixels 'file icon'", "Other file icon", "Cover (front)", "Cover (back)",
    "Leaflet page", "Media (e.g. label side of CD)", "Lead artist/lead performer/soloist",
    "Artist/performer", "Conductor", "Band/Orchestra", "Composer", "Lyricist/text writer",
    "Recording Location", "During recording", "During performance", "Movie/video screen capture",
    "A bright coloured fish", "Illustration", "Band/artist logotype", "Publisher/Studio logotype",
  ]
}
