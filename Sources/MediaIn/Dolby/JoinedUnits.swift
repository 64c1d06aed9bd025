import AC4

/// The frames of an AC-4 track, of which those that hold parts of one codec frame are joined
/// (``AC4FrameJoiner``). Other tracks come out as they are.
///
/// Where a part is missing or damaged, the whole codec frame counts as damaged, and lasts as long.
final class JoinedUnits: AccessUnitSource {
  private let source: any AccessUnitSource
  /// A unit that was read to find out where the one before ends.
  private var held: AccessUnit?
  /// Parts of a codec frame, as the last frame that could be read says; 1 before that.
  private var fraction = 1

  /// Tools that the frames so far needed and that no real stream has proved.
  var unverified: AC4UnverifiedTools { fraction > 1 ? .spreadFrames : [] }

  /// The frames of `source`.
  init(_ source: any AccessUnitSource) { self.source = source }

  var timescale: Int64 { source.timescale }
  var origin: (ticks: Int64, rate: Int64) { source.origin }

  /// The next frame; `nil` behind the last.
  /// - Throws: as the source does, and ``MediaError`` for presentations that are spread differently.
  func next() throws -> AccessUnit? {
    var parts: [AccessUnit] = []
    // Whether each part is where it belongs.
    var isWhole = true
    while parts.isEmpty || parts.count < fraction {
      guard let unit = try take() else { break }
      let part = unit.isDamaged ? nil : try? AC4FrameJoiner.part(rawFrame: unit.data)
      if let part { fraction = part.fraction }
      // What can't be read goes through, so that the decoder says what is wrong with it.
      guard fraction > 1 else { return unit }
      if let part, part.position == 0, !parts.isEmpty {
        held = unit
        break
      }
      isWhole = isWhole && part?.position == parts.count
      parts.append(unit)
    }
    guard let first = parts.first else { return nil }
    let data = isWhole && parts.count == fraction ? try join(parts) : nil
    return AccessUnit(
      data: data ?? first.data, time: first.time,
      duration: parts.reduce(0) { $0 + $1.duration }, isSync: first.isSync && data != nil,
      isDamaged: data == nil)
  }

  /// The frame that all parts make up; `nil` where they don't belong together.
  private func join(_ parts: [AccessUnit]) throws -> [UInt8]? {
    do {
      return try AC4FrameJoiner.join(parts.map(\.data))
    } catch {
      guard error.isUnsupported else { return nil }
      throw error.mediaError
    }
  }

  private func take() throws -> AccessUnit? {
    if let unit = held {
      held = nil
      return unit
    }
    return try source.next()
  }
}
