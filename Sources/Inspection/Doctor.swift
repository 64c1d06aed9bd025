import AudioCore
import LibAV
import Loudness
import Platform
import Rendering
import Signal
import Spatial

/// Checks that an installation can do its work.
package enum Doctor {
  /// One thing that was looked at.
  package struct Finding: Sendable {
    /// What was looked at.
    package let subject: String
    /// Whether it is as it should be.
    package let isHealthy: Bool
    /// Figures, or what is wrong and what to do.
    package let detail: String
  }

  private static let decoders = [
    "aac", "ac3", "eac3", "flac", "alac", "mp3float", "opus", "vorbis", "truehd", "dca", "wavpack",
    "pcm_s24le",
  ]

  /// Checks libraries, decoders, the HRTF set, the meter and the temporary folder.
  package static func examine() -> [Finding] {
    let libraries = LibAVVersion.libraries.map {
      Finding(subject: $0.name, isHealthy: true, detail: $0.version)
    }
    let flags = LibAVVersion.processorFlags.joined(separator: " ")
    return [Finding(subject: "pinna", isHealthy: true, detail: PinnaVersion.text)] + libraries
      + [
        Finding(subject: "processor", isHealthy: true, detail: flags.isEmpty ? "plain" : flags),
        decoderFinding(), hrtfFinding(), meterFinding(), temporaryFinding(),
      ]
  }

  private static func decoderFinding() -> Finding {
    let missing = decoders.filter { !LibAVVersion.hasDecoder($0) }
    return Finding(
      subject: "decoders", isHealthy: missing.isEmpty,
      detail: missing.isEmpty
        ? "\(decoders.count) of \(decoders.count)"
        : "missing \(missing.joined(separator: ", ")); install a full libavcodec")
  }

  private static func hrtfFinding() -> Finding {
    do {
      let set = try HRTFSet.builtIn()
      return Finding(
        subject: "HRTF set", isHealthy: true,
        detail: "\(set.id), \(set.directionCount) directions, \(set.tapCount) taps")
    } catch {
      return Finding(subject: "HRTF set", isHealthy: false, detail: "\(error)")
    }
  }

  /// A 997 Hz sine of amplitude 0.1 (−20 dBFS) in both channels measures −20 LUFS (EBU Tech 3341).
  private static func meterFinding() -> Finding {
    let format = AudioFormat(sampleRate: 48_000, layout: .stereo)
    let buffer = AudioBuffer(channels: 2)
    buffer.grow(by: 96_000)
    for channel in 0..<2 {
      let plane = buffer.channel(channel)
      for index in 0..<plane.count {
        plane[index] = Float(0.1 * sin(2 * Double.pi * 997 * Double(index) / 48_000))
      }
    }
    do {
      let meter = try LoudnessMeter(format: format)
      try meter.add(buffer)
      let level = meter.measurement().integrated ?? 0
      return Finding(
        subject: "loudness meter", isHealthy: (level + 20).magnitude < 0.1,
        detail: "reference tone measures \(Decibels.text(level)) LUFS, wanted -20.00")
    } catch {
      return Finding(subject: "loudness meter", isHealthy: false, detail: "\(error)")
    }
  }

  private static func temporaryFinding() -> Finding {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
    do {
      close(try JobFiles.unlinkedFile())
      return Finding(subject: "temporary files", isHealthy: true, detail: folder)
    } catch {
      return Finding(
        subject: "temporary files", isHealthy: false,
        detail: "\(folder) can't be written; set TMPDIR to a folder that can")
    }
  }
}
