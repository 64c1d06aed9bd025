// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import LibAV
import TestSupport
import Testing

@testable import MediaIn

/// Compares what is read of a file of IAMF with what another decoder makes of it.
struct IAMFComparison {
  /// A file that was read to its end.
  struct Read {
    let reader: any TrackReader
    let block: ProgrammeBlock
    let log: DiagnosticLog
  }

  private let expected: IAMFExpectation
  private let name: String

  /// A comparison with what is expected; its findings begin with `place` and the file's name.
  init(_ expected: IAMFExpectation, _ place: String = "") {
    self.expected = expected
    name = place + URL(fileURLWithPath: expected.path).lastPathComponent
  }

  /// Reads a file to its end.
  static func read(
    _ path: String, _ change: (inout InputOptions) -> Void = { _ in }
  ) throws -> Read {
    LibAVLog.install()
    var options = InputOptions()
    change(&options)
    let log = DiagnosticLog()
    let opener = TrackOpener(try MediaFile(path: path))
    let reader = try opener.open(opener.select(.automatic, log: log), options: options, log: log)
    let block = ProgrammeBlock(reader.programme)
    while try reader.read(into: block) != nil {}
    return Read(reader: reader, block: block, log: log)
  }

  /// Compares the elements of all mixes.
  /// - Parameter everySample: whether all samples of all elements must be known; else what is known counts.
  func run(everySample: Bool = false) throws {
    #expect(!expected.mixes.isEmpty)
    for mix in expected.mixes {
      let found = try IAMFComparison.read(expected.path) { $0.presentation = .number(mix.id) }
      #expect(found.block.frames == expected.presented, "\(name)")
      #expect(found.reader.programme.sampleRate == expected.rate, "\(name)")
      var plane = 0
      for element in mix.elements {
        let labels = labels(found.reader.programme, from: plane, element)
        #expect(Set(labels) == Set(element.channels), "\(name), element \(element.id)")
        let wanted = try element.mixedPlanes()
        #expect(
          !everySample || wanted?.allSatisfy { $0.count == expected.presented } == true, "\(name)")
        for (index, label) in labels.enumerated() {
          guard let place = element.channels.firstIndex(of: label) else { continue }
          let own = found.block.audio.channel(plane + index)
          compareLevel(own, element, place)
          guard let wanted = wanted?[place] else { continue }
          let ratio = Signals.ratio(Array(own.prefix(wanted.count)), wanted)
          #expect(
            ratio > (expected.isLossless ? 100 : 90),
            "\(name), mix \(mix.id), element \(element.id), \(label): \(ratio) dB")
        }
        plane += labels.count
      }
      #expect(plane == found.reader.programme.planes, "\(name)")
    }
  }

  /// Compares the level of a channel where the gain doesn't move.
  private func compareLevel(
    _ own: UnsafeMutableBufferPointer<Float>, _ element: IAMFExpectation.Element, _ place: Int
  ) {
    guard let gain = element.gain else { return }
    let power = own.reduce(0) { $0 + Double($1) * Double($1) } / Double(own.count)
    let rms = power.squareRoot() / gain
    #expect(
      abs(rms - element.rms[place]) < 1e-5 + 1e-4 * rms,
      "\(name), element \(element.id), \(element.channels[place]): \(rms)")
  }

  /// Labels of an element's planes, by the loudspeakers and names of the programme.
  private func labels(
    _ programme: Programme, from plane: Int, _ wanted: IAMFExpectation.Element
  ) -> [String] {
    var (place, labels) = (0, [String]())
    for element in programme.elements {
      defer { place += element.planes }
      guard place >= plane, labels.count < wanted.channels.count else { continue }
      switch element {
      case .scene: labels += (0..<element.planes).map { "ACN\($0)" }
      case .object(let name, _): labels.append(name ?? "")
      case .bed(let layout):
        labels += layout.speakers.map { speaker in
          IAMFComparison.names[speaker]?.first { wanted.channels.contains($0) } ?? "none"
        }
      }
    }
    return labels
  }

  private static let names: [Speaker: [String]] = [
    .frontLeft: ["L", "FLc"], .frontRight: ["R", "FRc"], .frontCenter: ["C", "FC"],
    .lowFrequency: ["LFE", "LFE1"], .sideLeft: ["Ls", "Lss", "SiL"],
    .sideRight: ["Rs", "Rss", "SiR"], .backLeft: ["Lrs", "BL"], .backRight: ["Rrs", "BR"],
    .topFrontLeft: ["Ltf", "TpFL"], .topFrontRight: ["Rtf", "TpFR"],
    .topBackLeft: ["Ltb", "Ltr", "TpBL"], .topBackRight: ["Rtb", "Rtr", "TpBR"],
    .topSideLeft: ["TpSiL"], .topSideRight: ["TpSiR"], .wideLeft: ["FL"], .wideRight: ["FR"],
  ]
}
