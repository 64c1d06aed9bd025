import Spatial

/// The surroundings of a run. They are no part of the request, because they don't change what is
/// rendered.
public struct RenderEnvironment: Sendable {
  /// Folder that keeps what was read of SOFA files; `nil` keeps nothing.
  public var cacheFolder: String?
  /// Folder that keeps what trials of plugins showed; `nil` keeps nothing.
  public var tapFolder: String?
  /// Where SOFA files are parsed. A program that must survive malicious files gives a reading that
  /// parses them in another process.
  public var sofaReading = SOFAReading.inProcess
  /// How programs of the user's are started.
  package var programs = ProgramLauncher()

  /// No cache, no separate process for SOFA files.
  public init() {}
}
