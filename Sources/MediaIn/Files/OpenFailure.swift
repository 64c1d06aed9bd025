// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Platform

/// Why libav can't open a file, or the decoder of one of its tracks, in Pinna's own words.
struct OpenFailure {
  let kind: MediaError.Kind
  /// Fault and remedy, to follow the file's path.
  let sentence: String

  private let file: LocalFile
  private let cause: LibAVError

  /// Why the container of `file` can't be opened, by libavformat's `error` and `log`.
  init(container file: LocalFile, _ error: LibAVError, log: String?) {
    self.file = file
    cause = error
    let detail = log.map { " (\($0))" } ?? ""
    (kind, sentence) =
      switch error.meaning {
      case .outOfMemory: OpenFailure.memory(file)
      // libav reports this error for some damaged headers, too. The disk is at fault only when the last byte
      // can't be read either.
      case .inputOutput where file.bytes(at: file.size - 1, count: 1).isEmpty:
        (.inputUnreadable, "reading failed; check the disk")
      case .unsupported:
        (
          .unsupportedFeature,
          "uses what this libavformat doesn't read\(detail); convert the file"
        )
      default:
        (
          .inputUnreadable,
          OpenFailure.otherFormat(file)
            ?? "is not a media file Pinna can read, or its header is damaged\(detail); "
            + "check it with ffprobe"
        )
      }
  }

  /// Why the decoder of `codec`, of a track of `file`, can't be opened, by libavcodec's `error` and `log`.
  init(decoder codec: String, of file: LocalFile, _ error: LibAVError, log: String?) {
    self.file = file
    cause = error
    let detail = log ?? "libav: \(error)"
    (kind, sentence) =
      switch error.meaning {
      case .outOfMemory: OpenFailure.memory(file)
      case .noDecoder:
        (
          .unsupportedCodec,
          "no decoder for \(codec) in this libavcodec; choose another track with \(setting: .track)"
        )
      case .unsupported:
        (
          .unsupportedFeature,
          "its \(codec) uses what this libavcodec can't decode (\(detail)); "
            + "choose another track with \(setting: .track)"
        )
      default:
        (
          .damaged,
          "its header states what can't be true of \(codec) (\(detail)); give an intact copy"
        )
      }
  }

  /// The failure as users see it.
  var error: MediaError { MediaError(kind, about: file.path, sentence, cause: cause) }

  /// Tries `body` once more when memory ran out, since the shortage may be brief. A header that asks for too much fails twice.
  static func again<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as LibAVError where error.meaning == .outOfMemory {
      return try body()
    }
  }

  /// The last line of libav's log on this thread that says what is wrong.
  static var log: String? {
    LibAVLog.threadLines.last { line in
      // Advice to programmers, and a list of names that tells users nothing.
      !["whitelist", "is not implemented. Update", "upload a sample"].contains(where: line.contains)
    }
  }

  /// Out of memory: the header is at fault when more is free than any honest file of this size needs.
  private static func memory(_ file: LocalFile) -> (MediaError.Kind, String) {
    // libavformat holds 24 bytes or fewer for each of a table's entries, which take four bytes in the file or more: six bytes for each
    // of the file's, and two in reserve. Below 16 MiB no table counts; of a file beyond 128 MiB only a part is tables.
    let need = max(16 << 20, 8 * min(file.size, 1 << 27))
    guard ProcessMemory.canHold(Int(need)) else {
      return (.outOfResources, "not enough memory to open it; try again")
    }
    return (
      .inputUnreadable,
      "its header asks for more memory than a file of \(file.size) bytes can need; "
        + "give an intact copy"
    )
  }

  /// Description of a file that libavformat knows and Pinna doesn't read.
  private static func otherFormat(_ file: LocalFile) -> String? {
    if PlaylistLine.beginsPlaylist(file.bytes(at: 0, count: PlaylistLine.headLength)) {
      return
        "is a playlist, which has to be given by a name that ends in .m3u8; rename it"
    }
    guard let guess = InputContext.guess(file), ContainerTraits.read(by: guess.names) == nil else {
      return nil
    }
    return
      "its bytes look like “\(guess.title)”, which is none of the formats that Pinna reads; convert it"
  }
}
