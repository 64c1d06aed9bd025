// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaIn
import Platform
import Rendering
import Report
import Settings

/// Turns the arguments of `render` into requests; nothing is opened yet.
struct RequestChoice {
  let input: InputArguments
  let flags: RenderArguments
  let listener: ListenerArguments
  let run: RunArguments
  let preset: Preset?
  /// Whether inputs may be looked at; else each counts as one file, whatever it lists.
  var opensInputs = true

  /// Whether all inputs get one common gain.
  var isAlbum: Bool { renditions.isAlbum }

  private var renditions: RenditionChoice {
    RenditionChoice(flags: flags, listener: listener, preset: preset)
  }
  private var containers: ContainerChoice { ContainerChoice(flags: flags, preset: preset) }

  /// The requests for `inputs`, one each, or with `joins` one for all.
  /// - Throws: ``MediaError`` of kind `usage` or `unsupportedFeature`.
  func requests(inputs: [String], output: String, joins: Bool) throws -> [RenderRequest] {
    let joined = joins ? try JoinedInputs(inputs) : nil
    let inputs = joins ? [inputs[0]] : inputs
    let kinds = try kinds(of: output, inputs, joined: joined?.queue.files)
    var made: [ContainerKind: [OutputRequest]] = [:]
    // In the order of the list, so that of several faults the same one is reported each time.
    for kind in ContainerKind.allCases where kinds.values.contains(kind) {
      let outputs = try [first(output, kind)] + also(inputs, kind)
      try renditions.check(outputs)
      try containers.check(outputs)
      made[kind] = outputs
    }
    func outputs(_ input: String) -> [OutputRequest] {
      kinds[PathName(input)].flatMap { made[$0] } ?? []
    }
    let clip = try clip()
    let policy = try policy()
    let names = try names(inputs, output, joined != nil, clip, outputs)
    return try names.map { name, path, track in
      var own = clip
      own.decoding.track = track
      own.input = joined.map { .queue($0.queue) } ?? MediaLocation(name)
      var outputs = outputs(name)
      outputs[0].location = MediaLocation(path)
      try analyse(&outputs)
      let tracks =
        PathName(path) == PathName(output) || !opensInputs
        ? nil : try tracks(own, outputs, folder: path)
      // One file of chapters can't be that of several outputs.
      guard flags.carriage.chaptersOut == nil || names.count == 1 && (tracks ?? outputs).count == 1
      else {
        throw MediaError(
          .usage, "--chapters-out: needs a single output; leave it out, or name one file with -o")
      }
      guard
        outputs[0].analysisFiles.isEmpty
          || names.count == 1 && (tracks ?? outputs).count == outputs.count
      else {
        throw MediaError(
          .usage,
          "--analyze: a file needs a single output; leave the names out, or name one file with -o")
      }
      var request = RenderRequest(clips: [own], outputs: tracks ?? outputs)
      request.sharesGain = flags.sameGain || tracks != nil && isAlbum
      request.levelling = try flags.level.levelRequest()
      request.policy = policy
      request.decisions =
        (preset.map { [$0.decision] } ?? []) + (joined?.decisions ?? []) + leftAside(outputs)
        + containers.fragmentDecisions(outputs)
      return request
    }
  }

  /// The files of an output with the extension that `-f` may have named.
  func files(of output: OutputRequest) -> OutputFiles {
    var files = OutputFiles(output)
    files.wantedExtension = containers.namedExtension
    return files
  }

  /// Each input with the place and the track of sound of an output: one output, or in a folder one for each track where its container holds
  /// one alone.
  private func names(
    _ inputs: [String], _ output: String, _ isJoined: Bool, _ clip: Clip,
    _ outputs: (String) -> [OutputRequest]
  ) throws -> [(input: String, path: String, track: TrackChoice)] {
    if !isJoined, let folder = inputs.first(where: PathParts.isFolder) {
      throw MediaError(
        .inputUnreadable, about: folder,
        "is a folder; pinna batch renders all of its files, and --join plays them as one programme")
    }
    let files = try OutputNames.resolve(
      inputs: inputs, output: output, files: { self.files(of: outputs($0)[0]) })
    let isIntoFolder = opensInputs && !isJoined && OutputNames.isFolder(output)
    let names = files.flatMap { input, path in
      var own = clip
      own.input = MediaLocation(input)
      let parts = isIntoFolder ? OutputNames.perTrack(own, outputs(input), path) : nil
      return parts?.map { (input, $0.path, $0.track) } ?? [(input, path, clip.decoding.track)]
    }
    if names.count > files.count {
      try OutputNames.check(
        names.flatMap { OutputFiles(outputs($0.0)[0]).files(of: $0.1) }, of: inputs, in: output)
    }
    return names
  }

  /// The kind of each input's first output: in a folder it follows the input, or the `joined` files that stand for it.
  private func kinds(
    of output: String, _ inputs: [String], joined: [String]?
  ) throws -> [PathName: ContainerKind] {
    var kinds: [PathName: ContainerKind] = [:]
    for input in inputs {
      kinds[PathName(input)] =
        OutputNames.isFolder(output)
        ? try containers.kind(ofOutputsFrom: joined ?? [input]) : try containers.kind(of: output)
    }
    return kinds
  }

  /// Adds what is to be found out: to the first output, and where no files are written, to all.
  private func analyse(_ outputs: inout [OutputRequest]) throws {
    guard let analysis = try flags.taps.analysis() else { return }
    for index in outputs.indices {
      guard case .render(var rendition, let container) = outputs[index].work else { continue }
      rendition.taps.append(analysis)
      outputs[index].work = .render(rendition, container)
      if !outputs[index].analysisFiles.isEmpty { return }
    }
  }

  /// One output for each track of a queue that goes to a folder; `nil` for a single file. `path` is where a single
  /// file would go.
  private func tracks(
    _ clip: Clip, _ outputs: [OutputRequest], folder path: String
  ) throws -> [OutputRequest]? {
    // An input that can't be read is reported by its own render, beside which others go on.
    guard let contents = try? QueueContents(of: clip) else { return nil }
    guard outputs.count == 1, !outputs[0].isCopy else {
      throw MediaError(
        .usage, "--also: a queue that goes to a folder becomes a file for each track; leave it out")
    }
    let folder = PathParts.split(path).folder
    let tracks = contents.tracks
    let names = TrackNames.names(
      tracks.map(\.title), in: folder, fileExtension: files(of: outputs[0]).fileExtension)
    return zip(tracks, names).map { track, name in
      var own = outputs[0]
      own.location = MediaLocation.file(name)
      own.items = track.items
      return own
    }
  }

  /// A decision for each setting that an output ignores, because its container doesn't support it: any output one of
  /// the preset, those after the first an option.
  private func leftAside(_ outputs: [OutputRequest]) -> [Decision] {
    outputs.enumerated().flatMap { index, output -> [Decision] in
      guard let container = output.container else { return [] }
      let (coding, name) = (container.coding, container.kind.traits.name)
      let presets = containers.leftAside(coding, name, .output(index))
      guard index > 0 else { return presets }
      var found: [(code: DecisionCode, chose: String, option: String)] = []
      let names = ContainerChoice.names(of: coding, in: container.kind)
      if let codec = flags.encoding.codec, !names.contains(codec) {
        found.append((.codec, names[0], "-c:a \(codec)"))
      }
      if let bits = flags.encoding.bits?.text, bits != coding.encoding.rawValue {
        found.append((.bits, coding.encoding.rawValue, "-b \(bits)"))
      }
      let subtitles = flags.carriage.subtitles
      if case .file = subtitles.value, output.carriage.subtitleFile == nil {
        found.append((.subtitles, "left out", "--subtitles \(subtitles.text)"))
      }
      return presets
        + found.map {
          Decision(
            $0.code, chose: $0.chose, why: "\(name) doesn't hold what \($0.option) asks for",
            subject: .output(index))
        }
    }
  }

  /// The request for an output called `name`, for planning a batch.
  /// - Throws: ``MediaError`` of kind `usage` or `unsupportedFeature`.
  func output(_ name: String) throws -> OutputRequest {
    try first(name, containers.kind(of: name))
  }

  /// The request for an output of `input` whose extension is that of its container, for planning a batch.
  /// - Throws: ``MediaError`` of kind `usage` or `unsupportedFeature`.
  func output(from input: String) throws -> OutputRequest {
    try first("output", containers.kind(ofOutputsFrom: [input]))
  }

  /// The settings of input and run as text: outputs with equal text can share one decode.
  /// - Throws: ``MediaError`` of kind `usage`.
  func decodeKey() throws -> String {
    try ReportJSON.line(clip()) + ReportJSON.line(policy())
  }

  private func first(_ name: String, _ kind: ContainerKind) throws -> OutputRequest {
    let location = MediaLocation(name)
    var output: OutputRequest
    if containers.isCopy {
      try checkCopy()
      output = OutputRequest(location, copyInto: try containers.copyContainer(kind))
    } else {
      let container = try containers.container(kind)
      output = OutputRequest(
        location,
        try renditions.rendition(for: renditions.endpointKind(in: container), in: container),
        container: container)
    }
    output.carriage = try flags.carriage.carriage()
    return output
  }

  private func also(_ inputs: [String], _ first: ContainerKind) throws -> [OutputRequest] {
    try flags.also.map { text in
      let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
      let words =
        parts.first?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
      guard parts.count == 2, words.count <= 2, inputs.count == 1 else {
        throw MediaError(
          .usage,
          "--also \(text): give it as endpoint:file or endpoint,bitrate:file, with a single input"
        )
      }
      guard !containers.isCopy else { throw RequestRules.refusal(ofCopyWith: .furtherOutputs) }
      let endpoint = try Given<Endpoint.Kind>(argument: words[0]).value(.furtherOutputs)
      let kind = try containers.kind(of: parts[1], besides: first)
      var container =
        kind == first
        ? try containers.container(kind) : try containers.container(besidesFirst: kind)
      if words.count > 1 {
        var coding = container.coding
        coding.bitRate = try containers.bitRate(
          words[1], of: coding.codec, "--also \(text)")
        container = Container(kind, coding)
      }
      var output = OutputRequest(
        MediaLocation(parts[1]), try renditions.rendition(for: endpoint, in: container),
        container: container)
      output.carriage = try flags.carriage.carriage()
      // A subtitle file is meant only for those outputs that can hold subtitles.
      if output.carriage.subtitleFile != nil, !OutputFiles(output).holds.contains(.subtitles) {
        output.carriage.subtitles = .dropped
      }
      return output
    }
  }

  private func clip() throws -> Clip {
    var clip = Clip(.standardStream)
    clip.decoding = try input.options()
    clip.priming = try PrimingOption(flags.timeline.priming.text)
    clip.gaps = try flags.timeline.gaps.value(.gaps)
    clip.joining = try flags.queue.joining()
    clip.joining.keepsTaps = !flags.taps.noTaps
    if let latency = try flags.taps.latency() { clip.joining.tapLatency = latency }
    clip.alignment = try flags.timeline.align.value(.alignment)
    clip.matrix = try renditions.matrix()
    clip.dialogueGain = try flags.level.dialogue?.checked(.dialogueLift)
    clip.range.start = try flags.timeline.start?.value(.rangeStart)
    guard flags.timeline.end == nil || flags.timeline.duration == nil else {
      throw MediaError(.usage, "--end and --duration: give only one of them")
    }
    if let end = flags.timeline.end { clip.range.end = .at(try end.value(.rangeEnd)) }
    if let length = flags.timeline.duration {
      clip.range.end = .after(try length.value(.rangeLength))
    }
    return clip
  }

  private func policy() throws -> Policy {
    var policy = Policy()
    policy.overwrite = flags.overwrite
    policy.isStrict = run.strict != nil
    policy.strictClasses = try run.strict.flatMap(StrictClasses.parse)
    policy.isDryRun = run.dryRun
    policy.isPortable = run.deterministic
    policy.tapFailure = try flags.taps.onTapFailure.value(.tapFailure)
    policy.spoolMemory = try run.maxMemory.bytes(.spoolMemory)
    policy.outputLimit = try run.maxOutputSize.map { Int64(try $0.bytes(.largestOutput)) }
    policy.segments = try flags.cache.policy()
    // Files that are rendered at once keep the processors busy already.
    policy.threads = run.threads ?? (run.jobs > 1 ? 1 : 2)
    guard policy.threads > 0 else {
      throw MediaError(.usage, "--threads \(policy.threads): give 1 or 2")
    }
    if let size = run.blockSize {
      guard size > 0 else { throw MediaError(.usage, "--block-size \(size): give 1 or more") }
      policy.blockSize = size
    }
    return policy
  }

  /// A copy isn't decoded, so options that change the endpoint, level or samples are refused.
  private func checkCopy() throws {
    if let option = GivenOptions(flags).refusedByCopies {
      throw RequestRules.refusal(ofCopyWith: option)
    }
    let hasTaps = [Setting.equalizers, .taps].contains { preset?.texts($0).isEmpty == false }
    guard hasTaps, !flags.taps.noTaps else { return }
    throw RequestRules.refusal(
      ofCopyWith: "--preset with eq or tap (--no-taps leaves them out)")
  }
}
