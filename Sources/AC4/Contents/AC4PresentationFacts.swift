/// The facts of one presentation in one frame that reports show.
package struct AC4PresentationFacts: Sendable, Equatable {
  /// Its place in the table of contents.
  package internal(set) var index: Int
  /// Its entry in the table of contents.
  package internal(set) var presentation: AC4Presentation
  /// The channels that it is decoded to; `nil` for objects.
  package internal(set) var channelMode: AC4ChannelMode?
  /// The channels that an immersive stereo pair was made from; `nil` for others and for objects.
  package internal(set) var originalMode: AC4ChannelMode?
  /// Facts of its objects; `nil` for channels.
  package internal(set) var objects: AC4ObjectFacts?
  /// Languages of its groups, without repetition.
  package internal(set) var languages: [String] = []
  /// Content classifiers of its groups, without repetition.
  package internal(set) var contents: [Int] = []
  /// The metadata of its own substream; `nil` when it has none or they can't be read.
  package internal(set) var metadata: AC4PresentationMetadata?
  /// The metadata of its audio substreams, in order; `nil` where they can't be read.
  package internal(set) var substreams: [AC4SubstreamMetadata?] = []

  /// Dialogue level in dB below full scale, from wherever the stream states it.
  package var dialnorm: Double? {
    metadata?.dialnorm ?? substreams.compactMap { $0?.dialnorm }.first
  }

  /// Measured loudness, from wherever the stream states it.
  package var loudness: AC4Loudness? {
    metadata?.loudness ?? substreams.compactMap { $0?.loudness }.first
  }

  /// Dynamic range settings, from wherever the stream states them.
  package var dynamicRange: AC4DynamicRange? {
    metadata?.dynamicRange ?? substreams.compactMap { $0?.dynamicRange }.first
  }

  /// Dialogue enhancement of the first substream that has any.
  package var dialogueEnhancement: AC4DialogueEnhancement? {
    substreams.compactMap { $0?.dialogueEnhancement }.first
  }
}
