// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Report

/// Works out a batch's items and finds everything that is wrong with it before any work is done.
package struct BatchPlanner<Engine: BatchEngine> {
  private let engine: Engine
  private let root: String
  /// Options of the command line.
  private let options: OptionValues
  private let name: NameTemplate?
  private let isAlbum: Bool

  private var faults: [PlanFault] = []
  private var items: [BatchItem] = []
  private var skipped = SkippedFiles()
  private var ids: [PathName: String] = [:]
  private var places: OutputPlaces
  /// Outputs that got a number because another job has their name.
  private var renamed: [(id: String, path: String)] = []
  /// Most outputs of one name; more are a name that was meant for one.
  private static var mostNumbers: Int { 99 }
  private var forms: [[PathName]: Result<Form, MediaError>] = [:]
  private var checked: [[PathName]: MediaError?] = [:]

  /// A planner for the output folder `root`.
  /// - Parameters:
  ///   - options: those of the command line, which beat a manifest's defaults but not its jobs.
  ///   - name: names of outputs that a manifest doesn't name.
  ///   - isAlbum: whether all items get one gain.
  package init(
    engine: Engine, root: String, options: OptionValues, name: NameTemplate?, isAlbum: Bool
  ) {
    self.engine = engine
    self.root = PathParts.absolute(root)
    self.options = options.resolved(in: PathParts.absolute("."))
    self.name = name
    self.isAlbum = isAlbum
    places = OutputPlaces(root: self.root)
  }

  /// Plans the jobs of `source`.
  /// - Throws: ``BatchFaults`` with everything that is wrong.
  package mutating func plan(_ source: BatchSource) throws -> BatchPlan {
    switch source {
    case .manifest(let path):
      let read = ManifestReader.read(path: path)
      faults += read.faults.map { PlanFault(place: nil, sentence: $0.message) }
      plan(read.manifest, path)
    case .folder(let path):
      let own = FolderListing.identity(path)
      guard own == nil || own != FolderListing.identity(root) else {
        throw MediaError(
          .usage,
          "-O \(root): is the folder of the inputs, so a second run would take outputs for inputs; "
            + "give another folder")
      }
      let walk = try FolderWalk(root: path, outputs: root)
      skipped = walk.aside
      let folder = PathParts.absolute(path)
      for file in walk.files { add(file: file, in: folder) }
      if walk.files.isEmpty {
        let aside = SkippedFiles.text(walk.skipped)
        let rest = aside.isEmpty ? "" : "; left aside: " + aside
        fault(path, "has no media files in it" + rest)
      }
    case .list(let paths, _):
      let folder = PathParts.absolute(".")
      for path in paths { add(file: path, in: folder) }
    }
    places.inputs(items.map { ($0.source, $0.input) })
    faults += places.faultsWithInputs
    guard faults.isEmpty else { throw BatchFaults(PlanFault.sentences(faults)) }
    return BatchPlan(
      root: root, source: source.name, items: items, skipped: skipped.reasons, renamed: renamed)
  }

  private mutating func plan(_ manifest: Manifest, _ path: String) {
    for job in manifest.jobs {
      let place = path + (job.line.map { ", line \($0)" } ?? "")
      let options = manifest.defaults.overridden(by: self.options).overridden(by: job.options)
      let inputs = self.inputs(of: job, in: manifest.folder)
      if inputs.isEmpty {
        fault(place, "input \(job.input): no file fits this pattern")
        continue
      }
      for input in inputs {
        let isOne = inputs.count == 1 && PathName(input) == PathName(job.input)
        var draft = Draft(
          id: job.id.map { isOne ? $0 : "\($0)/\(input)" } ?? Draft.name(of: input), input: input,
          folder: manifest.folder, options: options, place: place)
        draft.outputs = job.outputs
        draft.name = job.name ?? name ?? manifest.name
        draft.isNamed = job.name != nil
        draft.album = job.album
        draft.golden = job.golden
        add(draft)
      }
    }
  }

  private mutating func inputs(of job: Manifest.Job, in folder: String) -> [String] {
    let isPlain =
      LocalPath.isWeb(job.input) || !Glob.isPattern(job.input)
      || FolderListing.kind(PathParts.joined(folder, job.input), followingLinks: true) != nil
    guard !isPlain else { return [job.input] }
    let glob = Glob(job.input, excluding: root)
    for name in glob.unnamed(in: folder) {
      skipped.add(name, FolderListing.unnamedReason)
    }
    return glob.files(in: folder)
  }

  private mutating func add(file: String, in folder: String) {
    var draft = Draft(
      id: Draft.name(of: file), input: file, folder: folder, options: options,
      place: WebSecrets.shown(file))
    draft.name = name
    add(draft)
  }

  /// A job that is being planned.
  private struct Draft {
    let id: String
    let input: String
    let folder: String
    let options: OptionValues
    /// Place in the manifest, for messages.
    let place: String
    var outputs: [Manifest.Output] = []
    var name: NameTemplate?
    /// Whether the job states its output's name itself.
    var isNamed = false
    var album: String?
    var golden: String?

    /// The id of a job that has none of its own. Of a URL, what may give access is hidden, and digits tell it from others
    /// that look alike then.
    static func name(of input: String) -> String {
      let shown = WebSecrets.shown(input)
      return shown == input ? input : "\(shown)#\(FileDigest.of([input]).prefix(12))"
    }
  }

  private mutating func add(_ draft: Draft) {
    guard draft.input != "-" else {
      return fault(draft.place, "a batch can't read standard input; give a file")
    }
    if let other = ids.updateValue(draft.place, forKey: PathName(draft.id)) {
      let cure = other == draft.place ? "it is listed twice" : "so has \(other)"
      return fault(draft.place, "has the id \(draft.id), and \(cure); ids must differ")
    }
    do {
      let outputs = numbered(try self.outputs(draft), draft)
      let portable = Set(outputs.map { $0.options[.isPortable] == ["true"] })
      guard portable.count < 2 else {
        throw MediaError(
          .usage,
          "deterministic: holds for all outputs of a job; give it to the job, or split the job")
      }
      let album = draft.album ?? (isAlbum || outputs.contains { $0.form.isAlbum } ? "all" : nil)
      var renders = group(outputs)
      if album != nil {
        guard outputs.count == 1 else {
          throw MediaError(.usage, "an album's items have one output each; leave the others out")
        }
        renders[0].options[0].append("--album")
      }
      let item = BatchItem(
        id: draft.id, input: WebSecrets.shown(draft.input),
        source: LocalPath.isWeb(draft.input)
          ? draft.input : PathParts.joined(draft.folder, draft.input),
        renders: renders, album: album, golden: draft.golden,
        isDeterministic: portable.contains(true))
      for render in renders { try check(render) }
      if let golden = draft.golden { _ = try engine.goldenDigest(golden) }
      for problem in places.add(item) { fault(draft.place, problem) }
      items.append(item)
    } catch {
      fault(draft.place, (error as? MediaError)?.message ?? "\(error)")
    }
  }

  /// Options as arguments of `render`, in one copy for all items that have the same, and what they make of an output.
  private struct Form {
    let arguments: [String]
    let form: RenderForm
  }

  private struct PlannedOutput {
    let options: OptionValues
    let arguments: [String]
    let form: RenderForm
    var path: String

    /// The output with a number after its stem, from 2 on.
    func numbered(_ number: Int) -> PlannedOutput {
      guard number > 1 else { return self }
      var output = self
      let ending = LocalPath.ending(of: path)
      let stem = ending.isEmpty ? path : String(path.dropLast(ending.count + 1))
      output.path = "\(stem)-\(number)" + (ending.isEmpty ? "" : "." + ending)
      return output
    }
  }

  private mutating func outputs(_ draft: Draft) throws -> [PlannedOutput] {
    let wanted = draft.outputs.isEmpty ? [Manifest.Output()] : draft.outputs
    let last =
      LocalPath.isWeb(draft.input)
      ? LocalPath.name(ofURL: draft.input) : PathParts.split(draft.input).name
    let folder =
      LocalPath.isWeb(draft.input) || PathParts.isAbsolute(draft.input)
        || !PathParts.hasFolder(draft.input)
      ? "" : relative(PathParts.folder(of: draft.input)) ?? ""
    return try wanted.enumerated().map { index, output in
      let options = draft.options.overridden(by: output.options)
      let template =
        output.name ?? draft.name
        ?? (wanted.count == 1 ? NameTemplate.usual : NameTemplate.usualOfSeveral)
      let known = try form(options, ending: template.ending, input: last)
      let form = known.form
      let name = template.name(
        NameTemplate.Fields(
          id: draft.id, stem: LocalPath.stem(of: last), folder: folder, ending: form.ending,
          endpoint: form.endpoint, number: index + 1))
      guard let path = relative(name), !path.isEmpty, !PathParts.endsInSlash(name) else {
        throw MediaError(
          .usage, "its output \(name) leads out of the output folder; give it a name inside")
      }
      return PlannedOutput(
        options: options, arguments: known.arguments, form: form, path: path)
    }
  }

  /// The outputs, with a number in their names where another job has one of these already, as for `a.mp3` and `a.flac`. Names that
  /// the job itself states stay, and so do those that many jobs share.
  private mutating func numbered(_ outputs: [PlannedOutput], _ draft: Draft) -> [PlannedOutput] {
    guard !draft.isNamed, draft.name?.followsInput ?? true,
      draft.outputs.allSatisfy({ $0.name == nil })
    else { return outputs }
    let number = (1...BatchPlanner.mostNumbers).first { number in
      outputs.allSatisfy { !places.isTaken($0.numbered(number).path) }
    }
    guard let number, number > 1 else { return outputs }
    for output in outputs { renamed.append((draft.id, output.numbered(number).path)) }
    return outputs.map { $0.numbered(number) }
  }

  /// `path` without dots; `nil` where it leads out of the output folder.
  private func relative(_ path: String) -> String? {
    guard !PathParts.isAbsolute(path) else { return nil }
    return PathParts.normalized(path)?.joined(separator: "/")
  }

  /// Groups the outputs. Outputs with the same settings of input and run share a decode, even if
  /// their containers, endpoints and levels differ; a copy decodes nothing, so it is a group of its
  /// own.
  private func group(_ outputs: [PlannedOutput]) -> [BatchItem.Render] {
    var keys: [PathName?] = []
    var renders: [BatchItem.Render] = []
    for output in outputs {
      let key = output.form.isCopy ? nil : PathName(output.form.decodeKey)
      if let key, let index = keys.firstIndex(of: key) {
        renders[index].options.append(output.arguments)
        renders[index].outputs.append(output.path)
        renders[index].endpoints.append(output.form.endpoint)
        renders[index].files += output.form.files(output.path)
      } else {
        keys.append(key)
        renders.append(
          BatchItem.Render(
            options: [output.arguments], outputs: [output.path],
            endpoints: [output.form.endpoint], files: output.form.files(output.path)))
      }
    }
    return renders
  }

  private mutating func form(_ options: OptionValues, ending: String?, input: String) throws -> Form
  {
    let arguments = options.arguments
    // Without an extension of its own the output's container follows the input's.
    // Arguments hold paths, such as those of HRTF sets.
    let key = (arguments + [ending ?? "/" + LocalPath.ending(of: input)]).map(PathName.init)
    if let known = forms[key] { return try known.get() }
    let result = Result {
      Form(arguments: arguments, form: try engine.form(arguments, ending: ending, input: input))
    }
    .mapError { $0 as? MediaError ?? MediaError(.internal, "\($0)") }
    forms[key] = result
    return try result.get()
  }

  /// Parses a render; those that differ only in their names are parsed once.
  private mutating func check(_ render: BatchItem.Render) throws {
    let endings = render.outputs.map { LocalPath.ending(of: $0) }
    let words = render.options.flatMap { $0 + ["/"] } + render.endpoints + endings
    let key = words.map(PathName.init)
    if let known = checked[key] {
      if let known { throw known }
      return
    }
    var sample = render
    sample.outputs = endings.enumerated().map { "\($0)" + ($1.isEmpty ? "" : ".\($1)") }
    do {
      let prepared = try engine.prepare(
        sample.arguments(source: "/input", spoolMemory: 1 << 20))
      for path in prepared.companions
      where FolderListing.kind(path, followingLinks: true) != .file {
        throw MediaError(.usage, about: path, "no such file; check the path")
      }
      checked[key] = .some(nil)
    } catch {
      let known = error as? MediaError ?? MediaError(.internal, "\(error)")
      checked[key] = known
      throw known
    }
  }

  private mutating func fault(_ place: String, _ sentence: String) {
    faults.append(PlanFault(place: place, sentence: sentence))
  }
}

/// The source of a batch's jobs.
package enum BatchSource: Sendable, Equatable {
  case manifest(String)
  /// A folder, walked with everything below it.
  case folder(String)
  /// Files or URLs by name.
  case list([String], name: String)

  /// The manifest or folder at `path`. A missing path counts as a manifest, whose reader says so.
  /// - Throws: ``MediaError`` of kind `inputUnreadable` or `outOfResources` when it can't be looked at.
  package init(path: String) throws {
    let kind = FolderListing.kind(path, followingLinks: true)
    let code = errno
    guard kind != nil || code == ENOENT || code == ENOTDIR else {
      throw LocalFile.openFailure(path, code)
    }
    self = kind == .folder ? .folder(path) : .manifest(path)
  }

  /// Name in reports.
  var name: String {
    switch self {
    case .manifest(let path), .folder(let path): return path
    case .list(_, let name): return name
    }
  }
}

/// All faults in the order of a batch; they are thrown before anything is rendered.
package struct BatchFaults: Error, Sendable {
  /// The faults, each a sentence of its own.
  package let all: [MediaError]

  /// These faults; at least one.
  package init(_ all: [MediaError]) { self.all = all }

  /// The exit code: that of wrong options for all kinds of faults.
  package var exitCode: Int32 { MediaError(.usage, "").exitCode }
}
