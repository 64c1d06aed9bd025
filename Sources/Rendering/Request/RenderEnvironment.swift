import AudioCore
import Spatial

/// The surroundings of a run. They are no part of the request, because they don't change what is
/// rendered, except for the stages that are the caller's own.
public struct RenderEnvironment: Sendable {
  /// The caller's own processing, after the renderer and before the meter.
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
  /// Where SOFA files are parsed. A program that must survive malicious files gives a reading that
  /// parses them in another process.
  public var sofaReading = SOFAReading.inProcess
  /// The caller's own stages, in the order in which the sound passes them.
  public var stages: [InsertedStage] = []

  /// No cache, no separate process for SOFA files, no stages.
  public init() {}
}
