/// A group of substreams that presentations use together (`ac4_substream_group_info`, TS 103 190-2, 6.2.1.6).
///
/// Streams of bitstream version 0 have no groups; each substream is then one of its own.
package struct AC4SubstreamGroup: Sendable, Equatable, TableEntry {
  /// Whether the frame carries the group's substreams.
  package internal(set) var isPresent = true
  /// Whether high sampling frequency extensions come with them.
  package internal(set) var hasHighSamplingFrequency = false
  /// Whether they code channels; objects otherwise.
  package internal(set) var isChannelCoded = true
  /// Index of the substream with the metadata of its objects (`oamd_substream`); `nil` without one.
  package internal(set) var metadata: Int?
  /// Whether those metadata can be read without earlier frames (`b_oamd_ndot`).
  var metadataAreIndependent = false
  /// Its audio substreams.
  package internal(set) var substreams: [AC4Substream] = []
  /// `content_classifier`, 0…7; 0 is main, 4 dialogue.
  package internal(set) var content: Int?
  /// Language tag (BCP 47), if the whole of it was sent.
  package internal(set) var language: String?

  /// Resets the group, but keeps its substreams, which are cleared one by one as they are read.
  mutating func clear() {
    let substreams = substreams
    self = AC4SubstreamGroup()
    self.substreams = substreams
  }
}
