import AudioCore
import LibAV
import Platform

/// Reads the pictures of a surveyed video track in decoding order, without decoding them.
package final class VideoTrackReader {
  private let survey: VideoSurvey
  private let media: MediaFile
  private let framing: NALFraming
  private let packet: Packet
  private var clock: DecodeClock
  private var index = 0

  /// Opens the file a second time, so that pictures and sound can be read independently.
  /// - Throws: ``MediaError`` as ``MediaFile`` does.
  package init(file: LocalFile, survey: VideoSurvey, options: InputOptions) throws {
    self.survey = survey
    media = try MediaFile(file: file, options: options)
    media.container?.select(streams: [survey.stream.index])
    framing = NALFraming(
      codec: survey.stream.codec, extradata: survey.stream.extradata, entry: survey.entry)
    packet = try Packet()
    clock = DecodeClock(stream: survey.stream)
  }

  /// The next picture; `nil` behind the last.
  /// - Throws: ``MediaError`` when the file holds fewer packets than the survey found, or other ones.
  package func next() throws -> CodedPicture? {
    while index < survey.skipped + survey.count {
      guard try read() else {
        throw MediaError(
          .inputUnreadable, about: media.file.path, "its video ends early; was the file changed?")
      }
      guard packet.streamIndex == survey.stream.index else { continue }
      index += 1
      let times = try clock.times(of: packet)
      guard index > survey.skipped else { continue }
      return CodedPicture(
        data: try framing.sample(packet.bytes()), decodeTime: times.decode,
        presentationTime: times.shown,
        duration: packet.duration, isKey: packet.isKey)
    }
    return nil
  }

  private func read() throws -> Bool {
    do { return try media.opened().read(into: packet) } catch is LibAVError { return false }
  }
}
