import AudioCore
import JOC

/// Reports where the objects of a track are missing, and what else was found in their metadata.
struct MissingObjects {
  /// Stretches that get a sentence of their own.
  private static let listed = 10

  private let format: AudioFormat
  private let log: DiagnosticLog
  /// The stretch that goes on: its first sample, and why.
  private var open: (start: Int64, reason: JOCDecoder.Lack)?
  private var stretches = 0

  init(_ format: AudioFormat, _ log: DiagnosticLog) { (self.format, self.log) = (format, log) }

  /// Notes what the decoder lacks in the block of `frames` samples that ends with sample `end`; `nil` for nothing.
  mutating func note(_ lack: JOCDecoder.Lack?, until end: Int64, frames: Int) {
    let start = end - Int64(frames)
    guard let lack else { return close(at: start) }
    // The reason changes where another programme follows lost units; it is still one stretch.
    open = (open?.start ?? start, lack)
  }

  /// Reports everything at the end of the track, sample `end`.
  mutating func close(_ findings: JOCDecoder.Findings, at end: Int64) {
    close(at: end)
    if stretches > MissingObjects.listed {
      log.degrade(
        .objectsMissing,
        "\(stretches - MissingObjects.listed) more stretches have no objects; the \(format.layout) "
          + "downmix is heard there")
    }
    if findings.heldCoefficients > 0 {
      log.degrade(
        .objectsMissing,
        "\(findings.heldCoefficients) of \(findings.units) access units have no usable coefficients of "
          + "objects; the last ones stay in force for up to half a second")
    }
    let remarks = [
      (findings.heldMetadata, "have no usable metadata of objects; these stay where they were"),
      (findings.inexact, "have payloads that don't end where their syntax says; they were used"),
      (
        findings.breaks,
        "have a number that doesn't follow the one before; units were lost or joined"
      ),
    ]
    for (count, text) in remarks where count > 0 {
      log.degrade(.objectsRepaired, "\(count) of \(findings.units) access units \(text)")
    }
    if findings.programmes > 0 {
      log.decide(
        .objects, "\(findings.programmes + 1) programmes in the same places",
        why: "the stream changes its objects")
    }
    if findings.leavesDivergence {
      log.degrade(
        .objectsRepaired, "objects ask to be spread to two further places, which isn't done")
    }
  }

  private mutating func close(at end: Int64) {
    guard let stretch = open else { return }
    open = nil
    stretches += 1
    guard stretches <= MissingObjects.listed else { return }
    let reason =
      switch stretch.reason {
      case .payloads: "its access units have no usable objects"
      case .otherProgramme: "its access units hold other objects than the ones before"
      case .samples: "its sound doesn't come in access units of 1536 samples"
      }
    log.degrade(
      .objectsMissing,
      "from \(text(stretch.start)) to \(text(end)) the \(format.layout) downmix is heard, because \(reason)"
    )
  }

  private func text(_ samples: Int64) -> String {
    MediaTime(ticks: samples, rate: Int64(format.sampleRate)).description
  }
}
