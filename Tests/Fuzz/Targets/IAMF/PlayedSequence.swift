// SPDX-License-Identifier: Apache-2.0
import AudioCore
import IAMF

/// Plays every mix of a sequence: decoded channels are samples of LPCM, or noise where a codec is needed.
final class PlayedSequence {
  /// Samples of an input that are played, of all planes: a frame of two bytes may stand for very many.
  static let mostSamples = 1 << 19

  /// An element of a mix.
  private struct Part {
    let reconstructor: ElementReconstructor
    let plain: PlainSamples?
    let decoded: AudioBuffer
    let made: AudioBuffer
    let rendered: AudioBuffer

    /// An element's highest layer, or the layer `layer` where it has that.
    init(_ element: PlayableElement, layer: Int) {
      reconstructor = ElementReconstructor(element, layer: layer)
      precondition(reconstructor.decodedCount <= element.decodedCount, "channels out of nothing")
      plain = PlainSamples(element)
      decoded = AudioBuffer(channels: element.decodedCount)
      made = AudioBuffer(channels: reconstructor.channelCount)
      rendered = AudioBuffer(channels: PlayedSequence.outputs)
    }
  }

  /// Planes that elements are rendered to.
  private static let outputs = 2
  /// Samples of a unit whose codec isn't LPCM.
  private static let mostCoded = 2880

  private struct Mix {
    let mix: PlayableMix
    let substreams: [Int]
    let mixer: PresentationMixer
    let parts: [Part]
    var clock = TrimmingClock()
  }

  private let description: SequenceDescription
  private var mixes: [Mix]
  private let output = AudioBuffer(channels: PlayedSequence.outputs)
  private var noise: UInt32 = 1

  /// A player of the layer `layer` of all elements, or of their highest one.
  init(_ description: SequenceDescription, layer: Int) {
    self.description = description
    // A mixer keeps a frame of samples; a file may name very many mixes.
    mixes = description.playableMixes.prefix(8).map { mix in
      Mix(
        mix: mix, substreams: description.substreams(of: mix),
        mixer: PresentationMixer(mix, channels: PlayedSequence.outputs),
        parts: mix.elements.compactMap { entry in
          description.playableElements[entry.id].map { Part($0, layer: layer) }
        })
    }
    precondition(
      mixes.allSatisfy { $0.parts.count == $0.mix.elements.count }, "an element is missing")
  }

  /// Plays a unit in every mix, until `budget` samples are used up.
  func play(_ unit: TemporalUnit, _ budget: inout Int) {
    for index in mixes.indices where budget > 0 {
      let mix = mixes[index]
      let stated = description.samples(of: unit, mix.mix)
      precondition(stated ?? 0 >= 0, "a unit of less than nothing")
      let planes = mix.parts.reduce(2) { $0 + $1.decoded.channels + $1.made.channels }
      let wanted = stated ?? min(mix.mix.samplesPerFrame, PlayedSequence.mostCoded)
      let count = min(wanted, max(1, budget / planes))
      budget -= max(1, count) * planes
      let range = mixes[index].clock.range(count, unit.trim(mix.substreams))
      precondition((0...count).contains(range.upperBound), "a unit is trimmed by too much")
      for part in mix.parts { make(part, unit, count) }
      output.removeAll()
      mix.mixer.mix(mix.parts.map(\.rendered), unit, into: output)
      precondition(output.frames == count, "a mix of another length")
      check(output)
      precondition(mixes[index].clock.presented >= 0, "less than nothing is presented")
    }
  }

  /// Decodes, reconstructs and renders an element: its channels in turn to the left and the right.
  private func make(_ part: Part, _ unit: TemporalUnit, _ count: Int) {
    part.decoded.removeAll()
    if let plain = part.plain {
      plain.read(unit, count: count, into: part.decoded)
      for channel in 0..<part.decoded.channels {
        let isRight = part.decoded.channel(channel).allSatisfy { (-1...1).contains($0) }
        precondition(isRight, "LPCM beyond full scale")
      }
    } else {
      fill(part.decoded, count)
    }
    part.made.removeAll()
    part.reconstructor.reconstruct(part.decoded, unit, into: part.made)
    precondition(part.made.frames == count, "an element of another length")
    check(part.made)
    part.rendered.removeAll()
    part.rendered.appendSilence(count)
    for channel in 0..<part.made.channels {
      let (source, target) = (part.made.channel(channel), part.rendered.channel(channel & 1))
      for index in 0..<count { target[index] += source[index] }
    }
  }

  /// White noise at full scale, the same for the same input.
  private func fill(_ buffer: AudioBuffer, _ count: Int) {
    buffer.grow(by: count)
    for channel in 0..<buffer.channels {
      let plane = buffer.channel(channel)
      for index in plane.indices {
        noise = noise &* 1_664_525 &+ 1_013_904_223
        plane[index] = Float(Int32(bitPattern: noise)) / 2_147_483_648
      }
    }
  }

  private func check(_ audio: AudioBuffer) {
    for channel in 0..<audio.channels {
      precondition(
        audio.channel(channel).allSatisfy(\.isFinite), "a sample that isn't finite")
    }
  }
}
