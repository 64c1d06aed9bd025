import AudioCore
import IAMF

/// Everything that must be known of an IAMF sequence before its first sample.
package struct IAMFSettings: Sendable {
  /// An element, and where its channels lie.
  package struct Element: Sendable {
    /// What is written.
    package var written: WrittenElement
    /// For each channel of it, the plane of what is pushed.
    package var planes: [Int]

    /// An element whose channels lie in `planes`.
    package init(_ written: WrittenElement, planes: [Int]) {
      self.written = written
      self.planes = planes
    }

    /// Makes `result` the element's channels, in its order, of `buffer`, which has all planes.
    package func gather(_ buffer: AudioBuffer, into result: AudioBuffer) {
      result.removeAll()
      result.grow(by: buffer.frames)
      for (channel, plane) in planes.enumerated() {
        _ = result.channel(channel).update(fromContentsOf: buffer.channel(plane))
      }
    }
  }

  /// Hz; 48,000 for Opus.
  package var sampleRate: Int
  /// The elements, which one mix sums.
  package var elements: [Element]
  /// How substreams are coded: Opus, FLAC or PCM.
  package var codec: AudioEncoding
  /// Bits of a sample, 16 or 24; lossless codecs only.
  package var bits = 24
  /// Bit rate of all substreams together in bit/s; `nil` takes the encoder's own. Opus only.
  package var bitRate: Int?
  /// Dither for lossless codecs.
  package var dither = Dither.none
  /// Options for the encoders by libavcodec's names.
  package var encoderOptions: [String: String] = [:]
  /// Samples per channel that will be written.
  package var frames: Int64
  /// What the mix is called; `nil` for no name.
  package var title: String?
  /// Language: a code of ISO 639 or a tag of BCP 47; empty when unknown.
  package var language = ""
  /// How loud the mix is on some layouts.
  package var loudness: [LayoutLoudness] = []

  /// Settings of a sequence that is written in 24 bits where the codec is lossless.
  package init(sampleRate: Int, elements: [Element], codec: AudioEncoding, frames: Int64) {
    self.sampleRate = sampleRate
    self.elements = elements
    self.codec = codec
    self.frames = frames
  }

  /// Planes of what is pushed.
  var planes: Int { elements.reduce(0) { $0 + $1.planes.count } }

  /// Channels of each substream, 1 or 2.
  var substreams: [Int] { elements.flatMap(\.written.substreamChannels) }
}
