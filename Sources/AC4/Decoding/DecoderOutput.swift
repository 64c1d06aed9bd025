// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// Hands decoded frames out: drops the decoder's own delay, converts the coded rate to the output's, and puts
/// the channels in the output's order.
final class DecoderOutput {
  private let channelCount: Int
  /// The output's channel for each coded channel; `nil` for one that isn't heard.
  private let places: [Int?]
  /// A converter for each channel; none when the coded rate is the output's.
  private let converters: [RateConverter]
  /// Samples of one coded frame, one channel after the other.
  private let coded: Buffer<Float>
  /// Samples of a coded frame.
  private let codedLength: Int
  /// Samples by which decoding delays the signal, at the coded rate.
  private let delay: Int
  /// Coded samples that still have to be dropped at the start.
  private var toDrop: Int
  /// Samples that came out since the start.
  private(set) var samples: Int64 = 0

  /// An output for channels that are decoded in frames of `codedLength` samples.
  /// - Parameters:
  ///   - places: the output's channel for each coded channel; `nil` for one that isn't heard.
  ///   - rate: the stream's frame rate, which has the ratio of the output's rate to the coded one.
  ///   - delay: samples by which decoding delays the signal.
  init(_ places: [Int?], _ rate: AC4FrameRate, codedLength: Int, delay: Int) {
    channelCount = places.count
    self.places = places
    self.codedLength = codedLength
    self.delay = delay
    toDrop = delay
    coded = Buffer(0, count: codedLength * places.count)
    if rate.resampleUp == rate.resampleDown {
      converters = []
    } else {
      let first = RateConverter(
        up: rate.resampleUp, down: rate.resampleDown, largest: codedLength)
      let others = (1..<places.count).map { _ in
        RateConverter(
          up: rate.resampleUp, down: rate.resampleDown, largest: codedLength, like: first)
      }
      converters = [first] + others
    }
  }

  /// Address of a coded channel's samples before ``emit(into:limit:)``.
  func channelStart(_ channel: Int) -> UnsafeMutablePointer<Float> {
    coded.base + channel * codedLength
  }

  /// Appends the coded frame, less the delay, at the output's rate.
  /// - Parameter limit: samples since the start after which nothing more is appended.
  func emit(into output: AudioBuffer, limit: Int64 = .max) {
    let dropped = min(toDrop, codedLength)
    toDrop -= dropped
    let count = codedLength - dropped
    guard count > 0 else { return }
    // Room for the most samples that may come out; the rest is cut off again.
    let start = output.frames
    let room = converters.first?.capacity(count) ?? count
    output.grow(by: room)
    var converted = count
    for channel in 0..<channelCount {
      guard let place = places[channel], let base = output.channel(place).baseAddress else {
        continue
      }
      let source = channelStart(channel) + dropped
      if converters.isEmpty {
        (base + start).update(from: source, count: count)
      } else {
        converted = converters[channel].process(source, count, into: base + start)
      }
    }
    let kept = Int(min(Int64(converted), limit - samples))
    output.truncate(to: start + kept)
    samples += Int64(kept)
  }

  /// Forgets all frames: the next one is the first.
  func reset() {
    for converter in converters { converter.reset() }
    toDrop = delay
    samples = 0
  }
}

/// Whether frames follow each other without a gap (`sequence_counter`, TS 103 190-1, 4.3.3.2.2).
struct FrameContinuity {
  /// How a frame relates to the last one that was decoded or concealed.
  enum Step {
    case next
    /// An I-frame that doesn't follow: another source begins.
    case newSource
  }

  /// The counter runs from 1 to this, then from 1 again.
  private static let last = 1020

  /// Whether a frame has been decoded since the start or a seek.
  private(set) var isStarted = false
  /// `sequence_counter` of the last frame; `nil` before the first.
  private var counter: Int?

  /// The relation of a frame with this table of contents to the last one.
  /// - Throws: ``AC4Error/needsIFrame(_:)`` for a frame that can't be decoded without the missing ones.
  func step(to toc: AC4TableOfContents) throws(AC4Error) -> Step {
    let isNext = follows(toc.sequenceCounter)
    if toc.isIFrame { return isStarted && !isNext ? .newSource : .next }
    guard isStarted else { throw .needsIFrame("audio") }
    guard isNext else { throw .needsIFrame("audio after a gap") }
    return .next
  }

  /// Records that a frame with this table of contents was decoded.
  mutating func decoded(_ toc: AC4TableOfContents) {
    isStarted = true
    counter = toc.sequenceCounter
  }

  /// Records that a frame was made up in place of the next one.
  mutating func concealed() {
    if let counter { self.counter = FrameContinuity.successor(counter) }
  }

  /// A counter of 0 marks a splice, which may stand anywhere and be followed by any counter.
  private func follows(_ next: Int) -> Bool {
    guard let counter, counter != 0, next != 0 else { return true }
    return next == FrameContinuity.successor(counter)
  }

  private static func successor(_ counter: Int) -> Int { counter >= last ? 1 : counter + 1 }
}
