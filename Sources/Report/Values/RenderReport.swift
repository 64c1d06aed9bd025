// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The report of one run (`pinna.report/2`); encodes to the JSON of the command-line contract.
///
/// Levels are in LUFS, dBTP, LU or dB, times in samples. Absent figures are left out of the JSON
/// instead of being written as `null`.
public struct RenderReport: Sendable, Codable, Equatable {
  /// Outcome of a job.
  public enum Status: String, Sendable, Codable, CaseIterable {
    /// Done; any degradations are listed.
    case ok
    /// Done, but the programme is silent: nothing was normalised.
    case silent
    /// Done; the programme was within the threshold of its target, so its level wasn't changed.
    case unchanged
    /// Failed; see `error`.
    case error
  }

  /// The schema's name and version.
  public static let schemaName = "pinna.report/2"

  /// Always `pinna.report/2`.
  public var schema = RenderReport.schemaName
  /// Outcome.
  public var status = Status.ok
  /// Exit code of the command.
  public var exit: Int32 = 0
  /// Failure; absent when there was none.
  public var error: Failure?
  /// Software and processor.
  public var toolchain: Toolchain
  /// The inputs and what the timeline did with each.
  public var inputs: [Input] = []
  /// The items of a queue; absent for a single input.
  public var queue: QueueReport?
  /// The change of the source's dialogue against the rest; absent where none was asked for.
  public var dialogueGain: DialogueGain?
  /// The gain over time that all outputs have; absent where none was asked for.
  public var level: Levelling?
  /// The files written, with what was done for each.
  public var outputs: [Output] = []
  /// Changes to the audio, and remarks on possible faults.
  public var degradations: [Diagnostic] = []
  /// Choices made for the user.
  public var decisions: [Decision] = []
  /// Plan of the run; only for a dry run.
  public var plan: JSONValue?
  /// Renderers of a dry run, one for each output.
  public var planned: [Render]?
  /// Sandbox of the run; only where one was asked for.
  public var sandbox: Sandbox?
  /// Cost of the run.
  public var performance: Performance?

  /// An empty report.
  public init(toolchain: Toolchain) { self.toolchain = toolchain }

  /// The sandbox that a run was kept to.
  public struct Sandbox: Sendable, Codable, Equatable {
    /// Version of Landlock, which guards files, that was used; 0 where the kernel has none.
    public var landlock: Int
    /// Protections in force: `files`, `moves`, `truncation`, `connections`, `devices`, `signals` and `calls`.
    public var held: [String]
    /// Whether connections to servers could be opened, because an input was a web address.
    public var network: Bool

    /// A sandbox with these protections.
    public init(landlock: Int, held: [String], network: Bool) {
      self.landlock = landlock
      self.held = held
      self.network = network
    }
  }

  /// The failure of a command.
  public struct Failure: Sendable, Codable, Equatable {
    /// Stable token.
    public var kind: String
    /// One sentence.
    public var message: String

    /// A failure of `kind`.
    public init(kind: String, message: String) {
      self.kind = kind
      self.message = message
    }
  }

  /// Software and processor.
  public struct Toolchain: Sendable, Codable, Equatable {
    /// Version of Pinna.
    public var pinna: String
    /// Version of libavcodec.
    public var libavcodec: String
    /// SIMD extensions in use.
    public var cpu: [String]

    /// A toolchain.
    public init(pinna: String, libavcodec: String, cpu: [String]) {
      self.pinna = pinna
      self.libavcodec = libavcodec
      self.cpu = cpu
    }
  }
}

extension RenderReport {
  /// The names of the tracks that all go from one file into one, in the order of ``outputs``, each by the stream that it was and
  /// its language, e.g. `stream 2 (ger)`; `nil` for other runs.
  package var tracks: [String]? {
    guard queue == nil, inputs.count > 1, Set(inputs.map(\.path)).count == 1,
      Set(outputs.map(\.path)).count == 1, outputs.count % inputs.count == 0
    else { return nil }
    // Groups of HLS have a rendition of each track.
    let groups = outputs.count / inputs.count
    return outputs.indices.map { index in
      let input = inputs[index / groups]
      let name = "stream \(input.stream)" + (input.language.map { " (\($0))" } ?? "")
      return groups > 1 ? "\(name) for \(outputs[index].endpoint.rawValue)" : name
    }
  }

  private func track(of subject: DiagnosticSubject) -> String? {
    guard let tracks else { return nil }
    switch subject {
    case .run: return nil
    case .input(let index):
      let groups = outputs.count / inputs.count
      return tracks.indices.contains(index * groups) ? tracks[index * groups] : nil
    case .output(let index): return tracks.indices.contains(index) ? tracks[index] : nil
    }
  }

  /// The name of the file that `subject` refers to; `nil` for the run as a whole, and where the
  /// report has only one such file, so that no name is needed.
  public func name(of subject: DiagnosticSubject) -> String? {
    if let track = track(of: subject) { return track }
    switch subject {
    case .run: return nil
    case .input(let index):
      if inputs.count <= 1, index == 0 { return nil }
      return inputs.indices.contains(index)
        ? PageText.fileName(inputs[index].path) : "input \(index + 1)"
    case .output(let index):
      let names = outputNames
      if names.count <= 1, index == 0 { return nil }
      return names.indices.contains(index)
        ? PageText.fileName(names[index]) : "output \(index + 1)"
    }
  }

  /// Paths of the outputs; of a dry run those that would be written.
  public var outputNames: [String] { outputs.isEmpty ? plannedPaths : outputs.map(\.path) }

  /// The paths of the plan's branches; this module knows the plan only as JSON.
  private var plannedPaths: [String] {
    guard case .object(let plan)? = plan, case .list(let branches)? = plan["branches"] else {
      return []
    }
    return branches.compactMap { branch in
      guard case .object(let members) = branch, case .text(let path)? = members["path"] else {
        return nil
      }
      return path
    }
  }

  /// Seconds that `output` plays; `nil` when its rate isn't known.
  ///
  /// A copy has the input's rate. In version 1 all outputs had the rate of the first one's
  /// renderer.
  func seconds(of output: Output) -> Double? {
    let rate = output.render?.rate ?? outputs.first?.render?.rate ?? input?.rate
    return PageText.seconds(output.samples, rate: rate ?? 0)
  }
}

/// A report of version 1, which has one input and the renderer, loudness and curves of its first
/// output.
private struct RenderReportVersion1: Decodable {
  let status: RenderReport.Status
  let exit: Int32
  let error: RenderReport.Failure?
  let toolchain: RenderReport.Toolchain
  let input: RenderReport.Input?
  let timeline: RenderReport.Timeline?
  let render: RenderReport.Render?
  let loudness: RenderReport.Loudness?
  let curves: RenderReport.Curves?
  let degradations: [Diagnostic]
  let decisions: [Decision]
  let outputs: [RenderReport.Output]
  let performance: RenderReport.Performance?
}

extension RenderReport {
  /// The schema of version 1, which can still be read.
  public static let firstSchemaName = "pinna.report/1"

  private enum Key: String, CodingKey {
    case schema, status, exit, error, toolchain, inputs, outputs, degradations, decisions, plan,
      planned, performance, queue, sandbox, dialogueGain, level
  }

  /// Reads a report of this version or of version 1, whose fields move to their present places.
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let schema = try values.decode(String.self, forKey: .schema)
    if schema == RenderReport.firstSchemaName {
      self.init(try RenderReportVersion1(from: decoder))
      return
    }
    self.init(toolchain: try values.decode(Toolchain.self, forKey: .toolchain))
    self.schema = schema
    status = try values.decode(Status.self, forKey: .status)
    exit = try values.decode(Int32.self, forKey: .exit)
    error = try values.decodeIfPresent(Failure.self, forKey: .error)
    inputs = try values.decode([Input].self, forKey: .inputs)
    queue = try values.decodeIfPresent(QueueReport.self, forKey: .queue)
    outputs = try values.decode([Output].self, forKey: .outputs)
    degradations = try values.decode([Diagnostic].self, forKey: .degradations)
    decisions = try values.decode([Decision].self, forKey: .decisions)
    plan = try values.decodeIfPresent(JSONValue.self, forKey: .plan)
    planned = try values.decodeIfPresent([Render].self, forKey: .planned)
    dialogueGain = try values.decodeIfPresent(DialogueGain.self, forKey: .dialogueGain)
    level = try values.decodeIfPresent(Levelling.self, forKey: .level)
    sandbox = try values.decodeIfPresent(Sandbox.self, forKey: .sandbox)
    performance = try values.decodeIfPresent(Performance.self, forKey: .performance)
  }

  private init(_ old: RenderReportVersion1) {
    self.init(toolchain: old.toolchain)
    status = old.status
    exit = old.exit
    error = old.error
    if var input = old.input {
      input.timeline = old.timeline
      if let timeline = old.timeline, let rate = old.render?.rate {
        // Version 1 counted the delivered samples at the output's rate, this version at the
        // source's.
        input.timeline?.samplesOut = MediaTime.rescale(
          timeline.samplesOut, by: Int64(timeline.start.rate), over: Int64(max(1, rate)))
      }
      inputs = [input]
    }
    outputs = old.outputs
    if outputs.isEmpty {
      planned = old.render.map { [$0] }
    } else {
      outputs[0].render = old.render
      outputs[0].loudness = old.loudness
      outputs[0].curves = old.curves
    }
    degradations = old.degradations
    decisions = old.decisions
    performance = old.performance
  }

  /// Replaces the path of the first input, for a file with the same content in another place.
  public mutating func renameInput(_ path: String) {
    if !inputs.isEmpty { inputs[0].path = path }
  }

  /// The only input, or the first one.
  public var input: Input? { inputs.first }

  /// Work of the timeline on the first input.
  public var timeline: Timeline? { inputs.first?.timeline }

  /// Work of the first output's renderer, done or planned.
  public var render: Render? { outputs.first?.render ?? planned?.first }

  /// Work of the normaliser on the first output.
  public var loudness: Loudness? { outputs.first?.loudness }

  /// Curves of the first output.
  public var curves: Curves? { outputs.first?.curves }
}
