import AudioCore

/// What is to be found out about the samples that are written.
public struct AnalysisRequest: Sendable, Hashable, Codable {
  /// One kind of look at the sound.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A picture of levels over time and frequency; a PNG file.
    case spectrogram
    /// Peak, RMS and crest of each channel for each 100 ms; the file is CSV.
    case levels
    /// Correlation of left and right and the loss of a mono downmix for each 100 ms; the file is CSV.
    case phase
    /// Runs of silence; the file holds what sounds between them as chapters (.cue, .json, .txt) or the runs (.csv).
    case silence
    /// Where the content ends in frequency.
    case bandlimit
  }

  /// A kind, with the file that it goes to besides the report.
  public struct Part: Sendable, Hashable, Codable {
    /// What is looked at.
    public var kind: Kind
    /// The file; `nil` for none. A spectrogram needs one, a band limit has none.
    public var path: String?

    /// A part.
    public init(_ kind: Kind, path: String? = nil) {
      self.kind = kind
      self.path = path
    }
  }

  /// The parts, each kind once.
  public var parts: [Part]

  /// These parts.
  public init(_ parts: [Part]) { self.parts = parts }

  /// The files that are written.
  var files: [String] { parts.compactMap(\.path) }

  /// It in words.
  var text: String { parts.map(\.kind.rawValue).joined(separator: ", ") }

  /// Makes sure that each kind stands once and has a file of its own kind.
  /// - Throws: ``MediaError`` of kind `usage`.
  func check() throws {
    guard !parts.isEmpty, Set(parts.map(\.kind)).count == parts.count else {
      throw MediaError(.usage, "\(setting: .analysis): give each kind once")
    }
    guard !files.hasTwinNames else {
      throw MediaError(.usage, "\(setting: .analysis): give each kind a file of its own")
    }
    for part in parts { try part.check() }
  }
}

extension AnalysisRequest.Part {
  /// What the names of its files may end in; empty where it has none.
  private var suffixes: [String] {
    switch kind {
    case .spectrogram: return [".png"]
    case .levels, .phase: return [".csv"]
    case .silence: return [".cue", ".json", ".txt", ".csv"]
    case .bandlimit: return []
    }
  }

  fileprivate func check() throws {
    guard let path else {
      guard kind != .spectrogram else {
        throw MediaError(
          .usage, "\(setting: .analysis) spectrogram: give its file, such as spectrogram=FILE.png")
      }
      return
    }
    guard suffixes.contains(where: { path.lowercased().hasSuffix($0) }) else {
      let allowed = suffixes.joined(separator: ", ")
      throw MediaError(
        .usage,
        suffixes.isEmpty
          ? "\(setting: .analysis) \(kind.rawValue): it has no file; leave =\(path) out"
          : "\(setting: .analysis) \(kind.rawValue)=\(path): give a name that ends in \(allowed)")
    }
  }
}

extension OutputRequest {
  /// The files that analyses of this output write.
  package var analysisFiles: [String] {
    (rendition?.taps ?? []).flatMap { tap -> [String] in
      if case .analysis(let request) = tap.work { return request.files }
      return []
    }
  }
}
