// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Analysis

@Suite struct SpectrogramPictureTests {
  private func picture(
    _ plane: [Float], rate: Int = 48_000, title: String = "a title",
    style: SpectrogramPicture.Style = .init()
  ) throws -> Picture {
    let format = AudioFormat(sampleRate: rate, layout: .mono)
    let found = try AnalysisSupport.findings(SpectrogramAnalyser(format), [plane])
    return SpectrogramPicture(found, title: title, detail: "a detail", style: style).picture
  }

  /// Row of the frequency (kHz) in a picture of the usual style, whose area has the rows 80…579.
  private func row(_ kilohertz: Double, of top: Double) -> Int {
    80 + Int((1 - kilohertz / top) * 500)
  }

  @Test("a tone at −6 dB is a line of its level's colour at 6 kHz on dark")
  func aToneIsABrightLineAtItsFrequencyOnDark() throws {
    let picture = try picture(
      AnalysisSupport.sine(6000, rate: 48_000, count: 96_000, peak: 0.5))
    #expect(picture.width == 1280 && picture.height == 640)
    for x in [200, 600, 1000] {
      let share = 1 - 6.02 / 120
      #expect(
        (row(6, of: 24) - 1...row(6, of: 24)).contains { y in
          picture.colour(x: x, y: y) == ColourMap.colour(share)
        })
      for kilohertz in [3.0, 9, 12, 20] {
        #expect(picture.colour(x: x, y: row(kilohertz, of: 24)) == ColourMap.colour(0))
      }
    }
  }

  @Test("a tone in the last second of four begins at three quarters of the picture's width")
  func timeGoesToTheRight() throws {
    let tone = AnalysisSupport.sine(6000, rate: 48_000, count: 48_000)
    let picture = try picture([Float](repeating: 0, count: 144_000) + tone)
    let y = row(6, of: 24)
    let start = (72..<1168).first { picture.colour(x: $0, y: y) != ColourMap.colour(0) }
    // Three quarters, less half a frame and what a window of 43 ms sees before.
    #expect(start.map { abs($0 - (72 + 1096 * 3 / 4)) <= 8 } == true)
  }

  /// Between two lines that lie many rows apart, levels go straight from one to the other.
  @Test("rows between two lines have colours on the straight way between their levels")
  func rowsBetweenTwoLinesLieBetweenTheirLevels() {
    let powers: [Float] = [1e-6, 1e-3, 1e-6, 1e-6]
    let found = Spectrogram(
      sampleRate: 48_000, samples: 48_000, columnSeconds: 1, lines: 4, powers: powers)
    let picture = SpectrogramPicture(found, title: "").picture
    // The middle of a row, counted from below, in lines of 8 kHz.
    for row in [20, 42, 83, 125, 150] {
      let line = (Double(row) + 0.5) / 500 * 24 / 8
      let share = 1 - (60 - 30 * line) / 120
      #expect(picture.colour(x: 600, y: 579 - row) == ColourMap.colour(share), "\(row)")
    }
    #expect(picture.colour(x: 600, y: 579 - 420) == picture.colour(x: 600, y: 579 - 450))
  }

  @Test("a sound's picture is the same twice")
  func theSamePictureComesOutTwice() throws {
    var noise = SeededNoise(seed: 1)
    let plane = noise.samples(20_000)
    #expect(try picture(plane) == picture(plane))
  }

  @Test("a picture of nothing with a long title has 480 × 320 pixels and white margins")
  func nothingAndAnyTitleCanBeDrawn() throws {
    let long = String(repeating: "very long \u{1F3B5} name ", count: 40)
    var style = SpectrogramPicture.Style()
    (style.width, style.height, style.isLogarithmic) = (1, 1, true)
    let picture = try picture([], title: long, style: style)
    #expect(picture.width == 480 && picture.height == 320)
    // The margins stay white.
    #expect((0..<320).allSatisfy { picture.colour(x: 0, y: $0) == .white })
    #expect((0..<320).allSatisfy { picture.colour(x: 479, y: $0) == .white })
  }

  @Test(
    "axes of 0.05…360,000 s have 4…13 ticks whose labels don't overlap",
    arguments: [0.05, 0.3, 1, 7, 59, 60, 180, 599, 3599, 3600, 7200, 43_200, 360_000])
  func ticksOfTimeAreRoundAndDontOverlap(seconds: Double) {
    let axis = PictureAxis.time(seconds)
    #expect((4...13).contains(axis.ticks.count), "\(axis.ticks.count)")
    let pixels = 1096.0
    for (tick, next) in zip(axis.ticks, axis.ticks.dropFirst()) {
      let room = (axis.place(next.value) - axis.place(tick.value)) * pixels
      let widths = [tick, next].map { StrokeFont.width($0.label ?? "", scale: 1) }
      #expect(room > widths.reduce(0, +) / 2 + 8)
    }
  }

  @Test("labels of time are in seconds, min:s or h:min by the length")
  func labelsOfTimeAreReadable() {
    func labels(_ seconds: Double) -> [String] {
      PictureAxis.time(seconds).ticks.prefix(3).compactMap(\.label)
    }
    #expect(labels(1) == ["0.0", "0.1", "0.2"])
    #expect(labels(20) == ["0", "2", "4"])
    #expect(labels(180) == ["0:00", "0:15", "0:30"])
    #expect(labels(7200) == ["0:00", "0:10", "0:20"])
    #expect(labels(43_200) == ["0:00", "1:00", "2:00"])
    #expect([1.0, 180, 7200].map { PictureAxis.time($0).unit } == ["seconds", "min:s", "h:min"])
  }

  @Test(
    "axes of frequency have 5…14 labels that don't overlap, linear and logarithmic",
    arguments: [8000, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 192_000, 384_000])
  func ticksOfFrequencyAreRoundAndDontOverlap(rate: Int) {
    for isLogarithmic in [false, true] {
      let axis = PictureAxis.frequency(sampleRate: rate, isLogarithmic: isLogarithmic)
      let named = axis.ticks.filter { $0.label != nil }
      #expect((5...14).contains(named.count), "\(named.compactMap(\.label))")
      for (tick, next) in zip(named, named.dropFirst()) {
        #expect((axis.place(next.value) - axis.place(tick.value)) * 500 > 16)
      }
      #expect(named.allSatisfy { Double($0.label ?? "").map { $0 >= 0 } == true })
    }
  }

  @Test("labels of frequency count in kHz, by octaves on a logarithmic axis")
  func labelsOfFrequencyAreReadable() {
    let linear = PictureAxis.frequency(sampleRate: 48_000, isLogarithmic: false)
    #expect(linear.ticks.compactMap(\.label).prefix(3) == ["0", "2", "4"])
    let low = PictureAxis.frequency(sampleRate: 8000, isLogarithmic: false)
    #expect(low.ticks.compactMap(\.label).prefix(3) == ["0.0", "0.5", "1.0"])
    let octaves = PictureAxis.frequency(sampleRate: 48_000, isLogarithmic: true)
    #expect(
      octaves.ticks.compactMap(\.label) == [
        "0.02", "0.05", "0.1", "0.2", "0.5", "1", "2", "5", "10", "20",
      ])
    #expect(PictureAxis.level(range: 120).ticks.first?.label == "\u{2212}120")
  }

  /// Lightness of CIELAB (ISO/CIE 11664-4), which isn't what the map is made from.
  @Test("the colour map's lightness rises by 2…9 in each 16 colours, and its ends clamp")
  func coloursGetLighterInEvenSteps() {
    func linear(_ byte: UInt8) -> Double {
      let value = Double(byte) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    let lightness = ColourMap.colours.map { colour in
      let y =
        0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue)
      return y > 0.008856 ? 116 * pow(y, 1 / 3) - 16 : 903.3 * y
    }
    #expect(lightness[0] < 5 && lightness[255] > 93)
    for index in stride(from: 0, to: 240, by: 16) {
      let step = lightness[index + 15] - lightness[index]
      #expect((2.0...9.0).contains(step), "\(index): \(step)")
    }
    #expect(ColourMap.colour(-3) == ColourMap.colours[0])
    #expect(ColourMap.colour(.nan) == ColourMap.colours[0])
    #expect(ColourMap.colour(7) == ColourMap.colours[255])
  }

  @Test("each printable character has its own shape, and accents don't widen it")
  func everyPrintableCharacterHasItsOwnShape() {
    let characters = (33...126).map { String(UnicodeScalar(UInt8($0))) }
    let shapes = characters.map { text in
      StrokeFont.glyphs(text).map { "\($0.lines)" }.joined()
    }
    #expect(Set(shapes).count == characters.count)
    #expect(!shapes.contains(StrokeFont.glyphs("\u{1F3B5}").map { "\($0.lines)" }.joined()))
    #expect(StrokeFont.width("äÄé", scale: 1) == StrokeFont.width("aAe", scale: 1))
    #expect(StrokeFont.glyphs("æ").count == 2)
  }

  @Test("a title too wide is shortened in the middle, and one that fits stays")
  func longTitlesAreShortenedInTheMiddle() {
    let short = StrokeFont.fitted("abcdefghijklmnop", scale: 1, room: 80)
    #expect(short.hasPrefix("ab") && short.hasSuffix("op") && short.contains("..."))
    #expect(StrokeFont.width(short, scale: 1) <= 80)
    #expect(StrokeFont.fitted("abc", scale: 1, room: 80) == "abc")
  }
}
