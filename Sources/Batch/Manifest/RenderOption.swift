import AudioCore

/// An option of `pinna render` as manifests and batches take it.
///
/// The names are the long flags of `render` without dashes; the five that have only a short flag have
/// names of their own.
package struct RenderOption: Sendable, Equatable {
  /// What the option takes.
  package enum Form: Sendable, Equatable {
    /// One value.
    case value
    /// One value that is a file unless it is one of these words.
    case file(words: [String])
    /// Any number of values that are files.
    case files
    /// Any number of values.
    case values
    /// Nothing: `true` sets it.
    case flag
    /// `true` sets it and `false` takes it back.
    case toggle
    /// `true` sets it for all classes of degradations, else it has a list of them.
    case classes
  }

  /// Name in a manifest.
  package let name: String
  /// The same option's flag on the command line of `render`.
  package let flag: String
  /// Its short flag, where it has both.
  package let short: String?
  /// What it takes.
  package let form: Form

  private init(_ name: String, _ form: Form = .value, flag: String? = nil, short: String? = nil) {
    self.name = name
    self.flag = flag ?? "--" + name
    self.short = short
    self.form = form
  }

  /// All options that apply to the rendering of one file.
  package static let all: [RenderOption] = [
    RenderOption("audio", short: "-a"), RenderOption("layout-in"), RenderOption("presentation"),
    RenderOption("objects"), RenderOption("object", .values), RenderOption("programme"),
    RenderOption("complementary", .values),
    RenderOption("importance"), RenderOption("headphone-modes"), RenderOption("object-angles"),
    RenderOption("dialog-enhancement"), RenderOption("drc"), RenderOption("on-damage"),
    RenderOption("offline", .flag), RenderOption("input-root", .file(words: [])),
    RenderOption("ca-file", .file(words: [])), RenderOption("allow-hosts"),
    RenderOption("network-timeout"), RenderOption("max-download"),
    RenderOption("in-opt", .values), RenderOption("out-opt", .values),
    RenderOption("preset", .file(words: [])), RenderOption("start"), RenderOption("end"),
    RenderOption("duration"), RenderOption("priming"), RenderOption("head"), RenderOption("tail"),
    RenderOption("align"),
    RenderOption("gaps"), RenderOption("crossfade"), RenderOption("crossfade-curve"),
    RenderOption("gap"), RenderOption("queue-loudness"), RenderOption("chapters"),
    RenderOption("cue-gaps"), RenderOption("text-encoding"),
    RenderOption("same-gain", .flag), RenderOption("endpoint", short: "-e"),
    RenderOption("virtualizer"),
    RenderOption("hrtf", .file(words: ["kemar"])), RenderOption("hrtf-symmetry"),
    RenderOption("hrtf-processing"),
    RenderOption("itd-scale"), RenderOption("head-circumference"),
    RenderOption("speaker-span"), RenderOption("lfe-gain"), RenderOption("downmix"),
    RenderOption("already-virtualized"),
    RenderOption("layout"), RenderOption("loudness", short: "-l"), RenderOption("loudness-mode"),
    RenderOption("loudness-layout"),
    RenderOption("true-peak"), RenderOption("peak-policy"), RenderOption("dual-mono", .toggle),
    RenderOption("lower-only", .toggle), RenderOption("max-gain"), RenderOption("threshold"),
    RenderOption("loudest-track", .toggle), RenderOption("format", flag: "-f"),
    RenderOption("codec", flag: "-c:a"), RenderOption("bit-rate", flag: "-b:a"),
    RenderOption("iamf-layers"), RenderOption("adm-times"),
    RenderOption("segment-duration"), RenderOption("segment-files", .flag),
    RenderOption("fragment-duration"),
    RenderOption("opus-target"), RenderOption("eq", .files), RenderOption("tap", .values),
    RenderOption("no-taps", .flag),
    RenderOption("tap-latency"), RenderOption("on-tap-failure"),
    RenderOption("rate", flag: "-r"), RenderOption("bits", flag: "-b"),
    RenderOption("dither"), RenderOption("video"),
    RenderOption("subtitles", .file(words: ["copy", "drop"])), RenderOption("no-metadata", .flag),
    RenderOption("no-chapters", .flag), RenderOption("speakers", .file(words: [])),
    RenderOption("yaw"), RenderOption("pitch"), RenderOption("roll"),
    RenderOption("trajectory", .file(words: [])),
    RenderOption("room", .file(words: ["off", "small", "medium"])),
    RenderOption("room-tail"),
    RenderOption("block-size"), RenderOption("max-output-size"),
    RenderOption("deterministic", .flag), RenderOption("strict", .classes),
  ]

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The option of this name.
  package static func named(_ name: String) -> RenderOption? { byName[name] }

  /// `value` with the path of a file in it made absolute; paths are relative to `folder`.
  func resolved(_ value: String, in folder: String) -> String {
    if name == "tap" { return TapPaths.placed(value) { LocalPath.joined(folder, $0) } }
    return isFile(value, in: folder) ? LocalPath.joined(folder, value) : value
  }

  /// Whether `value` names a file, relative to the manifest's folder.
  private func isFile(_ value: String, in folder: String) -> Bool {
    if form == .files { return true }
    guard case .file(let words) = form, !words.contains(value) else { return false }
    switch name {
    // Built-in presets and those in the user's folder have plain names.
    case "preset":
      return value.contains("/") || value.hasSuffix(".yaml") || value.hasSuffix(".yml")
    // A set may have the name that the list of sets shows; files of the folder go before it.
    case "hrtf":
      return value.contains("/")
        || FolderListing.kind(LocalPath.joined(folder, value), followingLinks: true) != nil
    // The value may hold the positions themselves.
    case "speakers":
      return value.contains("/") && !value.contains("=") || value.hasSuffix(".yaml")
        || value.hasSuffix(".yml")
    default: return true
    }
  }

  /// The arguments that set it to `values`.
  func arguments(_ values: [String]) -> [String] {
    switch form {
    case .value, .file, .values, .files:
      // A value may begin with a dash, which only `--flag=value` allows; short flags don't have
      // that form.
      return values.flatMap { flag.hasPrefix("--") ? ["\(flag)=\($0)"] : [flag, $0] }
    case .flag: return values == ["true"] ? [flag] : []
    case .toggle: return values == ["true"] ? [flag] : ["--no-\(name)"]
    case .classes:
      guard let value = values.last, value != "false" else { return [] }
      return [value == "true" ? flag : "\(flag)=\(value)"]
    }
  }
}

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
