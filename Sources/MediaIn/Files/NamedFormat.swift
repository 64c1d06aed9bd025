import AudioCore
import LibAV
import Platform

/// Opens a file of bare frames as what its name promises. libavformat asks for many frames before it believes its own
/// eyes, so a stream of a few is nothing to it, or MP3.
enum NamedFormat {
  /// Packets that are tried before the first frame comes.
  private static let tried = 16

  /// The container that the extension of the file's name promises, where the file begins with a frame of it; `nil` for
  /// everything else.
  static func open(
    _ file: LocalFile, _ options: [String: String]
  ) -> (context: InputContext, format: ContainerTraits)? {
    for format in promised(by: file.path) where format.input?.clock == .counted {
      for demuxer in format.input?.demuxers ?? [] {
        let open = {
          try InputContext(file: file, as: demuxer, allowed: [demuxer], options: options)
        }
        // Looking at the frame moves on, so the container is opened a second time.
        if let look = try? open(), begins(look, at: ID3Tag.length(in: file)),
          let context = try? open()
        {
          return (context, format)
        }
      }
    }
    return nil
  }

  /// The containers that the extension of `name` stands for.
  static func promised(by name: String) -> [ContainerTraits] {
    guard let dot = name.lastIndex(of: "."), !name[dot...].contains("/") else { return [] }
    return ContainerTraits.promised(by: name[name.index(after: dot)...].lowercased())
  }

  /// Whether the first packet lies at byte `start` and an intact frame comes of it. Demuxers of bare frames take any
  /// bytes for some.
  private static func begins(_ context: InputContext, at start: Int64) -> Bool {
    guard let stream = context.streams.first(where: { $0.kind == .audio }) else { return false }
    do {
      let (packet, frame) = (try Packet(), try Frame())
      let decoder = try context.makeDecoder(stream: stream.index, options: stream.decoderOptions)
      for index in 0..<tried {
        guard try context.read(into: packet) else { break }
        guard index > 0 || packet.position == start else { return false }
        try decoder.send(packet)
        if try decoder.receive(into: frame) { return frame.frames > 0 && !frame.isDamaged }
      }
      try decoder.send(nil)
      return try decoder.receive(into: frame) && frame.frames > 0 && !frame.isDamaged
    } catch { return false }
  }
}
