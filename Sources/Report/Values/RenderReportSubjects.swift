import AudioCore

extension RenderReport {
  /// What `subject` is about in words: the file's name; `nil` for the run, and where there is only one
  /// such file, so that nothing has to be told apart.
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

  /// The paths of the plan's branches, which this module only knows as JSON.
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
  /// A copy has the input's rate; in version 1 all outputs had that of the first.
  func seconds(of output: Output) -> Double? {
    let rate = output.render?.rate ?? outputs.first?.render?.rate ?? input?.rate
    return PageText.seconds(output.samples, rate: rate ?? 0)
  }
}
