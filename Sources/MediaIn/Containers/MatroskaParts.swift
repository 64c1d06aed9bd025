import LibAV
import Platform

/// The head of a Matroska file: contents of its elements Info, Tracks and Chapters (RFC 9559, 4.5).
struct MatroskaParts {
  private enum ID {
    static let seekHead: UInt32 = 0x114D_9B74
    static let info: UInt32 = 0x1549_A966
    static let tracks: UInt32 = 0x1654_AE6B
    static let chapters: UInt32 = 0x1043_A770
    static let cluster: UInt32 = 0x1F43_B675
  }

  /// Elements in front of the first cluster that are looked at; files have a handful.
  private static let mostElements = 200
  /// Bytes of an element that is read whole; chapters have some kilobytes.
  private static let largest = 4 << 20

  private(set) var info: ArraySlice<UInt8> = []
  private(set) var tracks: ArraySlice<UInt8> = []
  /// Chapters, which may lie after the clusters.
  private(set) var chapters: ArraySlice<UInt8> = []

  /// The head of `file`; `nil` for other containers.
  init?(_ file: LocalFile) {
    guard let start = MatroskaSegment.start(head: file.bytes(at: 0, count: 4096)) else {
      return nil
    }
    func content(_ offset: Int64, _ head: MatroskaElement.Head) -> ArraySlice<UInt8> {
      guard let size = head.size, size <= MatroskaParts.largest else { return [] }
      return file.bytes(at: offset + Int64(head.length), count: size)[...]
    }
    func head(_ offset: Int64) -> MatroskaElement.Head? {
      MatroskaElement.Head(file.bytes(at: offset, count: MatroskaElement.Head.longest)[...])
    }
    var places: [Int64] = []
    var offset = Int64(start)
    for _ in 0..<MatroskaParts.mostElements {
      guard let head = head(offset), head.id != ID.cluster, let size = head.size else { break }
      switch head.id {
      case ID.info: info = content(offset, head)
      case ID.tracks: tracks = content(offset, head)
      case ID.chapters: chapters = content(offset, head)
      case ID.seekHead: places += MatroskaParts.places(content(offset, head))
      default: break
      }
      offset += Int64(head.length) + Int64(size)
    }
    for place in places where chapters.isEmpty {
      let (offset, isTooLarge) = place.addingReportingOverflow(Int64(start))
      guard !isTooLarge, offset < file.size, let head = head(offset), head.id == ID.chapters else {
        continue
      }
      chapters = content(offset, head)
    }
  }

  /// The place of the chapters by a SeekHead, from the beginning of the segment's content on (5.1.1).
  private static func places(_ content: ArraySlice<UInt8>) -> [Int64] {
    MatroskaElement.all(in: content).filter { $0.id == 0x4DBB }.compactMap { seek in
      let fields = MatroskaElement.all(in: seek.body)
      guard fields.first(where: { $0.id == 0x53AB })?.number == UInt64(ID.chapters) else {
        return nil
      }
      return fields.first { $0.id == 0x53AC }?.number.flatMap { Int64(exactly: $0) }
    }
  }

  /// The streams of a file with the languages that its tracks state by tags of BCP 47 (5.1.4.1.20), of which libavformat 59 knows
  /// nothing. Streams of a kind of which there are more or fewer than tracks keep theirs.
  func named(_ streams: [StreamInfo]) -> [StreamInfo] {
    let entries = MatroskaElement.all(in: tracks).filter { $0.id == 0xAE }
      .map { MatroskaElement.all(in: $0.body) }
    var streams = streams
    for (kind, type) in [(StreamInfo.Kind.video, 1), (.audio, 2), (.subtitle, 17)] {
      let own = streams.indices.filter { streams[$0].kind == kind }
      let stated = entries.filter { $0.first { $0.id == 0x83 }?.number == UInt64(type) }
      guard own.count == stated.count else { continue }
      for (index, fields) in zip(own, stated) {
        guard let tag = fields.first(where: { $0.id == 0x22B59D }) else { continue }
        streams[index].stateLanguage(
          String(decoding: tag.body.prefix { $0 != 0 }, as: UTF8.self))
      }
    }
    return streams
  }
}
