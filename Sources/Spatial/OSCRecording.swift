// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A message of Open Sound Control 1.0 that holds numbers, with its time.
struct OSCMessage {
  let address: String
  let numbers: [Double]
  /// Seconds by the sender's clock.
  let seconds: Double
  /// The place in the file, for messages.
  let place: String

  /// Whether it was sent without a time: a time tag of 1 means immediately (OSC 1.0).
  var isImmediate: Bool { seconds == OSCMessage.seconds(0, 1) }

  /// The pose that it holds: yaw, pitch and roll in degrees at addresses that end in `ypr`, and w, x, y and z at those that end in
  /// `quaternions`, as head trackers send them to SceneRotator; `nil` at any other.
  /// - Throws: ``MediaError`` of kind `usage` for numbers that are no pose.
  var pose: HeadPose? {
    get throws {
      let name = address.lowercased()
      do {
        if name.hasSuffix("ypr"), numbers.count == 3 {
          let pose = HeadPose(yaw: numbers[0], pitch: numbers[1], roll: numbers[2])
          try pose.check()
          return pose
        }
        guard name.hasSuffix("quaternions") || name.hasSuffix("quaternion"), numbers.count == 4
        else { return nil }
        return try HeadPose(quaternion: numbers)
      } catch let error as MediaError {
        throw MediaError(.usage, "head trajectory, \(place): \(error.message)")
      }
    }
  }

  init(address: String, numbers: [Double], seconds: Double, place: String) {
    self.address = address
    self.numbers = numbers
    self.seconds = seconds
    self.place = place
  }

  /// A line of `oscdump`, such as `e8be6e1c.80000000 /ypr fff 10.0 0.0 0.0`: the time tag's seconds and fraction in hexadecimal;
  /// `nil` for any other line.
  init?(dumped line: String, place: String) {
    let words = line.split(separator: " ").map(String.init)
    guard words.count > 3, words[1].hasPrefix("/") else { return nil }
    let tag = words[0].split(separator: ".")
    guard tag.count == 2, let whole = UInt32(tag[0], radix: 16),
      let fraction = UInt32(tag[1], radix: 16)
    else { return nil }
    let numbers = words.dropFirst(3).compactMap { Double($0) }
    self.init(
      address: words[1], numbers: numbers, seconds: OSCMessage.seconds(whole, fraction),
      place: place)
  }

  /// Seconds of a time tag (OSC 1.0: 32 bits of seconds and 32 bits of fractions).
  static func seconds(_ whole: UInt32, _ fraction: UInt32) -> Double {
    Double(whole) + Double(fraction) / 4_294_967_296
  }
}

/// A recording of OSC: bundles, each after its size in four bytes, as scores of SuperCollider have them.
struct OSCRecording {
  private(set) var messages: [OSCMessage] = []
  private static let mark = Array("#bundle\0".utf8)

  /// Whether `bytes` begin with the size of a bundle and a bundle.
  static func begins(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 20 && bytes[4..<12].elementsEqual(mark)
  }

  /// Reads all bundles.
  /// - Throws: ``MediaError`` of kind `usage` for one that isn't whole.
  init(_ bytes: [UInt8]) throws {
    var offset = 0
    while offset < bytes.count {
      let place = "byte \(offset)"
      guard offset + 4 <= bytes.count else { throw OSCRecording.fault(place) }
      let size = Int(bytes.bigEndian32(at: offset))
      guard size >= 16, offset + 4 + size <= bytes.count,
        bytes[offset + 4..<offset + 12].elementsEqual(OSCRecording.mark)
      else { throw OSCRecording.fault(place) }
      try read(Array(bytes[offset + 4..<offset + 4 + size]), place)
      offset += 4 + size
    }
  }

  /// Reads the messages of a bundle; bundles in it have later times of their own, which no tracker uses.
  private mutating func read(_ bundle: [UInt8], _ place: String) throws {
    let seconds = OSCMessage.seconds(bundle.bigEndian32(at: 8), bundle.bigEndian32(at: 12))
    var offset = 16
    while offset + 4 <= bundle.count {
      let size = Int(bundle.bigEndian32(at: offset))
      guard size > 0, offset + 4 + size <= bundle.count else { throw OSCRecording.fault(place) }
      let content = Array(bundle[offset + 4..<offset + 4 + size])
      if let message = OSCRecording.message(content, seconds, place) { messages.append(message) }
      offset += 4 + size
    }
  }

  /// The message in `bytes`; `nil` for one with other arguments than numbers.
  private static func message(_ bytes: [UInt8], _ seconds: Double, _ place: String) -> OSCMessage? {
    guard let (address, types) = text(bytes, at: 0),
      let (tags, first) = text(bytes, at: types), tags.hasPrefix(",")
    else { return nil }
    var (numbers, offset): ([Double], Int) = ([], first)
    for tag in tags.dropFirst() {
      let width = tag == "d" ? 8 : 4
      guard "fid".contains(tag), offset + width <= bytes.count else { return nil }
      let word = bytes.bigEndian32(at: offset)
      switch tag {
      case "f": numbers.append(Double(Float(bitPattern: word)))
      case "i": numbers.append(Double(Int32(bitPattern: word)))
      default: numbers.append(Double(bitPattern: bytes.bigEndian64(at: offset)))
      }
      offset += width
    }
    return OSCMessage(address: address, numbers: numbers, seconds: seconds, place: place)
  }

  /// The text at `offset`, which ends in zeros up to a multiple of four bytes, and where it ends.
  private static func text(_ bytes: [UInt8], at offset: Int) -> (String, Int)? {
    guard offset < bytes.count, let end = bytes[offset...].firstIndex(of: 0) else { return nil }
    let next = offset + (end - offset) / 4 * 4 + 4
    guard next <= bytes.count else { return nil }
    return (String(decoding: bytes[offset..<end], as: UTF8.self), next)
  }

  private static func fault(_ place: String) -> MediaError {
    MediaError(.usage, "head trajectory, \(place): no whole OSC bundle; record it again")
  }
}
