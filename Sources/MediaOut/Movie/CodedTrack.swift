/// A track whose samples are coded already: it is pulled while its file is written.
package protocol CodedTrack: AnyObject {
  /// What it is, for messages: the file and which of its tracks.
  var name: String { get }

  /// Its facts.
  var track: MovieTrack { get }

  /// The next sample in decoding order; `nil` after the last.
  /// - Throws: ``MediaError`` when it can't be read.
  func next() throws -> MediaSample?
}
