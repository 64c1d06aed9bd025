extension RenderReport {
  /// What the timeline did. All counts are samples per channel at the source rate unless noted.
  public struct Timeline: Sendable, Codable, Equatable {
    /// Start-up samples.
    public struct Priming: Sendable, Codable, Equatable {
      /// Samples dropped.
      public var samples: Int64
      /// Source of the count: `elst`, `itunsmpb`, `packet-table`, `codec-delay`, `first-page`, `lame`,
      /// `opus-header`, `decoder`, `codec-table` or `option`; `unknown` when there is none, and no samples are dropped.
      public var source: String

      /// Priming of `samples`.
      public init(samples: Int64, source: String) {
        self.samples = samples
        self.source = source
      }
    }

    /// Presentation time of the first output sample in the source.
    public struct Start: Sendable, Codable, Equatable {
      /// Samples.
      public var samples: Int64
      /// Hz.
      public var rate: Int

      /// A start.
      public init(samples: Int64, rate: Int) {
        self.samples = samples
        self.rate = rate
      }
    }

    /// A timestamp jump.
    public struct Gap: Sendable, Codable, Equatable {
      /// `gap`, `overlap` or `discontinuity`.
      public var kind: String
      /// Output sample at which it lies.
      public var position: Int64
      /// Its size in samples.
      public var samples: Int64

      /// A jump.
      public init(kind: String, position: Int64, samples: Int64) {
        self.kind = kind
        self.position = position
        self.samples = samples
      }
    }

    /// Start-up samples.
    public var priming: Priming
    /// Samples dropped at the end.
    public var padding: Int64
    /// Source of the programme's end: `elst`, `sample-table`, `itunsmpb`, `packet-table`, `fact`, `comm`,
    /// `lame`, `discard-padding` or `lossless`; `unknown` when there is none, and all samples are kept.
    public var paddingSource: String
    /// Presentation time of the first output sample.
    public var start: Start
    /// Samples decoded; those before a range that decoding doesn't begin with aren't among them.
    public var samplesIn: Int64
    /// Samples delivered to the renderers, at the source's rate.
    public var samplesOut: Int64
    /// Timestamp jumps.
    public var gaps: [Gap]

    /// A timeline.
    public init(
      priming: Priming, padding: Int64, paddingSource: String, start: Start, samplesIn: Int64,
      samplesOut: Int64, gaps: [Gap]
    ) {
      self.priming = priming
      self.padding = padding
      self.paddingSource = paddingSource
      self.start = start
      self.samplesIn = samplesIn
      self.samplesOut = samplesOut
      self.gaps = gaps
    }
  }
}
