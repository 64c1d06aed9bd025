// SPDX-License-Identifier: Apache-2.0
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
  static let layouts: [String: (name: String, order: [Int])] = [
    "0+2+0": ("stereo", [0, 1]), "0+5+0": ("5.1(side)", [0, 1, 2, 3, 4, 5]),
    "4+7+0": ("7.1.4", [0, 1, 2, 3, 6, 7, 4, 5, 8, 9, 10, 11]),
  ]

  static let good = ObjectCases.all.filter { !$0.isHostile }

  /// All cases that are meant to be rendered: the difference lies 100 dB below the expected sound.
  @Test(
    "loudspeakers get each object case as the reference renders it, within −100 dB", arguments: good
  )
  func loudspeakersGetWhatTheReferenceGivesThem(file: ObjectCases.Case) throws {
    let folder = ObjectCases.path("cases")
    for rendering in file.renders ?? [] {
      let options = rendering.options.input
      for (name, files) in rendering.files {
        let own = try #require(ObjectCaseTests.layouts[name])
        let layout = try #require(ChannelLayout(name: own.name))
        let output = try RenderedScene.planes("\(folder)/\(file.input)", options, to: layout)
        let expected = try files.flatMap { try RenderedScene.tracks("\(folder)/\($0)") }
        #expect(expected.count == output.count)
        let level = Signals.difference(own.order.map { output[$0] }, expected)
        #expect(level <= -100, "\(file.id) \(name) \(rendering.options): \(level) dB")
      }
    }
  }
}

extension ObjectCases.Case.Rendering.Options {
  /// This choice for a reader.
  var input: InputOptions {
    var options = InputOptions()
    options.objects.programme = programme
    options.objects.complements = comp ?? []
    options.objects.importance = importance
    return options
  }
}
