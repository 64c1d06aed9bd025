import ISOBMFF

/// How ``FragmentedMP4Writer`` writes.
package struct FragmentedMP4Settings: Sendable {
  /// Ticks a second of the movie's durations, 1…4294967295: the audio's sample rate, so that edits
  /// are exact to a sample.
  package var movieTimescale: Int
  /// Length aimed at for a fragment in ticks of the reference track, 1…2^60: the first video track,
  /// else the first track. A fragment begins with the first packet, or key frame, at or after each
  /// multiple.
  package var fragmentDuration: Int64
  /// Descriptive tags.
  package var tags = MovieTags()
  /// Major brand of the file.
  package var majorBrand = "iso6"
  /// Everything conformed to.
  package var compatibleBrands = ["iso6", "isom", "mp41"]
  /// Whether a `styp` box precedes each fragment, as files with one segment each need it.
  package var writesSegmentTypes = false
  /// Whether `mfra` is written at the end, for seeking in a single file.
  package var writesIndex = true

  /// Whether the fragments are to become files: `styp` before each, no `mfra` after the last.
  package var isForSegmentFiles: Bool {
    get { writesSegmentTypes && !writesIndex }
    set { (writesSegmentTypes, writesIndex) = (newValue, !newValue) }
  }

  /// Settings with everything else at its default.
  package init(movieTimescale: Int, fragmentDuration: Int64) {
    self.movieTimescale = movieTimescale
    self.fragmentDuration = fragmentDuration
  }
}
