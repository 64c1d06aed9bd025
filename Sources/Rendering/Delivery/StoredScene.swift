import ADM
import AudioCore
import MediaIn
import Platform

/// A written file as its metadata describe it, track by track.
struct StoredScene {
  /// The file as any reader gets it.
  let source: TrackSource
  /// What each track of the file holds.
  let contents: [PlaneContent]
  private let scene: ObjectScene
  /// The plane that plays each track.
  private let planes: [Int]
  private let target: OutputTarget

  /// Reads the metadata of `target`.
  /// - Throws: ``MediaError`` of kind `verification-failed` when the file can't be read, or when its metadata
  ///   don't play every track once, as it is.
  init(_ target: OutputTarget) throws {
    self.target = target
    do {
      let file = try target.openedFile()
      source = try TrackSource(
        input: MediaInput(file: file), decoding: InputOptions(), log: DiagnosticLog())
      guard let scene = try ObjectScene(file, ObjectOptions()) else {
        throw MediaError(.damaged, "it has no audio definition metadata")
      }
      self.scene = scene
    } catch let error as MediaError {
      throw target.unlike("it can't be read: \(error.message)")
    }
    let contents = PlaneContent.list(source.programme)
    guard let planes = StoredScene.planes(of: scene), planes.count == contents.count else {
      throw target.unlike("its metadata don't play every track once, as it is")
    }
    self.planes = planes
    self.contents = planes.map { contents[$0] }
  }

  /// What is described.
  var programme: Programme { source.programme }

  /// Samples of each track.
  var frames: Int64 { scene.container.file.frames }

  /// What the object in `track` does; nothing where there is none.
  /// - Throws: ``MediaError`` of kind `verification-failed` for times that can't be added.
  func updates(of track: Int) throws -> [ObjectUpdate] {
    let plane = planes[track]
    guard var timeline = scene.layout.timelines.first(where: { $0.plane == plane })?.timeline
    else { return [] }
    var updates = [ObjectUpdate(plane: track, at: 0, state: timeline.start)]
    do {
      while let event = try timeline.advance() {
        updates.append(ObjectUpdate(plane: track, at: event.at, motion: event.motion))
      }
    } catch {
      throw target.unlike("\(error)")
    }
    return updates
  }

  /// The plane that plays each track; `nil` unless each plane plays a track of its own at its own level, without
  /// a delay, from the first sample to the last.
  private static func planes(of scene: ObjectScene) -> [Int]? {
    let frames = scene.container.file.frames
    let played =
      scene.bed?.tracks
      ?? scene.layout.planes.compactMap { plane in
        guard plane.terms.terms.count == 1, let term = plane.terms.terms.first, term.gain == 1,
          term.delay == 0, plane.gain == 1, plane.range.lowerBound <= 0,
          plane.range.upperBound >= frames
        else { return nil }
        return term.track
      }
    let tracks = scene.container.file.format.channels
    guard played.count == tracks, Set(played) == Set(0..<tracks) else { return nil }
    return (0..<tracks).compactMap { played.firstIndex(of: $0) }
  }
}
