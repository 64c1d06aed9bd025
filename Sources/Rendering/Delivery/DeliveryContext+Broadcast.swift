import AudioCore
import MediaOut
import Signal

extension DeliveryContext {
  /// The broadcast extension (EBU Tech 3285) with the delivered levels and the coding history of samples
  /// stored as `encoding`.
  func broadcast(_ encoding: SampleEncoding) -> BroadcastInfo {
    let tags = source.tags
    let levels = output.track.output
    var info = BroadcastInfo(
      description: request.carriage.keepsMetadata
        ? tags["description"] ?? tags["title"] ?? "" : "",
      timeReference: timeReference,
      codingHistory: SourceTags.history(
        tags, format: format, encoding: encoding,
        step: codingStep(gainDB: output.plan.gainDB)))
    info.loudness = levels.integrated
    info.range = levels.range
    info.truePeak = levels.truePeak
    info.momentaryMax = levels.momentaryMax
    info.shortTermMax = levels.shortTermMax
    return info
  }

  /// What this run did to the sound, as a line of the coding history.
  private func codingStep(gainDB: Double) -> String {
    let branch = output.branch.plan
    var fields = ["endpoint=\(branch.endpoint.rawValue)", "codec=\(source.codec)"]
    fields.append("hrtf=\(branch.hrtfID ?? "none")")
    if let made = virtualization { fields.append(made.mark) }
    fields.append("gain=\(Decibels.signedText(gainDB))dB")
    return fields.joined(separator: "; ")
  }

  private var timeReference: UInt64 {
    let source = MediaTime.rescale(
      source.timeReference, by: Int64(format.sampleRate), over: Int64(source.rate))
    // The field counts from midnight and can't be negative. 0 says that no time is known.
    if source > 0, source < output.branch.head {
      log.decide(
        .filterHead, "time reference 0",
        why:
          "the output begins \(output.branch.head - source) samples before midnight, which a broadcast "
          + "WAV file can't state")
    }
    return UInt64(max(0, source - output.branch.head))
  }
}
