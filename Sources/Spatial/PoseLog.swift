// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Poses of a head with their times, as programs log them: CSV with or without a line of names, messages of OSC as `oscdump`
/// prints them, and recordings of OSC bundles.
struct PoseLog {
  /// A pose, and the seconds at which it was noted by the log's own clock.
  struct Entry {
    let seconds: Double
    let pose: HeadPose
    /// The line, or the bundle, for messages.
    let place: String
  }

  private(set) var entries: [Entry] = []
  /// Whether the clock begins at any time, so that the first entry counts as 0.
  private(set) var isWallClock = false

  /// Reads `bytes`, which are any of these forms.
  /// - Throws: ``MediaError`` of kind `usage` naming the line that is wrong.
  init(_ bytes: [UInt8]) throws {
    if OSCRecording.begins(bytes) {
      try read(OSCRecording(bytes).messages)
    } else {
      // Spreadsheets save text in UTF-16, too.
      let wide = WideText(bytes)
      guard let text = String(validating: wide?.utf8 ?? bytes, as: UTF8.self),
        wide?.isValid != false
      else {
        throw MediaError(
          .usage,
          "isn't a log of poses: neither text in UTF-8 or UTF-16 nor a recording of OSC bundles")
      }
      try read(text)
    }
  }

  private mutating func read(_ text: String) throws {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var columns: PoseColumns?
    var messages: [OSCMessage] = []
    for (index, line) in lines.enumerated() {
      let content = line.prefix { $0 != "#" }.filter { $0 != "\u{FEFF}" }
      guard content.contains(where: { !$0.isWhitespace }) else { continue }
      let place = "line \(index + 1)"
      if columns == nil, let message = OSCMessage(dumped: content, place: place) {
        messages.append(message)
        continue
      }
      do {
        let separator = columns?.separator ?? PoseColumns.separator(of: content)
        let fields = PoseColumns.fields(of: content, between: separator)
        let isFirst = columns == nil
        let known = try columns ?? PoseColumns(first: fields, separator)
        columns = known
        if isFirst, known.isNamed { continue }
        let entry = try known.entry(fields, place: place)
        // Times are told apart to a nanosecond.
        if let last = entries.last, entry.seconds < last.seconds + 5e-10 {
          throw MediaError(
            .usage, "the time \(fields[known.time]) isn't later than the line before")
        }
        entries.append(entry)
      } catch let error as MediaError {
        throw MediaError(.usage, "head trajectory, \(place): \(error.message)")
      }
    }
    if columns == nil, !messages.isEmpty { try read(messages) }
  }

  /// Takes the messages that say how a head is held; several at one time count as the last of them.
  private mutating func read(_ messages: [OSCMessage]) throws {
    isWallClock = true
    for message in messages {
      guard let pose = try message.pose else { continue }
      guard !message.isImmediate else {
        throw MediaError(
          .usage,
          "head trajectory, \(message.place): its time tag says immediately, which is no time; record with times"
        )
      }
      let entry = Entry(seconds: message.seconds, pose: pose, place: message.place)
      if let last = entries.last, entry.seconds < last.seconds {
        throw MediaError(
          .usage, "head trajectory, \(message.place): its time is before that of \(last.place)")
      }
      if entries.last?.seconds == entry.seconds { entries.removeLast() }
      entries.append(entry)
    }
    guard entries.isEmpty, let first = messages.first else { return }
    throw MediaError(
      .usage,
      "head trajectory: no OSC message holds a pose; give one whose address ends in ypr or quaternions, not \(first.address)"
    )
  }
}

/// The columns of a CSV log: where time and angles stand, and in which units.
struct PoseColumns {
  private enum Turn {
    /// Columns of yaw, pitch and roll, and the degrees that their unit stands for.
    case angles([Int], degrees: Double)
    /// Columns of w, x, y and z of a unit quaternion.
    case quaternion([Int])
  }

  /// Column of the time.
  let time: Int
  private let seconds: Double
  private let turn: Turn

  /// Character between fields.
  let separator: Character
  /// Whether the first line names the columns, among which others may stand.
  let isNamed: Bool
  /// Fields of a line.
  private let count: Int

  /// The character between the fields of a file that begins with `line`: where that has semicolons or tabs, commas are decimal,
  /// unless as many commas as in four fields stand beside tabs, which are mere space then.
  static func separator(of line: String) -> Character {
    if line.contains(";") { return ";" }
    let tabs = line.count { $0 == "\t" }
    return tabs > 0 && line.count(where: { $0 == "," }) < max(3, tabs) ? "\t" : ","
  }

  /// The fields of a line, without spaces and capitals, and with points for decimal commas.
  static func fields(of line: String, between separator: Character) -> [String] {
    line.lowercased().split(separator: separator, omittingEmptySubsequences: false)
      .map { String($0.filter { !$0.isWhitespace }.map { $0 == "," ? "." : $0 }) }
  }

  /// The columns that the `fields` of the first line name, or `time,yaw,pitch,roll` in seconds and degrees where all of them are
  /// numbers.
  /// - Throws: ``MediaError`` of kind `usage` where time or turn isn't among them.
  init(first fields: [String], _ separator: Character) throws {
    self.separator = separator
    isNamed = fields.contains { Double($0) == nil }
    guard isNamed else {
      (time, seconds, count) = (0, 1, 4)
      turn = .angles([1, 2, 3], degrees: 1)
      return
    }
    count = fields.count
    // Units stand in brackets or after the last line below: `yaw(rad)`, `time_ms`.
    let names = fields.map { field in
      field.split { !($0.isLetter || $0.isNumber) }.map(String.init)
    }
    func column(_ known: Set<String>) -> Int? {
      names.firstIndex { $0.first.map(known.contains) ?? false }
    }
    guard let time = column(["time", "timestamp", "t", "seconds"]) else {
      throw MediaError(
        .usage, "no column is named time; the columns are \(fields.joined(separator: ", "))")
    }
    let isPrefixed = names.contains {
      $0.count > 1 && ["quat", "quaternion", "q", "rotation"].contains($0[0])
    }
    let parts = ["w", "x", "y", "z"].compactMap { letter in
      names.firstIndex { name in
        name == ["q" + letter] || isPrefixed && name.count > 1 && name[1] == letter
          || name == [letter]
      }
    }
    self.time = time
    seconds = PoseColumns.seconds(names[time].dropFirst())
    if let yaw = column(["yaw"]), let pitch = column(["pitch"]), let roll = column(["roll"]) {
      let isRadian = names[yaw].dropFirst().contains { ["rad", "radian", "radians"].contains($0) }
      turn = .angles([yaw, pitch, roll], degrees: isRadian ? 180 / .pi : 1)
    } else if parts.count == 4 {
      turn = .quaternion(parts)
    } else {
      throw MediaError(
        .usage,
        "neither yaw, pitch and roll nor qw, qx, qy and qz are among the columns \(fields.joined(separator: ", "))"
      )
    }
  }

  /// Seconds of a time's unit; a column without one is in seconds.
  private static func seconds(_ words: ArraySlice<String>) -> Double {
    for word in words {
      switch word {
      case "ms", "milliseconds": return 1e-3
      case "us", "µs", "microseconds": return 1e-6
      case "ns", "nanoseconds": return 1e-9
      default: continue
      }
    }
    return 1
  }

  /// The pose in a line.
  /// - Throws: ``MediaError`` of kind `usage`.
  func entry(_ fields: [String], place: String) throws -> PoseLog.Entry {
    func number(_ column: Int) throws -> Double {
      if let number = Double(fields[column]), number.isFinite { return number }
      throw MediaError(
        .usage,
        "\"\(fields[column])\" isn't a number"
          + (isNamed ? "" : " of time,yaw,pitch,roll")
          + "; leave out the lines in which the head wasn't tracked")
    }
    // Some programs end each line but the first with a separator.
    let hasEnd = isNamed && fields.count == count + 1 && fields.last?.isEmpty == true
    guard fields.count == count || hasEnd else {
      throw MediaError(
        .usage,
        isNamed
          ? "it has \(fields.count) fields, and the first line names \(count)"
          : "it must be time,yaw,pitch,roll in seconds and degrees, such as 1.5,30,0,0")
    }
    let seconds = try number(time) * seconds
    switch turn {
    case .angles(let columns, let degrees):
      let angles = try columns.map { try number($0) * degrees }
      let pose = HeadPose(yaw: angles[0], pitch: angles[1], roll: angles[2])
      try pose.check()
      return PoseLog.Entry(seconds: seconds, pose: pose, place: place)
    case .quaternion(let columns):
      let parts = try columns.map(number)
      return PoseLog.Entry(seconds: seconds, pose: try HeadPose(quaternion: parts), place: place)
    }
  }
}

extension HeadPose {
  /// The pose whose rotation is w + xi + yj + zk, in axes with x ahead, y left and z up.
  /// - Throws: ``MediaError`` of kind `usage` unless its length is about 1.
  init(quaternion parts: [Double]) throws {
    let length = parts.reduce(0) { $0 + $1 * $1 }.squareRoot()
    // Loggers print four digits or more.
    guard parts.count == 4, (0.99...1.01).contains(length) else {
      throw MediaError(.usage, "w, x, y and z must make a unit quaternion; its length is \(length)")
    }
    let unit = SIMD4(parts[0], parts[1], parts[2], parts[3]) / length
    let (w, x, y, z) = (unit.x, unit.y, unit.z, unit.w)
    let rise = max(-1, min(1, 2 * (x * z - w * y)))
    let degrees = 180 / Double.pi
    // Of a head that looks straight up or down, yaw and roll turn about the same axis.
    guard rise.magnitude < 1 - 1e-12 else {
      let yaw = atan2(2 * (w * z - x * y), 1 - 2 * (x * x + z * z))
      self.init(yaw: yaw * degrees, pitch: rise > 0 ? 90 : -90)
      return
    }
    let yaw = atan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z))
    let roll = atan2(2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
    self.init(yaw: yaw * degrees, pitch: asin(rise) * degrees, roll: roll * degrees)
  }
}
