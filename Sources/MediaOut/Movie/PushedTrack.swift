import AudioCore

/// A track that is encoded while its file is written: samples are pushed into it, coded ones come out.
package protocol PushedTrack: AnyObject {
  /// Its facts, known before the first sample.
  var track: MovieTrack { get }
  /// The codec as HLS and MIME types name it (RFC 6381).
  var codec: String { get }
  /// What files with such a track conform to besides the usual, as four-character codes.
  var brands: [String] { get }
  /// Samples that had to be clamped to full scale; 0 for lossy encodings, which clamp nothing.
  var clippedSamples: Int64 { get }
  /// The samples of the last block as every reader gets them; `nil` for a lossy encoding.
  var stored: AudioBuffer? { get }

  /// Adds `buffer` and encodes as many whole frames as there are now.
  /// - Throws: ``MediaError`` or an encoder's error.
  func encode(_ buffer: AudioBuffer) throws -> [MediaSample]

  /// Encodes the rest.
  /// - Throws: as ``encode(_:)``.
  func finish() throws -> [MediaSample]
}
