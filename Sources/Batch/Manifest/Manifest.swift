/// What a manifest (`pinna.manifest/1`) asks for, before globs are expanded and names worked out.
public struct Manifest: Sendable, Equatable {
  /// One output of a job.
  public struct Output: Sendable, Equatable {
    /// Options that differ from the job's; paths of files are absolute.
    public var options = OptionValues()
    /// Name, relative to the output folder.
    public var name: NameTemplate?
  }

  /// One job; a pattern as its input makes it several.
  public struct Job: Sendable, Equatable {
    /// Its id; `nil` takes the input's path.
    public var id: String?
    /// File, pattern or URL as it is written.
    public var input = ""
    /// Options that differ from the manifest's; paths of files are absolute.
    public var options = OptionValues()
    /// Outputs; empty means one.
    public var outputs: [Output] = []
    /// Name for outputs that have none of their own.
    public var name: NameTemplate?
    /// Name of the album it belongs to.
    public var album: String?
    /// Folder of the golden that the outputs must agree with.
    public var golden: String?
    /// Line in the manifest.
    public var line: Int?
  }

  /// Value of `schema`.
  public static let schema = "pinna.manifest/1"

  /// Folder that inputs are relative to.
  public var folder: String
  /// Options of all jobs; paths of files are absolute.
  public var defaults = OptionValues()
  /// Name for outputs that have none of their own.
  public var name: NameTemplate?
  /// The jobs.
  public var jobs: [Job] = []

  /// A manifest without jobs.
  public init(folder: String) { self.folder = folder }
}
