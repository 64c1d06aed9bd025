import AudioCore

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
      planned, performance, queue, sandbox
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

  /// What the timeline did with the first input.
  public var timeline: Timeline? { inputs.first?.timeline }

  /// What the first output's renderer did, or would do.
  public var render: Render? { outputs.first?.render ?? planned?.first }

  /// What the normaliser did for the first output.
  public var loudness: Loudness? { outputs.first?.loudness }

  /// Curves of the first output.
  public var curves: Curves? { outputs.first?.curves }
}
