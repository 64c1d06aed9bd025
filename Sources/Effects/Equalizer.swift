// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// An equaliser as a text file of Equalizer APO or AutoEq describes it.
package struct Equalizer: Hashable, Sendable {
  /// Most filters and curves of one equaliser.
  package static let mostParts = 64

  /// One step, which acts on the channels that the file has chosen there.
  package struct Part: Hashable, Sendable {
    /// Effect of the step.
    package var work: Work
    /// The channels; `nil` for all.
    package var channels: [ChannelName]?

    /// The step in words for reports, such as `peak 105.00 Hz +3.10 dB Q 0.70`.
    package var summary: String {
      let place = channels.map { names in
        names.map(\.description).joined(separator: " ") + ": "
      }
      return (place ?? "") + work.summary
    }
  }

  /// The effect of a step.
  package enum Work: Hashable, Sendable {
    /// Gain in dB.
    case gain(Double)
    /// One filter.
    case band(EqualizerBand)
    /// A curve of gains.
    case curve(GraphicCurve)
  }

  /// A channel as the file names it.
  package enum ChannelName: Hashable, Sendable {
    /// By its place, from 1.
    case number(Int)
    /// By its loudspeaker.
    case speaker(Speaker)
  }

  /// Its steps in the order of the file.
  package var parts: [Part] = []
  /// Readings of what the file leaves open, as sentences.
  package var notes: [String] = []

  /// An equaliser without steps.
  package init() {}

  /// Its steps for the channel at `index` of `layout`.
  package func works(on index: Int, of layout: ChannelLayout) -> [Work] {
    parts.filter { part in
      guard let channels = part.channels else { return true }
      return channels.contains { $0.index(in: layout) == index }
    }.map(\.work)
  }

  /// The first channel that the file names and `layout` doesn't have; `nil` where all are there.
  package func missingChannel(in layout: ChannelLayout) -> ChannelName? {
    parts.lazy.flatMap { $0.channels ?? [] }.first { $0.index(in: layout) == nil }
  }
}

extension Equalizer.Work {
  fileprivate var summary: String {
    switch self {
    case .gain(let gain): return "gain \(Decibels.signedText(gain)) dB"
    case .band(let band): return band.summary
    case .curve(let curve):
      return
        "curve of \(curve.points.count.counted("point", "points")) from \(Decibels.text(curve.points[0].frequency)) Hz"
    }
  }
}

extension Equalizer.ChannelName: CustomStringConvertible {
  /// Names of Equalizer APO.
  private static let names: [String: Speaker] = [
    "L": .frontLeft, "R": .frontRight, "C": .frontCenter, "LFE": .lowFrequency,
    "SUB": .lowFrequency, "RL": .backLeft, "RR": .backRight, "RC": .backCenter, "SL": .sideLeft,
    "SR": .sideRight,
  ]

  /// The channel that the file calls `text`; `nil` for a name that there isn't.
  init?(_ text: Substring) {
    if let number = Int(text), number > 0 {
      self = .number(number)
    } else if let speaker = Self.names[text.uppercased()] {
      self = .speaker(speaker)
    } else {
      return nil
    }
  }

  /// Its place in `layout`; `nil` where it isn't there.
  func index(in layout: ChannelLayout) -> Int? {
    switch self {
    case .number(let number): return number <= layout.count ? number - 1 : nil
    case .speaker(let speaker):
      if let found = layout.speakers.firstIndex(of: speaker) { return found }
      // 5.1 has its only surrounds at the sides or at the back.
      switch speaker {
      case .backLeft: return layout.speakers.firstIndex(of: .sideLeft)
      case .backRight: return layout.speakers.firstIndex(of: .sideRight)
      case .sideLeft: return layout.speakers.firstIndex(of: .backLeft)
      case .sideRight: return layout.speakers.firstIndex(of: .backRight)
      default: return nil
      }
    }
  }

  /// As the file may name it.
  package var description: String {
    switch self {
    case .number(let number): return "\(number)"
    case .speaker(let speaker): return speaker.name
    }
  }
}

/// One filter of an equaliser.
package struct EqualizerBand: Hashable, Sendable {
  /// The shape of a filter's response.
  package enum Shape: String, Hashable, Sendable {
    /// Raises or lowers what lies about its frequency.
    case peak
    /// Raises or lowers what lies below its frequency.
    case lowShelf
    /// Raises or lowers what lies above its frequency.
    case highShelf
    /// Lets through what lies below its frequency.
    case lowPass
    /// Lets through what lies above its frequency.
    case highPass
    /// Lets through what lies about its frequency.
    case bandPass
    /// Takes out its frequency.
    case notch
    /// Turns the phase only.
    case allPass
  }

  /// How wide the filter is.
  package enum Width: Hashable, Sendable {
    case quality(Double)
    /// By the distance of its edges in octaves.
    case octaves(Double)
    /// Of a shelf, by its slope; 1 is the steepest without overshoot.
    case slope(Double)
  }

  /// Shape of the response.
  package var shape: Shape
  /// Its frequency in Hz: the middle of a peak or of a shelf's slope, or the edge of a pass.
  package var frequency: Double
  /// By how much it raises, in dB; only for peaks and shelves.
  package var gain: Double
  /// How wide it is.
  package var width: Width

  /// A filter.
  package init(_ shape: Shape, frequency: Double, gain: Double = 0, width: Width) {
    self.shape = shape
    self.frequency = frequency
    self.gain = gain
    self.width = width
  }

  /// The filter in words for reports, such as `peak 105.00 Hz +3.10 dB Q 0.70`.
  package var summary: String {
    var words = ["\(shape.rawValue) \(Decibels.text(frequency)) Hz"]
    if [.peak, .lowShelf, .highShelf].contains(shape) {
      words.append("\(Decibels.signedText(gain)) dB")
    }
    switch width {
    case .quality(let quality): words.append("Q \(Decibels.text(quality))")
    case .octaves(let octaves): words.append("\(Decibels.text(octaves)) octaves")
    case .slope(let slope): words.append("slope \(Decibels.text(slope))")
    }
    return words.joined(separator: " ")
  }
}

/// Gains over frequency, linear in decibels between their points on a logarithmic axis.
package struct GraphicCurve: Hashable, Sendable {
  package struct Point: Hashable, Sendable {
    /// Hz.
    package var frequency: Double
    /// dB.
    package var gain: Double
  }

  /// The points by rising frequency, at least one.
  package let points: [Point]

  /// A curve through `points`; `nil` without points, or where a frequency isn't above the one before.
  package init?(_ points: [Point]) {
    guard let first = points.first, first.frequency > 0 else { return nil }
    guard zip(points, points.dropFirst()).allSatisfy({ $0.frequency < $1.frequency }) else {
      return nil
    }
    self.points = points
  }

  /// The gain in dB at `frequency` Hz; beyond the ends that of the last point.
  package func gain(at frequency: Double) -> Double {
    guard frequency > points[0].frequency else { return points[0].gain }
    guard let next = points.firstIndex(where: { $0.frequency >= frequency }) else {
      return points[points.count - 1].gain
    }
    let (low, high) = (points[next - 1], points[next])
    let place = log(frequency / low.frequency) / log(high.frequency / low.frequency)
    return low.gain + place * (high.gain - low.gain)
  }
}
