// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials
import Loudness
import MediaOut
import Rendering
import Report
import Signal

/// The outputs that a dry run would write, as lines of its summary.
struct PlannedOutputs {
  let report: RenderReport
  /// Names of the outputs as they were asked for.
  let names: [String]

  /// Lines for each output: its endpoint, its level and its file.
  var lines: [LabelledLine] {
    let plan = report.plan.flatMap(PlannedOutputs.plan)
    return names.enumerated().flatMap { index, name -> [LabelledLine] in
      guard
        let branch = plan.flatMap({ $0.branches.indices.contains(index) ? $0.branches[index] : nil }
        )
      else {
        return [LabelledLine(label: "output", text: "would write \(name), coded frames copied")]
      }
      let render = report.planned.flatMap { $0.indices.contains(index) ? $0[index] : nil }
      let more = branch.files.filter { $0 != name }
      let file = "would write \(name): \(PlannedOutputs.form(of: branch.container))"
      return
        (render.map { [LabelledLine(label: "endpoint", text: Summary.endpoint($0, of: report))] }
        ?? [])
        + [
          LabelledLine(label: "loudness", text: PlannedOutputs.level(branch.level)),
          LabelledLine(
            label: "output", text: ([file] + more).joined(separator: ", and "), tone: .done),
        ]
    }
  }

  /// The plan in a report's JSON.
  private static func plan(_ json: JSONValue) -> RenderPlan? {
    guard let text = try? JSONEncoder().encode(json) else { return nil }
    return try? JSONDecoder().decode(RenderPlan.self, from: text)
  }

  private static func level(_ target: LoudnessTarget?) -> String {
    guard let target else { return "would stay as it is" }
    let peak = "\(Decibels.text(target.truePeak)) dBTP"
    let level = "\(Decibels.text(target.integrated)) LUFS"
    let held =
      switch target.peakPolicy {
      case .limit: ", a limiter holding the true peak at \(peak)"
      case .lower: ", or lower so that the true peak stays at \(peak)"
      case .fail: ", unless the true peak passes \(peak)"
      case .ignore: ", whatever the true peak"
      }
    let what = target.anchor == .dialogue ? "the dialogue would become " : "would become "
    return what + level + held
  }

  /// The container with its codec, and the bits or the bit rate.
  private static func form(of container: Container) -> String {
    let coding = container.coding
    let kind = coding.iamf == nil ? container.kind.traits.name : ContainerTraits.iamf.name
    var parts = [kind]
    let codec = name(of: coding.codec)
    if coding.codec != .pcm, codec != kind { parts[0] += " with \(codec)" }
    if let bits = coding.encoding.integerBits, coding.codec.isLossless {
      parts.append("\(bits) bits")
    } else if coding.codec.isLossless {
      parts.append("32-bit floats")
    }
    if let rate = coding.bitRate { parts.append("\(rate / 1000) kbit/s") }
    return parts.joined(separator: ", ")
  }

  private static func name(of codec: AudioEncoding) -> String {
    switch codec {
    case .ac3: "AC-3"
    case .eac3: "E-AC-3"
    case .opus: "Opus"
    case .aac, .flac, .alac, .mp3, .pcm: codec.rawValue.uppercased()
    }
  }
}
