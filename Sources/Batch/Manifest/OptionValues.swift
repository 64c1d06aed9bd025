import AudioCore

/// Values of options of `render`, by name.
package struct OptionValues: Sendable, Equatable {
  private var values: [String: [String]] = [:]

  /// No options.
  package init() {}

  /// Whether nothing is set.
  package var isEmpty: Bool { values.isEmpty }

  /// What is set for an option.
  package subscript(_ name: String) -> [String]? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// These options, with those of `other` in their place where both have one.
  package func overridden(by other: OptionValues) -> OptionValues {
    var result = self
    result.values.merge(other.values) { $1 }
    return result
  }

  /// The equivalent arguments of `render`, in the order of ``RenderOption/all``.
  package var arguments: [String] {
    RenderOption.all.flatMap { option in
      values[option.name].map { option.arguments($0) } ?? []
    }
  }

  /// Paths made absolute: those of files are relative to `folder`.
  func resolved(in folder: String) -> OptionValues {
    var result = self
    for option in RenderOption.all {
      guard let texts = values[option.name] else { continue }
      result.values[option.name] = texts.map { option.resolved($0, in: folder) }
    }
    return result
  }

  /// The options of `render` among the arguments of a command line that has been parsed already, so
  /// it is well formed. The last value of an option counts, as in the parser.
  package init(commandLine arguments: [String]) {
    var spelling: [String: RenderOption] = [:]
    for option in RenderOption.all {
      spelling[option.flag] = option
      if let short = option.short { spelling[short] = option }
      if option.form == .toggle { spelling["--no-\(option.name)"] = option }
    }
    var rest = arguments[...]
    while let argument = rest.popFirst(), argument != "--" {
      let cut = argument.hasPrefix("-") ? argument.firstIndex(of: "=") : nil
      let name = cut.map { String(argument[..<$0]) } ?? argument
      guard let option = spelling[name] else { continue }
      let inline = cut.map { String(argument[argument.index(after: $0)...]) }
      switch option.form {
      case .flag: values[option.name] = ["true"]
      case .toggle: values[option.name] = [name == option.flag ? "true" : "false"]
      case .classes:
        let next = rest.first.flatMap { DegradationClass.list($0) == nil ? nil : $0 }
        if inline == nil, next != nil { rest.removeFirst() }
        values[option.name] = [inline ?? next ?? "true"]
      case .values, .files:
        guard let value = inline ?? rest.popFirst() else { return }
        values[option.name, default: []].append(value)
      case .value, .file:
        guard let value = inline ?? rest.popFirst() else { return }
        values[option.name] = [value]
      }
    }
  }
}
