// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import MediaIn

/// Options about the audio objects of an input.
struct ObjectArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Audio objects: auto (rendered where there are some), bed (channels only), render, or a "
        + "list of the only ones to play, e.g. AO_1001,AO_1003."))
  var objects = Given<ObjectOptions.Use>(.automatic)

  @Option(
    help: ArgumentHelp(
      "Change an object as far as the file allows, by id, name or kind (dialogue, music, effects, "
        + "mixed): off, on, a gain or an offset (repeatable).", valueName: "what=change"))
  var object: [String] = []

  @Option(help: "Programme of a file with objects: its id, name or language; see pinna probe.")
  var programme: String?

  @Option(
    help: "Id of an object that is played instead of the one it complements (repeatable).")
  var complementary: [String] = []

  @Option(help: "Leave out objects that are less important than this, 0 to 10.")
  var importance: Int?

  @Option(help: "What the mixer marked for headphones: follow, or ignore to virtualise everything.")
  var headphoneModes = Given(ObjectOptions.HeadphoneModes.follow)

  /// The options as a value.
  func options() throws -> ObjectOptions {
    var options = ObjectOptions()
    try ObjectChoice.read(objects: objects.text, into: &options)
    options.changes += try object.map(ObjectChoice.change)
    options.programme = programme
    options.complements = complementary
    if let importance {
      try Setting.importance.check(Double(importance), shownAs: String(importance))
    }
    options.importance = importance
    options.headphoneModes = try headphoneModes.value(.headphoneModes)
    return options
  }
}

/// Turns what is typed about objects into options.
enum ObjectChoice {
  private static let forms =
    "give off, on, a gain such as +6dB, or an offset such as 10,-5 (azimuth,elevation) or 0.1,0,0 (X,Y,Z)"

  /// Reads `--objects`: a use, objects that alone are played, or changes of gains such as `dialogue+6dB`.
  /// - Throws: ``MediaError`` of kind `usage` for a list of both, and for an entry that is empty.
  static func read(objects text: String, into options: inout ObjectOptions) throws {
    if let use = ObjectOptions.Use(rawValue: text) {
      options.use = use
      return
    }
    for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
      let entry = String(entry)
      guard !entry.isEmpty else {
        throw MediaError(
          .usage,
          "--objects \"\(text)\": give auto, bed, render, or identifiers, e.g. AO_1001,AO_1003")
      }
      if let change = gained(entry) {
        options.changes.append(change)
      } else {
        options.only.append(entry)
      }
    }
    guard options.only.isEmpty || options.changes.isEmpty else {
      throw MediaError(
        .usage,
        "--objects \(text) both chooses and changes objects; give the changes by --object WHAT=CHANGE"
      )
    }
  }

  /// The change that `--object` asks for by `text`, e.g. `AO_1001=off`.
  /// - Throws: ``MediaError`` of kind `usage` for any other form.
  static func change(_ text: String) throws -> ObjectChange {
    guard let equals = text.lastIndex(of: "="), equals > text.startIndex else {
      throw MediaError(
        .usage, "--object \(text): give an object and a change, e.g. AO_1001=off or dialogue=+6dB")
    }
    var change = ObjectChange(String(text[..<equals]))
    let value = text[text.index(after: equals)...]
    switch value {
    case "on": change.isOn = true
    case "off": change.isOn = false
    default:
      if let gain = gain(value) {
        change.gain = gain
      } else {
        let parts = value.split(separator: ",", omittingEmptySubsequences: false).map(number)
        let offset = parts.compactMap(\.self)
        guard (2...3).contains(parts.count), offset.count == parts.count else {
          throw MediaError(.usage, "--object \(text): \(forms)")
        }
        change.offset = offset
      }
    }
    return change
  }

  /// The change that an entry such as `dialogue+6dB` asks for; `nil` for one that doesn't end in a gain.
  private static func gained(_ entry: String) -> ObjectChange? {
    guard let sign = entry.lastIndex(where: { $0 == "+" || $0 == "-" }), sign > entry.startIndex,
      let gain = gain(entry[sign...])
    else { return nil }
    return ObjectChange(String(entry[..<sign]), gain: gain)
  }

  /// The number of decibels in text such as `+6dB`.
  private static func gain(_ text: Substring) -> Double? {
    guard text.lowercased().hasSuffix("db") else { return nil }
    return number(text.dropLast(2))
  }

  /// A finite decimal number.
  private static func number(_ text: Substring) -> Double? {
    guard text.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.".contains($0)) }) else { return nil }
    return Double(text)
  }
}
