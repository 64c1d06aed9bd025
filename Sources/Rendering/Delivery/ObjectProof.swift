import AudioCore

/// Reads a written BW64 file as any other input, and compares what its metadata say with what was meant.
///
/// The comparison goes track by track, because readers may put planes into another order. A bed that isn't the
/// whole file comes back as channels for loudspeakers, and channels that are the whole file may come back as
/// a bed; both must be the same channels at full level.
struct ObjectProof {
  let target: OutputTarget
  /// What was written.
  let programme: Programme

  /// Checks the metadata of channels for `layout`.
  /// - Returns: the layout that readers see.
  /// - Throws: ``MediaError`` of kind `verification-failed` when they aren't as meant.
  func layout(_ layout: ChannelLayout) throws -> ChannelLayout {
    let stored = try StoredScene(target)
    try compare(stored, updates: [])
    // A layout that is none of the common definitions comes back as channels.
    guard case .bed(let found)? = stored.programme.elements.first else { return layout }
    return found
  }

  /// Compares what the file's metadata say with `kept`, renders the file as they say, and measures it.
  /// - Throws: ``MediaError`` of kind `verification-failed` when they say something else.
  func levels(_ kept: KeptProgramme, isDualMono: Bool) throws -> SourceLevels {
    let stored = try StoredScene(target)
    try compare(stored, updates: kept.updates)
    let channels = try ChannelSource(stored.source, layout: nil, log: DiagnosticLog())
    return try SourceLevels(channels, isDualMono: isDualMono)
  }

  /// Compares all tracks; `updates` are those that each was written with, none at all for a bed.
  private func compare(_ stored: StoredScene, updates: [[ObjectUpdate]]) throws {
    let wanted = PlaneContent.list(programme)
    guard stored.contents.count == wanted.count else {
      throw target.unlike(
        "its metadata describe \(stored.programme.contents), not \(programme.contents)")
    }
    for track in wanted.indices {
      let found = stored.contents[track]
      switch (wanted[track], found) {
      case (.object, .object):
        let place = MotionCourse.difference(
          of: try stored.updates(of: track), from: updates[track], frames: stored.frames)
        guard let place else { continue }
        throw target.unlike(
          "what it says of the object in track \(track + 1) at sample \(place) isn't what was meant"
        )
      case (.channel(let channel), .object):
        try expect(channel, track, try stored.updates(of: track), frames: stored.frames)
      case (.object, .channel(let channel)):
        try expect(channel, track, updates[track], frames: stored.frames)
      case (let own, _):
        guard own == found else {
          throw target.unlike("its metadata describe track \(track + 1) as \(found), not as \(own)")
        }
      }
    }
  }

  /// Makes sure that an object with `updates` is nothing but `channel` at full level.
  private func expect(
    _ channel: BedChannel, _ track: Int, _ updates: [ObjectUpdate], frames: Int64
  ) throws {
    guard let place = MotionCourse.difference(of: updates, from: channel, frames: frames) else {
      return
    }
    throw target.unlike(
      "track \(track + 1) isn't the channel \(channel.label) at full level at sample \(place)")
  }
}

extension OutputTarget {
  /// The failure of a file whose metadata aren't as meant; `what` tells why.
  func unlike(_ what: String) -> MediaError {
    MediaError(
      .verificationFailed, about: name,
      "the written file isn't as meant: \(what); nothing was kept")
  }
}
