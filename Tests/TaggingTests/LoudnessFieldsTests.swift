// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Tagging

/// Names and texts of loudness tags.
@Suite struct LoudnessFieldsTests {
  private func texts(
    _ tags: LoudnessTags, _ format: TagFormat, lowercase: Bool = false
  ) throws -> [String] {
    try LoudnessFields.fields(tags, for: format, lowercase: lowercase).map {
      "\($0.name)=\($0.value)"
    }
  }

  @Test("ReplayGain has two digits and a unit, peaks have six digits")
  func textsAreThoseOfOthers() throws {
    let tags = LoudnessTags(
      trackGain: -0.001, trackPeak: 1, albumGain: 12.345, albumPeak: 0, referenceLoudness: -18)
    #expect(
      try texts(tags, .flac) == [
        "REPLAYGAIN_TRACK_GAIN=0.00 dB", "REPLAYGAIN_TRACK_PEAK=1.000000",
        "REPLAYGAIN_ALBUM_GAIN=12.35 dB", "REPLAYGAIN_ALBUM_PEAK=0.000000",
        "REPLAYGAIN_REFERENCE_LOUDNESS=-18.00 LUFS",
      ])
    #expect(try texts(LoudnessTags(trackGain: 1), .mp4) == ["REPLAYGAIN_TRACK_GAIN=1.00 dB"])
    #expect(try texts(.none, .mp4).isEmpty)
  }

  @Test("lower-case names are for MP4 and ID3v2 only", arguments: TagFormat.allCases)
  func lowercaseNames(format: TagFormat) throws {
    let names = try texts(LoudnessTags(trackGain: 1), format, lowercase: true)
    let isLower = [.mpeg, .mp4, .wav, .aiff].contains(format)
    #expect(names.first?.hasPrefix("replaygain") == isLower)
  }

  @Test(
    "Opus gets gains to -23 LUFS in 1/256 dB and nothing else",
    arguments: [
      (0.0, nil, "-1280"), (-18.0, nil, "-5888"), (5, nil, "0"), (0, -23.0, "0"),
      (1, -23, "256"), (-7.25, -14, "-4160"), (0.001, -23, "0"), (132.99, nil, "32765"),
    ] as [(Double, Double?, String)])
  func opusGains(gain: Double, reference: Double?, text: String) throws {
    let tags = LoudnessTags(trackGain: gain, trackPeak: 1, referenceLoudness: reference)
    #expect(try texts(tags, .oggOpus) == ["R128_TRACK_GAIN=\(text)"])
  }

  @Test("figures without a text are refused", arguments: [Double.infinity, .nan, -.infinity, 5e5])
  func oddFiguresAreRefused(value: Double) {
    for format in [TagFormat.flac, .oggOpus] {
      let error = #expect(throws: MediaError.self) {
        try texts(LoudnessTags(trackGain: value), format)
      }
      #expect(error?.kind == .usage)
    }
  }

  @Test("values are read as others write them")
  func valuesAreRead() {
    func read(_ value: String) -> Double? {
      LoudnessFields.replayGain([TagField(name: "replaygain_TRACK_gain", value: value)]).trackGain
    }
    #expect(read("-3.45 dB") == -3.45)
    #expect(read("+3.45dB") == 3.45)
    #expect(read(" 7") == 7)
    #expect(read("") == nil)
    #expect(read("inf") == nil)
    #expect(read("loud") == nil)
    let r128 = LoudnessFields.r128([TagField(name: "r128_album_gain", value: "-512")])
    #expect(r128 == LoudnessTags(albumGain: -2, referenceLoudness: -23))
    #expect(LoudnessFields.r128([TagField(name: "R128_TRACK_GAIN", value: "40000")]) == .none)
  }

  @Test("a tag behind MP3 counts where the one in front has none")
  func placesHaveAnOrder() {
    let fields = [
      TagField(name: "REPLAYGAIN_TRACK_GAIN", value: "1 dB", place: .beside),
      TagField(name: "REPLAYGAIN_TRACK_GAIN", value: "2 dB"),
      TagField(name: "REPLAYGAIN_TRACK_PEAK", value: "0.5", place: .beside),
    ]
    #expect(LoudnessFields.replayGain(fields) == LoudnessTags(trackGain: 2, trackPeak: 0.5))
  }
}
