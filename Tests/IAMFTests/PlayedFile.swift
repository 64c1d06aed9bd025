// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import IAMF

/// A file whose elements have been decoded and reconstructed, and trimmed.
struct PlayedFile {
  /// An element's channels.
  struct Element {
    var output: ElementReconstructor.Output
    var planes: [[Float]]
  }

  let file: MediaFile
  /// Elements by their numbers.
  var elements: [Int: Element] = [:]
  /// Trims of the units.
  var clock = TrimmingClock()

  /// Plays the highest layer of each element of a file.
  init(_ name: String) throws {
    file = try MediaFile(name)
    let mix = file.description.playableMixes[0]
    let lengths = try PlayedFile.lengths(file, mix)
    let ranges = zip(file.units, lengths).map { unit, count in
      clock.range(count, unit.trim(file.description.substreams(of: mix)))
    }
    for (id, element) in file.description.playableElements {
      let reconstructor = ElementReconstructor(element)
      let units = try PlayedFile.reconstructed(file, element, reconstructor, lengths)
      var planes = Array(repeating: [Float](), count: reconstructor.channelCount)
      for (unit, range) in zip(units, ranges) {
        for index in planes.indices { planes[index] += unit.channel(index)[range] }
      }
      elements[id] = Element(output: reconstructor.output, planes: planes)
    }
  }

  /// Samples of each unit; those of FLAC stand in its frames' headers, and are as many as ffmpeg finds.
  static func lengths(_ file: MediaFile, _ mix: PlayableMix) throws -> [Int] {
    let element = try #require(file.description.playableElements[mix.elements[0].id])
    var rest = 0
    if case .flac = element.codec.decoder {
      rest = try DecodedSubstream(file, element, 0).planes[0].count
    }
    return file.units.map { unit in
      if let count = file.description.samples(of: unit, mix) { return count }
      let count = min(element.codec.samplesPerFrame, rest)
      rest -= count
      return count
    }
  }

  /// The channels of each unit of an element.
  static func reconstructed(
    _ file: MediaFile, _ element: PlayableElement, _ reconstructor: ElementReconstructor,
    _ lengths: [Int]
  ) throws -> [AudioBuffer] {
    let plain = PlainSamples(element)
    var planes: [[Float]] = []
    if plain == nil {
      for index in element.substreamChannels.indices {
        planes += try DecodedSubstream(file, element, index).planes
      }
    }
    var start = 0
    return zip(file.units, lengths).map { unit, count in
      let decoded = AudioBuffer(channels: element.decodedCount)
      if let plain {
        plain.read(unit, count: count, into: decoded)
      } else {
        decoded.grow(by: count)
        for (index, plane) in planes.enumerated() {
          for place in 0..<count { decoded.channel(index)[place] = plane[start + place] }
        }
      }
      start += count
      let result = AudioBuffer(channels: reconstructor.channelCount)
      reconstructor.reconstruct(decoded, unit, into: result)
      return result
    }
  }
}
