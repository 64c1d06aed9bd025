/// A substream group as `dac4` lists it (`ac4_substream_group_dsi`, TS 103 190-2, E.11).
package struct AC4GroupDescription: Sendable, Equatable {
  /// `b_substreams_present`: whether the stream carries the group's substreams.
  package var isPresent = true
  /// `b_hsf_ext`: whether extensions for high sampling frequencies come with them.
  package var hasHighSamplingFrequency = false
  /// `b_channel_coded`: whether they code channels; objects otherwise.
  package var isChannelCoded = true
  /// Its substreams, at most 255.
  package var substreams: [AC4SubstreamDescription] = []
  /// `content_classifier`, if given.
  package var content: Int?
  /// Language tag, if given; needs a content classifier.
  package var language: [UInt8]?

  init() {}

  init(_ bits: inout BitReader) throws(AC4Error) {
    isPresent = try bits.flag()
    hasHighSamplingFrequency = try bits.flag()
    isChannelCoded = try bits.flag()
    for _ in 0..<(try bits.read(8)) {
      substreams.append(try AC4SubstreamDescription(&bits, channels: isChannelCoded))
    }
    guard try bits.flag() else { return }
    content = try bits.read(3)
    if try bits.flag() { language = try bits.bytes(try bits.read(6)) }
  }

  func write(to bits: inout BitWriter) {
    bits.write(isPresent)
    bits.write(hasHighSamplingFrequency)
    bits.write(isChannelCoded)
    bits.write(substreams.count, 8)
    for substream in substreams { substream.write(to: &bits) }
    bits.write(content != nil)
    guard let content else { return }
    bits.write(content, 3)
    bits.write(language != nil)
    guard let language else { return }
    bits.write(language.count, 6)
    bits.write(language)
  }
}
