// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Reads the text of Equalizer APO, as AutoEq and Room EQ Wizard write it.
///
/// A line is a name, a colon and values. Comments begin with `#`. A line that would change the sound and isn't known here
/// is refused, with its number.
package enum EqualizerText {
  /// Greatest gain of a filter or of the preamp, dB.
  private static let gains = -100.0...100.0
  /// Longest text, in bytes.
  package static let largest = 1 << 20

  /// Names of lines that do something that isn't done here.
  private static let refused: [String: String] = [
    "include": "other files aren't read; copy their lines here",
    "convolution": "give the impulse response as a tap of its own: POINT:fir=FILE",
    "copy": "channels aren't mixed by an equaliser",
    "delay": "an equaliser delays nothing",
    "device": "the sound goes to a file",
    "stage": "choose the point of the tap instead",
    "if": "conditions aren't followed", "elseif": "conditions aren't followed",
    "else": "conditions aren't followed", "endif": "conditions aren't followed",
    "eval": "expressions aren't followed", "loudnesscorrection": "the level is Pinna's own work",
  ]

  /// The equaliser that `text`, from the file `name`, describes.
  /// - Throws: ``MediaError`` of kind `usage` that names the line.
  package static func read(_ text: String, name: String) throws -> Equalizer {
    guard text.utf8.count <= largest else {
      throw MediaError(
        .usage, about: name, "is longer than 1 MiB, so it is no equaliser; give its text")
    }
    var reader = Reader(name: name)
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    { try reader.add(line, number: index + 1) }
    guard !reader.equalizer.parts.isEmpty else {
      throw MediaError(
        .usage, about: name,
        "has no filter of an equaliser; give text such as 'Filter 1: ON PK Fc 105 Hz Gain 3.1 dB Q 0.70'"
      )
    }
    return reader.told
  }

  /// Reads line by line.
  private struct Reader {
    let name: String
    var equalizer = Equalizer()
    private var channels: [Equalizer.ChannelName]?
    /// Lines that say nothing that is known.
    private var left: [Int] = []
    private var number = 0
    /// Whether a shelf was written by its older name.
    private var hasOldShelf = false

    init(name: String) { self.name = name }

    /// The equaliser with notes on what was left open.
    var told: Equalizer {
      var told = equalizer
      if hasOldShelf {
        told.notes.append(
          "LS and HS with a Q are taken as LSC and HSC, which AutoEq meant until 2023: the frequency lies in the middle of the slope"
        )
      }
      if !left.isEmpty {
        let lines = left.prefix(5).map(String.init).joined(separator: ", ")
        told.notes.append(
          left.count.counted("line without a filter is", "lines without a filter are")
            + " left out: \(lines)\(left.count > 5 ? " …" : "")"
        )
      }
      return told
    }

    mutating func add(_ line: Substring, number: Int) throws {
      self.number = number
      let plain = line.prefix { $0 != "#" }.trimmingWhitespace
      guard !plain.isEmpty else { return }
      guard let colon = plain.firstIndex(of: ":") else { return left.append(number) }
      let command = plain[..<colon].lowercased().filter { !$0.isWhitespace }
      let values = plain[plain.index(after: colon)...].trimmingWhitespace
      switch command.prefix(while: \.isLetter) {
      case "preamp": try add(.gain(gain(EqualizerWords(values).numbers.first)))
      case "filter": try addFilter(values)
      case "graphiceq": try addCurve(values)
      case "channel": try choose(values)
      case let other:
        if let reason = EqualizerText.refused[String(other)] {
          throw fault("\(plain[..<colon]) is left undone: \(reason)")
        }
        left.append(number)
      }
    }

    private mutating func add(_ work: Equalizer.Work) throws {
      guard equalizer.parts.count < Equalizer.mostParts else {
        throw fault("an equaliser has at most \(Equalizer.mostParts) filters; join some")
      }
      equalizer.parts.append(Equalizer.Part(work: work, channels: channels))
    }

    private mutating func choose(_ values: Substring) throws {
      let names = values.split { $0 == " " || $0 == "," || $0 == "\t" }
      guard !names.contains(where: { $0.uppercased() == "ALL" }) else {
        channels = nil
        return
      }
      channels = try names.map { word in
        guard let name = Equalizer.ChannelName(word) else {
          throw fault(
            "there is no channel \(word); give L, R, C, SUB, RL, RR, SL, SR, a number or ALL")
        }
        return name
      }
      guard channels?.isEmpty == false else { throw fault("names no channel; give L, R or ALL") }
    }

    private mutating func addFilter(_ values: Substring) throws {
      let words = EqualizerWords(values)
      guard let state = words.first?.uppercased() else {
        throw fault("says neither ON nor OFF; give ON, a type, and its values")
      }
      guard state != "OFF" else { return }
      guard state == "ON" else {
        throw fault("says \(state), neither ON nor OFF; give ON, a type, and its values")
      }
      guard let type = words.word(1)?.uppercased(), type != "NONE" else { return }
      let kind = try shape(type)
      let frequency = try self.frequency(words)
      let gain =
        [.peak, .lowShelf, .highShelf].contains(kind)
        ? try self.gain(words.number(after: "gain")) : 0
      var band = EqualizerBand(
        kind, frequency: frequency, gain: gain, width: try width(type, kind, words))
      if type.hasSuffix("C"), case .slope(let slope) = band.width {
        // The frequency is that of the corner: the middle of the slope lies further from the level stretch.
        let octaves = gain.magnitude / 80 / slope
        band.frequency *= pow(10, kind == .lowShelf ? octaves : -octaves)
      }
      if type == "LS" || type == "HS", case .quality = band.width { hasOldShelf = true }
      try add(.band(band))
    }

    private func shape(_ type: String) throws -> EqualizerBand.Shape {
      switch type {
      case "PK", "PEQ", "MODAL": return .peak
      case "LS", "LSC", "LSQ": return .lowShelf
      case "HS", "HSC", "HSQ": return .highShelf
      case "LP", "LPQ": return .lowPass
      case "HP", "HPQ": return .highPass
      case "BP": return .bandPass
      case "NO": return .notch
      case "AP": return .allPass
      default:
        throw fault("there is no filter \(type); give PK, LSC, HSC, LS, HS, LP, HP, BP, NO or AP")
      }
    }

    private func frequency(_ words: EqualizerWords) throws -> Double {
      let frequency: Double
      switch words.frequency {
      case .hertz(let value): frequency = value
      case .unclear(let text):
        throw fault(
          "the frequency '\(text)' may be read in two ways; give it without spaces and separators, as Fc 1130 Hz"
        )
      case nil: throw fault("has no frequency; give it as Fc 105 Hz")
      }
      guard (1...200_000).contains(frequency) else {
        throw fault("a frequency of \(frequency) Hz can't be; give 1 to 200000")
      }
      return frequency
    }

    private func gain(_ value: Double?) throws -> Double {
      guard let value else { throw fault("has no gain; give it as Gain 3.1 dB") }
      guard EqualizerText.gains.contains(value) else {
        throw fault("a gain of \(value) dB can't be; give -100 to 100")
      }
      return value
    }

    private func width(
      _ type: String, _ kind: EqualizerBand.Shape, _ words: EqualizerWords
    ) throws -> EqualizerBand.Width {
      let isShelf = kind == .lowShelf || kind == .highShelf
      if let quality = words.number(after: "q") {
        guard (0.01...1000).contains(quality) else {
          throw fault("a Q of \(quality) can't be; give 0.01 to 1000")
        }
        return .quality(quality)
      }
      if let octaves = words.number(after: "oct") {
        guard !isShelf, (0.01...10).contains(octaves) else {
          throw fault(
            "a bandwidth of \(octaves) octaves can't be; give 0.01 to 10, and shelves a Q")
        }
        return .octaves(octaves)
      }
      if isShelf {
        // The slope stands between the type and the frequency, in dB per octave; 12 is the steepest.
        guard let slope = words.slope else { return .slope(0.9) }
        guard (0.1...12).contains(slope) else {
          throw fault("a slope of \(slope) dB can't be; give 0.1 to 12")
        }
        return .slope(slope / 12)
      }
      switch kind {
      case .lowPass, .highPass: return .quality(0.5.squareRoot())
      case .notch: return .quality(30)
      default: throw fault("\(type) has no Q; give it as Q 1.41")
      }
    }

    private mutating func addCurve(_ values: Substring) throws {
      let points = try values.split(separator: ";").compactMap { text -> GraphicCurve.Point? in
        guard !text.trimmingWhitespace.isEmpty else { return nil }
        let numbers = EqualizerWords(text).numbers
        guard numbers.count == 2, numbers[0] > 0 else {
          throw fault(
            "'\(text.trimmingWhitespace)' is no point of a curve; give frequency and gain")
        }
        return GraphicCurve.Point(frequency: numbers[0], gain: try gain(numbers[1]))
      }
      guard let curve = GraphicCurve(points), points.count <= 4096 else {
        throw fault("give 1 to 4096 points by rising frequency, such as 20 -3.1; 21 -3.0")
      }
      try add(.curve(curve))
    }

    private func fault(_ what: String) -> MediaError {
      MediaError(.usage, about: name, "line \(number): \(what)")
    }
  }
}

extension StringProtocol {
  /// Without white space at both ends.
  fileprivate var trimmingWhitespace: Substring {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return Substring(self[first...last])
  }
}

/// The words of a line, with numbers as people write them.
struct EqualizerWords {
  /// Signs between thousands that are nothing else between digits: no-break, figure, thin and narrow spaces, apostrophes, and
  /// what those of Windows-1252 become as UTF-8.
  private static let groupSigns: Set<Unicode.Scalar> = [
    "\u{A0}", "\u{2007}", "\u{2009}", "\u{202F}", "'", "\u{2019}", "\u{FFFD}",
  ]
  /// Highest frequency in Hz that a single point or comma before three digits makes.
  private static let highestGrouped = 24_000.0

  private let words: [Substring]

  /// The words of `text`.
  init(_ text: some StringProtocol) {
    words = Substring(Self.joined(Array(text.unicodeScalars))).split(whereSeparator: \.isWhitespace)
  }

  /// The text without signs between a digit and a group of three.
  private static func joined(_ text: [Unicode.Scalar]) -> String {
    func isDigit(_ place: Int) -> Bool {
      text.indices.contains(place) && ("0"..."9").contains(text[place])
    }
    var result = String.UnicodeScalarView()
    for (place, scalar) in text.enumerated() {
      let isSign =
        groupSigns.contains(scalar) && isDigit(place - 1)
        && (1...3).allSatisfy { isDigit(place + $0) } && !isDigit(place + 4)
      if !isSign { result.append(scalar) }
    }
    return String(result)
  }

  /// The first word.
  var first: Substring? { words.first }

  var numbers: [Double] { words.compactMap(Self.number) }

  /// Word number `index`; `nil` behind the end.
  func word(_ index: Int) -> Substring? { index < words.count ? words[index] : nil }

  /// The number behind the word `name`, in small letters.
  func number(after name: String) -> Double? {
    guard let place = words.firstIndex(where: { $0.lowercased() == name }),
      place + 1 < words.count
    else { return nil }
    return Self.number(words[place + 1])
  }

  /// The text after `Fc`.
  enum Frequency {
    /// A frequency in Hz.
    case hertz(Double)
    /// Text that may be read in two ways.
    case unclear(String)
  }

  /// The frequency behind `Fc`; `nil` for none.
  ///
  /// As Equalizer APO reads what Room EQ Wizard writes: a point or a comma before the last three digits separates thousands.
  var frequency: Frequency? {
    guard let place = words.firstIndex(where: { $0.lowercased() == "fc" }),
      let word = self.word(place + 1), let value = Self.number(word)
    else { return nil }
    let next = self.word(place + 2)
    // A plain space might separate thousands, too.
    if let next, Self.number(next) != nil { return .unclear("\(word) \(next)") }
    if word.lowercased().hasSuffix("khz") || next?.lowercased() == "khz" {
      return .hertz(value * 1000)
    }
    let digits = word.prefix { !$0.isLetter }
    guard let mark = digits.firstIndex(where: { $0 == "." || $0 == "," }),
      !word.lowercased().contains("e"), Self.areGrouped(digits, by: digits[mark])
    else { return .hertz(value) }
    // Beyond it, three decimals are likelier: 105.000 is meant as 105.
    guard let whole = Double(digits.filter { $0 != digits[mark] }), whole <= Self.highestGrouped
    else { return .unclear(String(word)) }
    return .hertz(whole)
  }

  /// The number between the type and `Fc`; `nil` for none.
  var slope: Double? {
    guard words.count > 2 else { return nil }
    return Self.number(words[2])
  }

  /// A number with a decimal point or comma. Of both, the last is the decimal mark and the other separates thousands, and so does
  /// one that comes more than once. Units may follow without a space.
  static func number(_ word: Substring) -> Double? {
    let lower = word.lowercased()
    let unit = ["khz", "hz", "db"].first { lower.hasSuffix($0) } ?? ""
    var text = lower.dropLast(unit.count).replacing("\u{2212}", with: "-")
    let marks = text.filter { $0 == "." || $0 == "," }
    if let first = marks.first, let last = marks.last, marks.count > 1 {
      let whole = first == last ? text[...] : text.prefix { $0 != last }
      guard areGrouped(whole, by: first) else { return nil }
      text.removeAll { $0 == first }
    }
    text = text.replacing(",", with: ".")
    // Words such as "nan" and "inf" are no numbers here.
    guard let first = text.first, first.isNumber || first == "-" || first == "+" || first == ".",
      let value = Double(text), value.isFinite
    else { return nil }
    return value
  }

  /// Whether `mark` separates thousands in `text`: one to three digits and groups of three, but no 0 in front.
  private static func areGrouped(_ text: Substring, by mark: Character) -> Bool {
    let groups = text.drop { $0 == "-" || $0 == "+" }
      .split(separator: mark, omittingEmptySubsequences: false)
    guard let first = groups.first, groups.count > 1, first.first != "0" else { return false }
    return (1...3).contains(first.count) && groups.dropFirst().allSatisfy { $0.count == 3 }
      && groups.joined().allSatisfy { ("0"..."9").contains($0) }
  }
}
