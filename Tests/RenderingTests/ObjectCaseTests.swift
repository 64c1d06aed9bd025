import AudioCore
import Foundation
import MediaIn
import Platform
import Spatial
import TestSupport
import Testing

@testable import Rendering

/// Files with objects against renderings by the EBU ADM Renderer.
@Suite(.tags(.media), .enabled(if: ObjectCases.isPresent, "../shared is missing"))
struct ObjectCaseTests {
  /// Our layouts with the places of their channels in the order of ITU-R BS.2051.
  private static let layouts: [String: (name: String, order: [Int])] = [
    "0+2+0": ("stereo", [0, 1]), "0+5+0": ("5.1(side)", [0, 1, 2, 3, 4, 5]),
    "4+7+0": ("7.1.4", [0, 1, 2, 3, 6, 7, 4, 5, 8, 9, 10, 11]),
  ]

  private func reader(_ path: String, _ options: InputOptions) throws -> any TrackReader {
    let media = try MediaFile(path: path, options: options)
    let opener = TrackOpener(media)
    let log = DiagnosticLog()
    return try opener.open(opener.select(.automatic, log: log), options: options, log: log)
  }

  /// The planes of a file, as they lie.
  private func planes(_ path: String) throws -> [[Float]] {
    let reader = try reader(path, InputOptions())
    let block = ProgrammeBlock(reader.programme)
    while try reader.read(into: block) != nil {}
    return (0..<block.audio.channels).map { Array(block.audio.channel($0)) }
  }

  private func rendered(
    _ path: String, _ options: InputOptions, to layout: ChannelLayout
  ) throws -> [[Float]] {
    let reader = try reader(path, options)
    let renderer = LoudspeakerRenderer(layout: layout)
    let format = try renderer.prepare(reader.programme)
    let output = AudioBuffer(channels: format.channels)
    let block = ProgrammeBlock(reader.programme)
    var frames = 0
    while try reader.read(into: block) != nil {
      frames += block.frames
      try renderer.process(block, into: output)
      block.removeAll()
    }
    try renderer.finish(into: output)
    output.removeFirst(renderer.latency)
    output.truncate(to: frames)
    return (0..<output.channels).map { Array(output.channel($0)) }
  }

  private static let good = ObjectCases.all.filter { !$0.isHostile }

  @Test func allCasesAreThere() { #expect(ObjectCaseTests.good.count == 36) }

  /// All cases that are meant to be rendered: the difference lies 100 dB below the expected sound.
  @Test(arguments: good)
  func loudspeakersGetWhatTheReferenceGivesThem(file: ObjectCases.Case) throws {
    let folder = ObjectCases.path("cases")
    for rendering in file.renders ?? [] {
      var options = InputOptions()
      options.objects.programme = rendering.options.programme
      options.objects.complements = rendering.options.comp ?? []
      options.objects.importance = rendering.options.importance
      for (name, files) in rendering.files {
        let own = try #require(ObjectCaseTests.layouts[name])
        let layout = try #require(ChannelLayout(name: own.name))
        let output = try rendered("\(folder)/\(file.input)", options, to: layout)
        let expected = try files.flatMap { try planes("\(folder)/\($0)") }
        #expect(expected.count == output.count)
        let level = decibels(output, expected, own.order)
        #expect(level <= -100, "\(file.id) \(name) \(rendering.options): \(level) dB")
      }
    }
  }

  /// Level of the difference over that of the expected sound.
  private func decibels(_ output: [[Float]], _ expected: [[Float]], _ order: [Int]) -> Double {
    var (error, power) = (0.0, 0.0)
    for (place, wanted) in zip(order, expected) {
      guard output[place].count == wanted.count else { return .infinity }
      for (one, other) in zip(output[place], wanted) {
        let difference = Double(one) - Double(other)
        error += difference * difference
        power += Double(other) * Double(other)
      }
    }
    return 10 * log10((error + 1e-30) / (power + 1e-30))
  }
}
