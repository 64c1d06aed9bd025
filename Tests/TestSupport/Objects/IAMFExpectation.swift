// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Another decoder's result for a file of IAMF: for one beside the checkout, or for one that a test makes.
package struct IAMFExpectation {
  /// An element of a mix.
  package struct Element {
    /// Its number.
    package let id: Int
    /// Names of its channels.
    package let channels: [String]
    /// Its gain times that of the sum; `nil` where these move.
    package let gain: Double?
    /// RMS of each channel over the whole programme, without gains.
    package let rms: [Double]
    fileprivate let scale: Double
    /// Paths of its channels.
    fileprivate let files: [String]
    /// Path of its gain times that of the sum, at each sample; `nil` where only few are known.
    fileprivate let gainFile: String?

    /// Its channels without gains.
    private func planes() throws -> [[Float]] {
      var all: [[Float]] = []
      for file in files {
        // FLAC holds at most eight channels.
        let left = channels.count - all.count
        let count = file.hasSuffix(".f32") ? left : min(8, left)
        let samples = try Element.samples(file)
        all += (0..<count).map { channel in
          stride(from: channel, to: samples.count, by: count).map {
            samples[$0] / Float(scale)
          }
        }
      }
      return all
    }

    /// Its channels at the gains of the mix; `nil` where these move and only few of their values are known.
    package func mixedPlanes() throws -> [[Float]]? {
      if let gainFile {
        let gains = try Element.samples(gainFile)
        return try planes().map { plane in zip(plane, gains).map { $0 * $1 } }
      }
      guard let gain else { return nil }
      return try planes().map { plane in plane.map { $0 * Float(gain) } }
    }

    /// The interleaved samples of a file: Float32 as they are, the rest by ffmpeg.
    private static func samples(_ path: String) throws -> [Float] {
      guard !path.hasSuffix(".f32") else {
        return Signals.floats(try Data(contentsOf: URL(fileURLWithPath: path)))
      }
      let found = try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-f", "f32le", "-"])
      return Signals.floats(found.output)
    }
  }

  /// A mix.
  package struct Mix {
    /// Its number.
    package let id: Int
    /// Its elements, in the mix's order.
    package let elements: [Element]
    /// A file with its rendering to stereo, and what that is multiplied by.
    package let stereo: (path: String, scale: Double)
    /// The loudness that the file states for each layout, LUFS.
    package let stated: [(layout: String, integrated: Double)]
  }

  /// Path of the file.
  package let path: String
  /// Samples.
  package let presented: Int
  /// Samples a second.
  package let rate: Int
  /// Whether the codec gives back what was encoded.
  package let isLossless: Bool
  /// Its mixes.
  package let mixes: [Mix]

  /// Folder of the files beside the checkout.
  private static let shared = SharedMedia.beside("iamf") ?? "/nowhere"
  /// Folder of the decoder and of the maker of synthetic files.
  package static let tools = shared + "/oracle"

  /// Whether the files are there.
  package static var isPresent: Bool { SharedMedia.beside("iamf") != nil }

  private static func all(_ folder: String) -> [String: [String: Any]] {
    let data = try? Data(contentsOf: URL(fileURLWithPath: folder + "/oracle/expected.json"))
    let json = data.flatMap { try? JSONSerialization.jsonObject(with: $0) }
    return json as? [String: [String: Any]] ?? [:]
  }

  /// Names of all files beside the checkout.
  package static var names: [String] { all(shared).keys.sorted() }

  /// Path of a file beside the checkout.
  package static func media(_ name: String) -> String { shared + "/media/" + name }

  /// Expectations of the files in `folder`, which has the folders `media` and `oracle`.
  package static func files(in folder: String) throws -> [IAMFExpectation] {
    let facts = all(folder)
    return try facts.keys.sorted().map { try IAMFExpectation($0, facts[$0], folder) }
  }

  /// Expectation of the file `name` beside the checkout.
  package init(_ name: String) throws {
    let folder = IAMFExpectation.shared
    self = try IAMFExpectation(name, IAMFExpectation.all(folder)[name], folder)
  }

  private init(_ name: String, _ facts: [String: Any]?, _ folder: String) throws {
    guard let facts, let elements = facts["elements"] as? [String: [String: Any]],
      let mixes = facts["mixes"] as? [String: [String: Any]]
    else { throw ToolFailure(text: "nothing is known of \(name)") }
    path = folder + "/media/" + name
    presented = facts["presented"] as? Int ?? 0
    rate = facts["rate"] as? Int ?? 0
    isLossless = ["fLaC", "ipcm"].contains(facts["codec"] as? String ?? "")
    self.mixes = mixes.keys.sorted().map { id in
      let mix = mixes[id] ?? [:]
      let gains = mix["gain_first_middle_last"] as? [String: [Double]] ?? [:]
      let gainFiles = mix["gain_files"] as? [String: String] ?? [:]
      let sum = gains["out"] ?? []
      return Mix(
        id: Int(id) ?? 0,
        elements: gains.keys.compactMap(Int.init).sorted().map { number in
          let own = gains[String(number)] ?? []
          let element = elements[String(number)] ?? [:]
          let files = element["files"] as? [String] ?? []
          let rests = Set(own).count == 1 && Set(sum).count == 1
          return Element(
            id: number, channels: element["channels"] as? [String] ?? [],
            gain: rests ? own[0] * sum[0] : nil, rms: element["rms"] as? [Double] ?? [],
            scale: element["scale_of_flac"] as? Double ?? 1,
            files: files.map { folder + "/oracle/" + $0 },
            gainFile: gainFiles[String(number)].map { folder + "/oracle/" + $0 })
        },
        stereo: (
          folder + "/oracle/" + (mix["stereo_file"] as? String ?? ""),
          mix["scale_of_flac"] as? Double ?? 1
        ),
        stated: (mix["stated"] as? [[String: Any]] ?? []).map { layout in
          let names = [0: "stereo", 9: "7.1.4", 13: "9.1.6"]
          return (
            names[layout["sound_system"] as? Int ?? -1] ?? "unknown",
            layout["integrated_loudness"] as? Double ?? .nan
          )
        })
    }
  }
}
