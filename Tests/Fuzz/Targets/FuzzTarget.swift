// SPDX-License-Identifier: Apache-2.0

/// A piece of Pinna that reads bytes which can't be trusted, and how it is tried.
///
/// libFuzzer and the ordinary tests run the same function. Its seeds lie in `Seeds/NAME`, words for libFuzzer in
/// `Dictionaries/NAME.dict` where there are any.
public struct FuzzTarget: Sendable {
  /// Name on the command line, and of the folder of seeds.
  public let name: String
  /// Changed copies of each seed that the ordinary tests try.
  public let mutations: Int
  /// Reads the bytes. A refusal is expected; a trap is a finding.
  public let run: @Sendable ([UInt8]) -> Void

  private init(
    _ name: String, mutations: Int = 200, _ run: @escaping @Sendable ([UInt8]) -> Void
  ) {
    self.name = name
    self.mutations = mutations
    self.run = run
  }

  /// All targets. Decoders are slow, so that the tests give them fewer inputs.
  public static let all = [
    FuzzTarget("AC4", mutations: 2, fuzzAC4),
    FuzzTarget("ADM", fuzzADM),
    FuzzTarget("Address", fuzzAddress),
    FuzzTarget("Audition", fuzzAudition),
    FuzzTarget("Batch", fuzzBatch),
    FuzzTarget("CUE", fuzzCUE),
    FuzzTarget("DAMF", fuzzDAMF),
    FuzzTarget("Dolby", fuzzDolby),
    FuzzTarget("EBML", fuzzEBML),
    FuzzTarget("Equalizer", fuzzEqualizer),
    FuzzTarget("FLAC", fuzzFLAC),
    FuzzTarget("Gapless", fuzzGapless),
    FuzzTarget("Golden", fuzzGolden),
    FuzzTarget("HLS", fuzzHLS),
    FuzzTarget("HRTF", mutations: 5, fuzzHRTF),
    FuzzTarget("HTTP", fuzzHTTP),
    FuzzTarget("HeadTrajectory", fuzzHeadTrajectory),
    FuzzTarget("IAMF", mutations: 2, fuzzIAMF),
    FuzzTarget("JOC", mutations: 5, fuzzJOC),
    FuzzTarget("M3U", fuzzM3U),
    FuzzTarget("MP3", fuzzMP3),
    FuzzTarget("MP4", fuzzMP4),
    FuzzTarget("Manifest", fuzzManifest),
    FuzzTarget("Matroska", fuzzMatroska),
    FuzzTarget("OTIO", fuzzOTIO),
    FuzzTarget("Ogg", fuzzOgg),
    FuzzTarget("PLS", fuzzPLS),
    FuzzTarget("Pictures", fuzzPictures),
    FuzzTarget("Preset", fuzzPreset),
    FuzzTarget("Queue", fuzzQueue),
    FuzzTarget("Records", fuzzRecords),
    FuzzTarget("Report", fuzzReport),
    FuzzTarget("Settings", fuzzSettings),
    FuzzTarget("Speakers", fuzzSpeakers),
    FuzzTarget("Subtitles", fuzzSubtitles),
    FuzzTarget("Tags", fuzzTags),
    FuzzTarget("Taps", fuzzTaps),
    FuzzTarget("Transport", fuzzTransport),
    FuzzTarget("TrueHD", mutations: 5, fuzzTrueHD),
    FuzzTarget("Undecoded", fuzzUndecoded),
    FuzzTarget("WAV", fuzzWAV),
    FuzzTarget("Words", fuzzWords),
    FuzzTarget("XSPF", fuzzXSPF),
  ]

  /// The target of this name; `nil` where there is none.
  public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}
