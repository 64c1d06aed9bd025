import Foundation

/// What another decoder makes of a file of IAMF beside the checkout.
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
    fileprivate let files: [String]

    /// Its channels, by ffmpeg, without gains.
    package func planes() throws -> [[Float]] {
      var all: [[Float]] = []
      for file in files {
        let count = min(8, channels.count - all.count)
        let data = try Tool.run(
          "ffmpeg",
          ["-v", "error", "-i", IAMFExpectation.folder + "/oracle/" + file, "-f", "f32le", "-"]
        ).output
        let samples = Signals.floats(data)
        all += (0..<count).map { channel in
          stride(from: channel, to: samples.count, by: count).map {
            samples[$0] / Float(scale)
          }
        }
      }
      return all
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

  /// Samples.
  package let presented: Int
  /// Samples a second.
  package let rate: Int
  /// Whether the codec gives back what was encoded.
  package let isLossless: Bool
  /// Its mixes.
  package let mixes: [Mix]

  /// Folder of the files.
  fileprivate static let folder = SharedMedia.beside("iamf") ?? "/nowhere"

  /// Whether the files are there.
  package static var isPresent: Bool { SharedMedia.beside("iamf") != nil }

  private static func all() -> [String: [String: Any]] {
    let data = try? Data(contentsOf: URL(fileURLWithPath: folder + "/oracle/expected.json"))
    let json = data.flatMap { try? JSONSerialization.jsonObject(with: $0) }
    return json as? [String: [String: Any]] ?? [:]
  }

  /// Names of all files.
  package static var names: [String] { all().keys.sorted() }

  /// Path of a file.
  package static func media(_ name: String) -> String { folder + "/media/" + name }

  /// What is expected of the file `name`.
  package init(_ name: String) throws {
    guard let facts = IAMFExpectation.all()[name],
      let elements = facts["elements"] as? [String: [String: Any]],
      let mixes = facts["mixes"] as? [String: [String: Any]]
    else { throw ToolFailure(text: "nothing is known of \(name)") }
    presented = facts["presented"] as? Int ?? 0
    rate = facts["rate"] as? Int ?? 0
    isLossless = ["fLaC", "ipcm"].contains(facts["codec"] as? String ?? "")
    self.mixes = mixes.keys.sorted().map { id in
      let mix = mixes[id] ?? [:]
      let gains = mix["gain_first_middle_last"] as? [String: [Double]] ?? [:]
      let sum = gains["out"] ?? []
      return Mix(
        id: Int(id) ?? 0,
        elements: gains.keys.compactMap(Int.init).sorted().map { number in
          let own = gains[String(number)] ?? []
          let element = elements[String(number)] ?? [:]
          let rests = Set(own).count == 1 && Set(sum).count == 1
          return Element(
            id: number, channels: element["channels"] as? [String] ?? [],
            gain: rests ? own[0] * sum[0] : nil, rms: element["rms"] as? [Double] ?? [],
            scale: element["scale_of_flac"] as? Double ?? 1,
            files: element["files"] as? [String] ?? [])
        },
        stereo: (
          IAMFExpectation.folder + "/oracle/" + (mix["stereo_file"] as? String ?? ""),
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
