/// What a manifest (`pinna.manifest/1`) asks for, before globs are expanded and names worked out.
package struct Manifest: Sendable, Equatable {
  /// One output of a job.
  package struct Output: Sendable, Equatable {
    /// Options that differ from the job's; paths of files are absolute.
    package var options = OptionValues()
    /// Name, relative to the output folder.
    package var name: NameTemplate?
  }

  /// One job; a pattern as its input makes it several.
  package struct Job: Sendable, Equatable {
    /// Its id; `nil` takes the input's path.
    package var id: String?
    /// File, pattern or URL as it is written.
    package var input = ""
    /// Options that differ from the manifest's; paths of files are absolute.
    package var options = OptionValues()
    /// Outputs; empty means one.
    package var outputs: [Output] = []
    /// Name for outputs that have none of their own.
    package var name: NameTemplate?
    /// Name of the album it belongs to.
    package var album: String?
    /// Folder of the golden that the outputs must agree with.
    package var golden: String?
    /// Line in the manifest.
    package var line: Int?
  }

  /// Value of `schema`.
  package static let schema = "pinna.manifest/1"

  /// Folder that inputs are relative to.
  package var folder: String
  /// Options of all jobs; paths of files are absolute.
  package var defaults = OptionValues()
  /// Name for outputs that have none of their own.
  package var name: NameTemplate?
  /// The jobs.
  package var jobs: [Job] = []

  /// A manifest without jobs.
  package init(folder: String) { self.folder = folder }
}
