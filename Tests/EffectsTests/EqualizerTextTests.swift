// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Effects
import Testing

/// Text of AutoEq, Equalizer APO and Room EQ Wizard.
struct EqualizerTextTests {
  private func read(_ text: String) throws -> Equalizer {
    try EqualizerText.read(text, name: "eq.txt")
  }

  private func bands(_ text: String) throws -> [EqualizerBand] {
    try read(text).parts.compactMap { part in
      if case .band(let band) = part.work { return band } else { return nil }
    }
  }

  @Test("AutoEq text gives preamp and filters, without the one that is off")
  func textOfAutoEqIsRead() throws {
    let equalizer = try read(
      """
      Preamp: -6.2 dB
      Filter 1: ON LSC Fc 105 Hz Gain 6.5 dB Q 0.70
      Filter 2: ON PK Fc 2361 Hz Gain -4.1 dB Q 1.93
      Filter 3: OFF PK Fc 100 Hz Gain 1.0 dB Q 1.00
      Filter 4: ON HSC Fc 10000 Hz Gain -3.4 dB Q 0.70
      """)
    #expect(
      equalizer.parts.map(\.summary) == [
        "gain -6.20 dB", "lowShelf 105.00 Hz +6.50 dB Q 0.70", "peak 2361.00 Hz -4.10 dB Q 1.93",
        "highShelf 10000.00 Hz -3.40 dB Q 0.70",
      ])
    #expect(equalizer.notes.isEmpty)
  }

  @Test("Room EQ Wizard text gives its filter and a note of five ignored lines")
  func textOfRoomEQWizardIsRead() throws {
    let text = """
      Filter Settings file
      Room EQ V5.19
      Dated: 01.02.2020

      Notes:Left

      Equaliser: Generic
      Filter  1: ON  PK       Fc   63,00 Hz  Gain  -5,00 dB  Q  8,00
      Filter  2: ON  None
      """
    let equalizer = try read(text)
    #expect(equalizer.parts.map(\.summary) == ["peak 63.00 Hz -5.00 dB Q 8.00"])
    #expect(equalizer.notes.count == 1)
    #expect(equalizer.notes.first?.contains("5 lines without") == true)
  }

  @Test(
    "filter lines of each type give their bands",
    arguments: [
      (
        "ON LP Fc 200 Hz",
        EqualizerBand(.lowPass, frequency: 200, width: .quality(0.5.squareRoot()))
      ),
      ("ON HPQ Fc 20 Hz Q 0.5", EqualizerBand(.highPass, frequency: 20, width: .quality(0.5))),
      ("ON BP Fc 1 kHz Q 2", EqualizerBand(.bandPass, frequency: 1000, width: .quality(2))),
      ("ON NO Fc 50 Hz", EqualizerBand(.notch, frequency: 50, width: .quality(30))),
      ("ON AP Fc 900 Hz Q 0.7", EqualizerBand(.allPass, frequency: 900, width: .quality(0.7))),
      (
        "ON PK Fc 80Hz Gain +2dB BW Oct 1.5",
        EqualizerBand(.peak, frequency: 80, gain: 2, width: .octaves(1.5))
      ),
      (
        "on modal fc 1,234.5 Hz gain −3 dB q 4",
        EqualizerBand(.peak, frequency: 1234.5, gain: -3, width: .quality(4))
      ),
      (
        "ON LS Fc 300 Hz Gain 5 dB",
        EqualizerBand(.lowShelf, frequency: 300, gain: 5, width: .slope(0.9))
      ),
    ])
  func filtersAreRead(line: String, band: EqualizerBand) throws {
    #expect(try bands("Filter 1: " + line) == [band])
  }

  @Test(
    "a frequency with separators is the one that Equalizer APO and Room EQ Wizard mean",
    arguments: [
      // Equalizer APO: a point or a comma before the last three digits of Fc separates thousands, U+00A0 goes.
      ("1130 Hz", 1130.0), ("1,130 Hz", 1130), ("1.130 Hz", 1130), ("12,500 Hz", 12_500),
      ("12.500Hz", 12_500), ("1\u{A0}130 Hz", 1130), ("12\u{A0}500\u{A0}Hz", 12_500),
      ("105\u{A0}Hz", 105), ("1\u{202F}130,50 Hz", 1130.5), ("1\u{2009}130 Hz", 1130),
      ("1'130 Hz", 1130), ("1’130.5 Hz", 1130.5), ("1\u{FFFD}130 Hz", 1130),
      ("63,00 Hz", 63), ("63.5 Hz", 63.5), ("1130,25 Hz", 1130.25), ("1234.567 Hz", 1234.567),
      ("1,234.5 Hz", 1234.5), ("1.234,5 Hz", 1234.5), ("1.25e3 Hz", 1250), ("1.250e2 Hz", 125),
      // Of kilohertz, nobody writes thousands.
      ("1.250 kHz", 1250), ("1,25 kHz", 1250), ("1kHz", 1000), ("2,5kHz", 2500),
    ])
  func separatorsAreReadAsMeant(text: String, frequency: Double) throws {
    let found = try bands("Filter 1: ON PK Fc \(text) Gain 6.0 dB Q 1.00")
    #expect(found == [EqualizerBand(.peak, frequency: frequency, gain: 6, width: .quality(1))])
  }

  @Test("a comma before three digits of a gain, a Q and a curve is a decimal comma")
  func commasElsewhereAreDecimal() throws {
    let found = try bands("Filter: ON PK Fc 1,130 Hz Gain -4,125 dB Q 1,414")
    #expect(
      found == [EqualizerBand(.peak, frequency: 1130, gain: -4.125, width: .quality(1.414))])
    let equalizer = try read("Preamp: -6,125 dB\nGraphicEQ: 21,544 -1,5; 1000 2,125")
    #expect(equalizer.parts.first?.work == .gain(-6.125))
    guard case .curve(let curve)? = equalizer.parts.last?.work else {
      Issue.record("no curve")
      return
    }
    #expect(curve.points.map(\.frequency) == [21.544, 1000])
    #expect(curve.points.map(\.gain) == [-1.5, 2.125])
  }

  @Test(
    "shelves of 6 dB per octave have their middle at 141 and 708 Hz for corners of 100 and 1000 Hz")
  func theCornerOfASlopeLiesBesideItsMiddle() throws {
    // 6 dB with half of the steepest slope: 10^(6 / 80 / 0.5) = 1.4125.
    let low = try bands("Filter: ON LSC 6 dB Fc 100 Hz Gain 6.0 dB")
    let high = try bands("Filter: ON HSC 6 dB Fc 1000 Hz Gain -6.0 dB")
    #expect(abs((low.first?.frequency ?? 0) - 141.254) < 0.001)
    #expect(abs((high.first?.frequency ?? 0) - 707.946) < 0.001)
    #expect(low.first?.width == .slope(0.5))
  }

  @Test("AutoEq text with LS and Q is reported as older than 2023")
  func olderTextOfAutoEqIsToldApart() throws {
    let equalizer = try read("Filter 1: ON LS Fc 105 Hz Gain 6.5 dB Q 0.70")
    #expect(equalizer.notes.count == 1)
    #expect(equalizer.notes.first?.contains("until 2023") == true)
  }

  @Test("a GraphicEQ curve is interpolated between its points and held outside")
  func curvesHavePoints() throws {
    let equalizer = try read("GraphicEQ: 20 -3.0; 100 0; 1000 6; 20000 -6")
    guard case .curve(let curve)? = equalizer.parts.first?.work else {
      Issue.record("no curve")
      return
    }
    #expect(curve.gain(at: 5) == -3)
    #expect(abs(curve.gain(at: 316.228) - 3) < 1e-4)
    #expect(curve.gain(at: 22_000) == -6)
  }

  @Test("filters hold for the channels chosen last, and a missing one is found")
  func channelsAreThoseThatWereChosenLast() throws {
    let equalizer = try read(
      """
      Filter: ON PK Fc 10 Hz Gain 1 dB Q 1
      Channel: L R
      Filter: ON PK Fc 20 Hz Gain 1 dB Q 1
      Channel: SUB
      Filter: ON PK Fc 30 Hz Gain 1 dB Q 1
      Channel: 3
      Filter: ON PK Fc 40 Hz Gain 1 dB Q 1
      Channel: all
      Filter: ON PK Fc 50 Hz Gain 1 dB Q 1
      """)
    let surround = try #require(ChannelLayout(name: "5.1"))
    let counts = (0..<6).map { equalizer.works(on: $0, of: surround).count }
    #expect(counts == [3, 3, 3, 3, 2, 2])
    #expect(equalizer.missingChannel(in: surround) == nil)
    #expect(equalizer.missingChannel(in: .stereo) != nil)
  }

  @Test(
    "an equaliser line beyond the filters is refused with its number",
    arguments: [
      ("Include: other.txt", "other files"), ("Convolution: a.wav", "POINT:fir=FILE"),
      ("Copy: L=R", "aren't mixed"), ("If: 1", "conditions"), ("Channel: X", "no channel X"),
      ("Filter: ON XY Fc 1 Hz", "no filter XY"), ("Filter: ON PK Gain 1 dB Q 1", "no frequency"),
      ("Filter: ON PK Fc 1000 Hz Q 1", "no gain"), ("Filter: ON PK Fc 1000 Hz Gain 1 dB", "no Q"),
      ("Filter: ON PK Fc 1000 Hz Gain 1 dB Q 0", "a Q of 0.0"),
      ("Filter: ON PK Fc 1000 Hz Gain 200 dB Q 1", "200.0 dB"),
      ("Filter: ON PK Fc 0.01 Hz Gain 1 dB Q 1", "0.01 Hz"),
      ("Filter: PK Fc 1000 Hz Gain 1 dB Q 1", "neither ON nor OFF"),
      ("Filter: ON LSC 30 dB Fc 1000 Hz Gain 1 dB", "slope"),
      ("GraphicEQ: 20 1; 10 2", "rising"), ("GraphicEQ: 20", "no point"),
      ("GraphicEQ:", "rising"), ("Preamp: loud", "no gain"), ("Preamp: nan dB", "no gain"),
    ]) func whatCantBeDoneIsRefusedWithItsLine(line: String, words: String)
  {
    let error = #expect(throws: MediaError.self) {
      try read("# a comment\n" + line + "\nFilter: ON PK Fc 10 Hz Gain 1 dB Q 1")
    }
    #expect(error?.kind == .usage)
    #expect(error?.message.contains("eq.txt: line 2: ") == true, "\(error?.message ?? "")")
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test(
    "text without filters is refused",
    arguments: ["", "# nothing", "hello", "Filter 1: OFF PK Fc 10 Hz Gain 1 dB Q 1"])
  func textWithoutFiltersIsRefused(text: String) {
    let error = #expect(throws: MediaError.self) { try read(text) }
    #expect(error?.message.contains("has no filter") == true)
  }

  @Test("a text with too many filters is refused") func thereIsALimit() throws {
    let line = "Filter: ON PK Fc 1000 Hz Gain 1 dB Q 1\n"
    #expect(try bands(String(repeating: line, count: 64)).count == 64)
    let error = #expect(throws: MediaError.self) { try read(String(repeating: line, count: 65)) }
    #expect(error?.message.contains("line 65") == true)
  }
}
