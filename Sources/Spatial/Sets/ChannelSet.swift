// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// Responses of loudspeakers to both ears: of seven, as the files of HeSuVi hold them, or of those that stood in a measured room.
/// They are played as they are: rooms and headphones that were measured with them stay in.
package struct ChannelSet: Sendable {
  /// Responses of one loudspeaker to both ears.
  struct Pair: Sendable {
    let left: [Float]
    let right: [Float]
  }

  /// A loudspeaker that stood anywhere.
  struct Place: Sendable {
    let direction: Direction
    let pair: Pair
  }

  /// The loudspeakers, and the channels of a file with their responses to the left and to the right ear.
  private static let columns: [(speaker: Speaker, left: Int, right: Int)] = [
    (.frontLeft, 0, 1), (.sideLeft, 2, 3), (.backLeft, 4, 5), (.frontCenter, 6, 13),
    (.frontRight, 8, 7), (.sideRight, 10, 9), (.backRight, 12, 11),
  ]
  /// As ``columns``, for a symmetric head whose right half is left out.
  private static let mirroredColumns: [(speaker: Speaker, left: Int, right: Int)] = [
    (.frontLeft, 0, 1), (.sideLeft, 2, 3), (.backLeft, 4, 5), (.frontCenter, 6, 6),
    (.frontRight, 1, 0), (.sideRight, 3, 2), (.backRight, 5, 4),
  ]
  /// Longest responses of such a file in seconds.
  package static let longest = 2.0
  /// Channels that such a file has.
  package static let channelCounts = [7, 14]
  /// Rates of the responses in Hz.
  private static let rates = [44_100, 48_000, 88_200, 96_000]
  /// Peak below which a response is silent.
  private static let silence: Float = 1e-6
  /// Most milliseconds by which a loudspeaker may be heard before or behind the centre.
  private static let farthest = 5.0
  /// Most degrees from where a channel comes from to the loudspeaker of a room that plays it.
  static let reach = 20.0
  /// Most milliseconds from the first sound of a response to its loudest moment.
  private static let latest = 20.0
  /// Band over which levels are compared, in Hz.
  private static let band = 200.0...10_000.0
  /// Most dB by which a set is made louder or quieter.
  private static let mostGain = 60.0

  /// The file's name.
  package let id: String
  /// Samples per second of the responses.
  package let sampleRate: Int
  /// Responses by their loudspeakers; empty for a room.
  let pairs: [Speaker: Pair]
  /// Loudspeakers of a room; empty for HeSuVi's.
  private(set) var places: [Place]
  /// The heads with which a room was measured; `nil` for HeSuVi's.
  package let views: RoomViews?
  /// The centre's responses, which play LFE channels; in a room without a centre the mean of the two nearest loudspeakers.
  private(set) var centre: Pair
  /// Gain that brings the mean power of all loudspeakers at both ears to that of the built-in set.
  let gain: Double
  /// Samples from the beginning of the responses to the centre's direct sound.
  let onset: Int

  /// Number of loudspeakers.
  package var speakers: Int { pairs.count + places.count }
  /// Samples of each response.
  package var taps: Int { centre.left.count }
  /// The gain in dB that is applied to all responses.
  package var gainDB: Double { 20 * log10(gain) }

  /// The set of a file with these `planes`.
  /// - Throws: ``MediaError`` of kind `inputUnreadable` for a file that holds something else.
  package init(id: String, planes: [[Float]], rate: Int) throws {
    func refusal(_ what: String) -> MediaError { MediaError(.inputUnreadable, about: id, what) }
    let columns: [(speaker: Speaker, left: Int, right: Int)]
    switch planes.count {
    case 14: columns = ChannelSet.columns
    case 7: columns = ChannelSet.mirroredColumns
    default:
      throw refusal(
        "has \(planes.count) channels; a HeSuVi file has 14, or 7 for a symmetric head")
    }
    guard ChannelSet.rates.contains(rate) else {
      throw refusal("has a rate of \(rate) Hz; give responses at 44.1, 48, 88.2 or 96 kHz")
    }
    guard let length = planes.first?.count, length > 0,
      Double(length) <= ChannelSet.longest * Double(rate)
    else {
      throw refusal("isn't as long as responses are; give at most \(ChannelSet.longest) s")
    }
    guard planes.allSatisfy({ $0.allSatisfy(\.isFinite) }) else {
      throw refusal("holds values that are no numbers; give another file")
    }
    var pairs: [Speaker: Pair] = [:]
    for (speaker, left, right) in columns {
      let pair = Pair(left: planes[left], right: planes[right])
      let peak = (pair.left + pair.right).reduce(0) { max($0, $1.magnitude) }
      guard peak > ChannelSet.silence else {
        throw refusal("has no response of \(speaker.name), whose channels are silent")
      }
      pairs[speaker] = pair
    }
    guard let centre = pairs[.frontCenter] else { throw refusal("has no centre") }
    self.id = id
    self.pairs = pairs
    self.centre = centre
    places = []
    views = nil
    sampleRate = rate
    let speakers = pairs.keys.sorted { $0.rawValue < $1.rawValue }
    onset = try ChannelSet.onset(
      centre, speakers.compactMap { name in pairs[name].map { (name.name, $0) } }, rate, id)
    gain = try ChannelSet.gain(pairs, rate, id)
  }

  /// The set of a measured `room`, heard by the first head that it holds.
  /// - Throws: ``MediaError`` of kind `inputUnreadable` for responses that hold no direct sound, no numbers or nothing.
  package init(id: String, room: RoomMeasurements) throws {
    let rate = room.sampleRate
    places = try ChannelSet.places(room, view: 0, id)
    let named = places.map { (ChannelSet.name(of: $0.direction), $0.pair) }
    centre = ChannelSet.centre(places)
    pairs = [:]
    views = RoomViews(yaws: room.yaws)
    self.id = id
    sampleRate = rate
    onset = try ChannelSet.onset(centre, named, rate, id)
    gain = try ChannelSet.gain(places, rate, id)
  }

  /// The set for each head of `room`, which hears the same loudspeakers. Time 0 and the gain stay those of the head that looks ahead,
  /// so that a turn changes neither.
  /// - Throws: ``MediaError`` of kind `inputUnreadable` for responses that hold no direct sound, no numbers or nothing, and for
  ///   another room.
  package func turned(_ room: RoomMeasurements) throws -> [ChannelSet] {
    guard room.sampleRate == sampleRate, room.directions == places.map(\.direction),
      room.yaws == views?.yaws
    else {
      throw MediaError(.inputUnreadable, about: id, "changed while it was read; try again")
    }
    return try room.views.enumerated().map { index, view in
      let head = ", heard by the head at yaw \(HRTFInspection.text(room.yaws[view]))°"
      var set = self
      set.places = try ChannelSet.places(room, view: index, id, head)
      set.centre = ChannelSet.centre(set.places)
      let named = set.places.map { (ChannelSet.name(of: $0.direction) + head, $0.pair) }
      _ = try ChannelSet.onset(centre, named, sampleRate, id)
      return set
    }
  }

  /// The loudspeakers as the head `view` of `room` hears them; `head` names it in refusals.
  private static func places(
    _ room: RoomMeasurements, view: Int, _ id: String, _ head: String = ""
  ) throws -> [Place] {
    try room.directions.enumerated().map { index, direction in
      let pair = Pair(
        left: room.response(index, 0, view: view), right: room.response(index, 1, view: view))
      guard pair.left.allSatisfy(\.isFinite), pair.right.allSatisfy(\.isFinite) else {
        throw MediaError(
          .inputUnreadable, about: id, "holds values that are no numbers; give another file")
      }
      try checkDirectSound(pair, name(of: direction) + head, room.sampleRate, id)
      return Place(direction: direction, pair: pair)
    }
  }

  private static func name(of direction: Direction) -> String {
    "the loudspeaker at \(HRTFInspection.text(direction.azimuth))°/\(HRTFInspection.text(direction.elevation))°"
  }

  /// Degrees between two directions.
  private static func angle(_ one: Direction, _ other: Direction) -> Double {
    VoicePath.angle(UnitVector.of(one), UnitVector.of(other))
  }

  /// The loudspeaker ahead, or the mean of the two that are nearest to it.
  private static func centre(_ places: [Place]) -> Pair {
    let ahead = Direction(azimuth: 0)
    let sorted = places.sorted { angle($0.direction, ahead) < angle($1.direction, ahead) }
    guard let first = sorted.first else { return Pair(left: [], right: []) }
    guard sorted.count > 1, angle(first.direction, ahead) > reach else { return first.pair }
    let second = sorted[1].pair
    return Pair(
      left: zip(first.pair.left, second.left).map { ($0 + $1) / 2 },
      right: zip(first.pair.right, second.right).map { ($0 + $1) / 2 })
  }

  /// Refuses a response that is silent, or whose loudest moment comes long after its first sound.
  private static func checkDirectSound(
    _ pair: Pair, _ name: String, _ rate: Int, _ id: String
  ) throws {
    let ears = [pair.left, pair.right].map { ear in (ear.reduce(0) { max($0, $1.magnitude) }, ear) }
    guard let (peak, ear) = ears.max(by: { $0.0 < $1.0 }), peak > silence else {
      throw MediaError(
        .inputUnreadable, about: id,
        "has no response of \(name), which is silent; give another file")
    }
    let first = ear.firstIndex { $0.magnitude >= 0.1 * peak } ?? 0
    let loudest = ear.indices.max { ear[$0].magnitude < ear[$1].magnitude } ?? 0
    guard Double(loudest - first) <= latest * Double(rate) / 1000 else {
      throw MediaError(
        .inputUnreadable, about: id,
        "has no direct sound of \(name): its loudest moment comes \((loudest - first) * 1000 / rate) ms after its first sound; "
          + "give responses that begin with the direct sound")
    }
  }

  /// Sample of the centre's direct sound, once all others were found near it: what comes earlier would be lost at the beginning
  /// of a programme.
  private static func onset(
    _ middle: Pair, _ speakers: [(name: String, pair: Pair)], _ rate: Int, _ id: String
  ) throws -> Int {
    let centre = onset(middle, rate: rate)
    let farthest = Int(farthest * Double(rate) / 1000)
    for speaker in speakers {
      let place = onset(speaker.pair, rate: rate)
      guard abs(place - centre) > farthest else { continue }
      throw MediaError(
        .inputUnreadable, about: id,
        "has the sound of \(speaker.name) \(abs(place - centre)) samples \(place < centre ? "before" : "after") that of the "
          + "centre, so it is no set of loudspeakers at one distance; give another file")
    }
    return centre
  }

  /// Sample of the direct sound, mean of those ears that aren't 20 dB below the other: the largest one within a millisecond from
  /// where a tenth of the peak is reached.
  private static func onset(_ pair: Pair, rate: Int) -> Int {
    let ears = [pair.left, pair.right].map { (peak: $0.reduce(0) { max($0, $1.magnitude) }, $0) }
    let loudest = ears.map(\.peak).max() ?? 0
    let places = ears.filter { $0.peak > 0.1 * loudest }.map { peak, response -> Int in
      let first = response.firstIndex { $0.magnitude >= peak * 0.1 } ?? 0
      let last = min(response.count - 1, first + rate / 1000)
      return (first...last).max { response[$0].magnitude < response[$1].magnitude } ?? first
    }
    return places.isEmpty ? 0 : places.reduce(0, +) / places.count
  }

  private static func gain(_ pairs: [Speaker: Pair], _ rate: Int, _ id: String) throws -> Double {
    let speakers = pairs.keys.sorted { $0.rawValue < $1.rawValue }
    let directions = try SpeakerPositions.standard.directions(in: ChannelLayout(speakers))
    let designer = HRIRDesigner(try HRTFSet.builtIn(), rate: rate)
    let heard = zip(speakers, directions).filter { !$0.0.isLFE }.map {
      designer.pair(at: HeadPose.ahead.place(of: $0.1))
    }
    let wanted = (heard.map(\.left) + heard.map(\.right)).reduce(0) { $0 + power($1, rate) }
    let own = speakers.compactMap { pairs[$0] }.reduce(0) {
      $0 + power($1.left.map(Double.init), rate) + power($1.right.map(Double.init), rate)
    }
    return try ratio(wanted, own, id)
  }

  /// Gain for loudspeakers of a room, which are compared with those of the built-in set in their directions.
  private static func gain(_ places: [Place], _ rate: Int, _ id: String) throws -> Double {
    let designer = HRIRDesigner(try HRTFSet.builtIn(), rate: rate)
    let wanted = places.reduce(0) { sum, place in
      let pair = designer.pair(for: place.direction)
      return sum + power(pair.left, rate) + power(pair.right, rate)
    }
    let own = places.reduce(0) {
      $0 + power($1.pair.left.map(Double.init), rate)
        + power($1.pair.right.map(Double.init), rate)
    }
    return try ratio(wanted, own, id)
  }

  private static func ratio(_ wanted: Double, _ own: Double, _ id: String) throws -> Double {
    let gain = own > 0 ? (wanted / own).squareRoot() : .infinity
    guard gain.isFinite, (20 * log10(gain)).magnitude <= mostGain else {
      throw MediaError(
        .inputUnreadable, about: id,
        "is more than \(Int(mostGain)) dB louder or quieter than a set is; give another file")
    }
    return gain
  }

  /// Energy of a response within ``band``.
  private static func power(_ response: [Double], _ rate: Int) -> Double {
    let fft = DoubleFFT(length: max(1024, response.count))
    let spectrum = Spectrum(response, fft)
    let width = Double(rate) / Double(fft.length)
    let bins = (0..<spectrum.count).filter { band.contains(Double($0) * width) }
    return bins.reduce(0) {
      $0 + spectrum.re[$1] * spectrum.re[$1] + spectrum.im[$1] * spectrum.im[$1]
    } * width
  }

  /// The responses that play `speaker`, which a layout has in `direction`; `nil` where no loudspeaker is there.
  func pair(of speaker: Speaker, at direction: Direction) -> Pair? {
    if let pair = pairs[speaker] { return pair }
    let nearest = places.min {
      ChannelSet.angle($0.direction, direction) < ChannelSet.angle($1.direction, direction)
    }
    guard let nearest, ChannelSet.angle(nearest.direction, direction) <= ChannelSet.reach else {
      return nil
    }
    return nearest.pair
  }

  /// The responses of the front left loudspeaker, or of what is there.
  var frontLeft: Pair { pair(of: .frontLeft, at: Direction(azimuth: 30)) ?? centre }
}
