// SPDX-License-Identifier: Apache-2.0
import AudioCore

extension RenderReport {
  /// The work of the renderer.
  public struct Render: Sendable, Codable, Equatable {
    /// The HRTF set.
    public struct HRTF: Sendable, Codable, Equatable {
      /// `kemar` or the file's name.
      public var id: String
      /// SHA-256 of the file; of the embedded resource for the built-in set.
      public var sha256: String
      /// By how much the delays between the ears were stretched for another head; absent where they are as measured.
      public var delayScale: Double?
      /// `off` where the set's diffuse field and bass were left as measured; absent for others.
      public var processing: String?
      /// Gain in dB of a set of single loudspeakers, which is played at the level of the built-in set; absent for others.
      public var gainDB: Double?

      /// A set.
      public init(id: String, sha256: String, delayScale: Double? = nil) {
        self.id = id
        self.sha256 = sha256
        self.delayScale = delayScale
      }
    }

    /// A room that is simulated. Levels are those of the front left loudspeaker at both ears of a head that looks ahead.
    public struct Room: Sendable, Codable, Equatable {
      /// Figures of an octave.
      public struct Octave: Sendable, Codable, Equatable {
        /// Its middle, Hz.
        public var frequencyHz: Double
        /// Seconds in which the reverberation falls by 60 dB (T20 of ISO 3382-2); absent without one.
        public var decaySeconds: Double?
        /// Energy of the direct sound against all that follows, dB.
        public var directToReverberantDB: Double

        /// An octave.
        public init(frequencyHz: Double, decaySeconds: Double?, directToReverberantDB: Double) {
          self.frequencyHz = frequencyHz
          self.decaySeconds = decaySeconds
          self.directToReverberantDB = directToReverberantDB
        }
      }

      /// `small` or `medium`.
      public var id: String
      /// Seconds of late reverberation after the direct sound, until it has fallen by 65 dB; absent where only early
      /// reflections are played.
      public var tailSeconds: Double?
      /// Energy of the direct sound against all that follows, dB, mean of the octaves of 500 Hz and 1 kHz.
      public var directToReverberantDB: Double
      /// Octaves from 125 Hz to 8 kHz.
      public var octaves: [Octave]

      /// A room.
      public init(
        id: String, tailSeconds: Double?, directToReverberantDB: Double, octaves: [Octave]
      ) {
        self.id = id
        self.tailSeconds = tailSeconds
        self.directToReverberantDB = directToReverberantDB
        self.octaves = octaves
      }
    }

    /// Gains of a passive mix, absolute: of a downmix, or of a bed in a layout with more loudspeakers.
    public struct Downmix: Sendable, Codable, Equatable {
      /// The method that isn't the programme's own.
      public static let standard = "standard"
      /// The method of ITU-R BS.2127 for a bed in a layout with more loudspeakers, which isn't a downmix.
      public static let directSpeakers = "DirectSpeakers"

      /// `standard`, `DirectSpeakers`, or the form of the programme's own downmix: `LoRo`, `LtRt` or `ProLogicII`.
      public var method: String
      /// Origin of the gains: the standard, or the bitstream's own name for the part that holds
      /// them.
      public var source: String
      /// Speakers of the input.
      public var inputs: [String]
      /// Speakers of the output.
      public var outputs: [String]
      /// Output × input, linear.
      public var gains: [[Double]]

      /// A downmix.
      public init(
        method: String = Downmix.standard, source: String, inputs: [String], outputs: [String],
        gains: [[Double]]
      ) {
        self.method = method
        self.source = source
        self.inputs = inputs
        self.outputs = outputs
        self.gains = gains
      }

      /// Reads a downmix; older reports don't name the method, because there was only the standard
      /// one.
      /// - Throws: `DecodingError`.
      public init(from decoder: Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        method = try values.decodeIfPresent(String.self, forKey: .method) ?? Downmix.standard
        source = try values.decodeIfPresent(String.self, forKey: .source) ?? "ITU-R BS.775"
        inputs = try values.decode([String].self, forKey: .inputs)
        outputs = try values.decode([String].self, forKey: .outputs)
        gains = try values.decode([[Double]].self, forKey: .gains)
      }
    }

    /// Kind of the endpoint.
    public var endpoint: EndpointKind
    /// Whether the output is virtualised, be it by Pinna or already in the input.
    public var virtualized: Bool
    /// The HRTF set used.
    public var hrtf: HRTF?
    /// The simulated room.
    public var room: Room?
    /// Samples of latency that were removed.
    public var latencyCompensated: Int
    /// Samples of the output before the first one of the source (`--head keep`).
    public var head: Int64?
    /// Samples of filter tail kept after the end of the source (`--tail keep`).
    public var tail: Int
    /// Gain of the LFE channel, dB; absent when dropped or when there is none.
    public var lfeGainDB: Double?
    /// Angle between the loudspeakers, degrees; only for the endpoint `speakers`.
    public var speakerSpan: Double?
    /// The gains of a downmix.
    public var downmix: Downmix?
    /// Output layout.
    public var layout: String
    /// Output rate, Hz.
    public var rate: Int

    /// A render.
    public init(
      endpoint: EndpointKind, virtualized: Bool, hrtf: HRTF?, room: Room? = nil,
      latencyCompensated: Int,
      head: Int64? = nil, tail: Int,
      lfeGainDB: Double?, speakerSpan: Double? = nil, downmix: Downmix? = nil, layout: String,
      rate: Int
    ) {
      self.endpoint = endpoint
      self.virtualized = virtualized
      self.hrtf = hrtf
      self.room = room
      self.latencyCompensated = latencyCompensated
      self.head = head
      self.tail = tail
      self.lfeGainDB = lfeGainDB
      self.speakerSpan = speakerSpan
      self.downmix = downmix
      self.layout = layout
      self.rate = rate
    }
  }
}
