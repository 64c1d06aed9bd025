import AudioCore
import LibAV
import MediaIn
import Report

/// Turns an opened track into its part of a report.
enum InputFacts {
  static func report(_ job: RenderJob, _ chain: SourceChain) -> RenderReport.Input {
    report(path: job.input.name, media: chain.media, reader: chain.reader)
  }

  static func report(path: String, media: MediaFile, reader: AudioTrackReader)
    -> RenderReport.Input
  {
    let stream = reader.stream
    return RenderReport.Input(
      path: path, container: media.formatName, stream: stream.index, codec: stream.codec,
      profile: stream.profile, layout: reader.format.layout.name,
      rate: reader.format.sampleRate, language: stream.language,
      dialnorm: reader.dolby?.dialnorm, drc: reader.dolby?.hasCompression,
      objects: media.objects(of: stream, header: reader.dolby))
  }
}
