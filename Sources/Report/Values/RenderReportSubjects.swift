import AudioCore

extension RenderReport {
  /// The name of the file that `subject` refers to; `nil` for the run as a whole, and where the
  /// report has only one such file, so that no name is needed.
  public func name(of subject: DiagnosticSubject) -> String? {
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
