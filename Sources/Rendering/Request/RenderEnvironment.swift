import AudioCore
import Spatial

/// What a run finds around it: no part of the request, because it doesn't change what is rendered,
/// except for the stages that are the caller's own.
public struct RenderEnvironment: Sendable {
  /// Processing of the caller's own, behind the renderer and in front of the meter.
  public struct InsertedStage: Sendable {
    /// What the report calls it.
    public var name: String
    /// Makes a stage; called once for each output.
    public var make: @Sendable () throws -> any AudioStage

    /// A stage called `name`.
    public init(_ name: String, make: @escaping @Sendable () throws -> any AudioStage) {
      self.name = name
      self.make = make
    }
  }

  /// Folder that keeps what was read of SOFA files; `nil` keeps nothing.
  public var cacheFolder: String?
  /// Where SOFA files are parsed. A program that must not die of a hostile file gives a way that
  /// parses it in another process.
  public var sofaReading = SOFAReading.inProcess
  /// Stages of the caller's own, in the order in which the sound passes them.
  public var stages: [InsertedStage] = []

  /// No cache, no process of its own, no stages.
  public init() {}
}
