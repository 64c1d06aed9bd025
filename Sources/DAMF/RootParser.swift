// SPDX-License-Identifier: Apache-2.0
import YAML

/// Reads a root (`NAME.atmos`).
package struct RootParser {
  /// Channels of a set at most.
  package static let mostChannels = 128

  /// Versions that were seen: 0.3 has a flat list of channels.
  private static let versions: Set<String> = ["0.3", "0.3.0", "0.5.0", "0.5.1", "0.6.0"]
  /// Keys of a presentation that say nothing about its sound.
  private static let silent: Set<String> = [
    "simplified", "scBedConfiguration", "scNumberOfElements", "sourceCodec",
  ]
  /// Keys that Dolby's own renderers know.
  private static let unused: Set<String> = [
    "screenSizeRatio", "bedDistribution", "dialnorm", "dialNorm", "roomWidth", "roomLength",
    "roomHeight", "surroundTrim_5_1", "surroundTrim_7_1",
  ]
  private static let ciphers: Set<String> = ["salt", "audioCipherIV", "metadataCipherIV"]

  private let values: ValueReader
  private var root: MasterRoot
  private var ids: [Int: String] = [:]

  /// Reads a root; `log` gets what was taken leniently.
  /// - Throws: ``DAMFError``.
  package static func parse(_ text: MasterText, log: DAMFLog) throws(DAMFError) -> MasterRoot {
    var parser = RootParser(
      values: ValueReader(file: text.file, log: log), root: MasterRoot(file: text.file))
    let node: YAMLNode?
    do {
      node = try YAMLParser.document(text.bytes, rules: MasterText.rules)
    } catch let fault as YAMLFault {
      throw DAMFError(fault, in: text.file)
    } catch {
      throw DAMFError(.syntax, "the file can't be read: \(error)", at: DAMFPlace(text.file))
    }
    guard let node else {
      throw DAMFError(.presentations, "the file is empty", at: DAMFPlace(text.file))
    }
    try parser.read(node)
    return parser.root
  }

  private init(values: ValueReader, root: MasterRoot) { (self.values, self.root) = (values, root) }

  private mutating func read(_ node: YAMLNode) throws(DAMFError) {
    var presentations: [YAMLNode] = []
    for (key, value) in try values.fields(node, "") {
      switch key {
      case "version": root.version = try values.text(value, key)
      case "language": root.language = try values.text(value, key)
      case "presentations": presentations = try values.list(value, key)
      default: values.noteUnknown(value, key)
      }
    }
    if !RootParser.versions.contains(root.version) {
      values.log.note(
        .unknownVersion, at: DAMFPlace(root.file, keys: "version"),
        "version \(YAMLText.quoted(root.version)) isn't known; it is read as 0.5.1")
    }
    guard presentations.count == 1 else {
      throw DAMFError(
        .presentations,
        "the root has \(presentations.count) presentations; keep exactly one",
        at: DAMFPlace(root.file, keys: "presentations"))
    }
    for (key, value) in try values.fields(presentations[0], "presentations") {
      try readField(key, value)
    }
    try checkChannels()
  }

  private mutating func readField(_ key: String, _ node: YAMLNode) throws(DAMFError) {
    let keys = "presentations." + key
    switch key {
    case "type": root.presentation.kind = try values.text(node, keys)
    case "metadata": root.presentation.metadata = try name(node, keys)
    case "audio": root.presentation.audio = try name(node, keys)
    case "offset": root.presentation.offset = try time(node, keys) ?? 0
    case "ffoa": root.presentation.firstFrameOfAction = try time(node, keys)
    case "fps": root.presentation.framesPerSecond = try values.text(node, keys)
    case "creationTool": root.presentation.tool = try values.text(node, keys)
    case "creationToolVersion": root.presentation.toolVersion = try values.text(node, keys)
    case "bedInstances": try readBeds(node, keys)
    case "objects": try readObjects(node, keys)
    case "channels": try readFlatChannels(node, keys)
    case _ where RootParser.ciphers.contains(key):
      guard values.isNothing(node) else {
        throw DAMFError(
          .encrypted, "the set states a cipher (\(key)); export it without one",
          at: values.place(node, keys))
      }
    case _ where RootParser.silent.contains(key): break
    case _ where RootParser.unused.contains(key): values.noteUnused(node, key)
    default: try readDownmix(key, node, keys)
    }
  }

  /// Reads how Dolby's own downmix is made, which isn't Pinna's.
  private mutating func readDownmix(
    _ key: String, _ node: YAMLNode, _ keys: String
  ) throws(DAMFError) {
    switch key {
    case "warpMode":
      let text = try values.text(node, keys)
      root.presentation.warpMode = MasterPresentation.WarpMode(rawValue: text)
      guard let mode = root.presentation.warpMode else {
        values.log.note(
          .unknownMode, kind: key, at: values.place(node, keys),
          "\(YAMLText.quoted(text)) isn't known; it is taken as not stated")
        return
      }
      if mode != .normal { values.noteUnused(node, key) }
    case "downmixType_5to2": root.presentation.downmix = try values.text(node, keys)
    case "51-to-20_LsRs90degPhaseShift":
      root.presentation.turnsSurrounds = try values.flag(node, keys)
      if root.presentation.turnsSurrounds { values.noteUnused(node, key) }
    case "trimMode":
      guard !values.isNothing(node) else { return }
      root.presentation.hasTrims = try !values.fields(node, keys).isEmpty
      if root.presentation.hasTrims { values.noteUnused(node, key) }
    default: values.noteUnknown(node, key)
    }
  }

  private func name(_ node: YAMLNode, _ keys: String) throws(DAMFError) -> String? {
    guard !values.isNothing(node) else { return nil }
    let name = try values.text(node, keys)
    return name.isEmpty ? nil : name
  }

  private func time(_ node: YAMLNode, _ keys: String) throws(DAMFError) -> Double? {
    values.isNothing(node) ? nil : try values.number(node, keys)
  }

  private mutating func readBeds(_ node: YAMLNode, _ keys: String) throws(DAMFError) {
    for bed in try values.list(node, keys) {
      var (title, group): (String?, String?)
      var channels: [YAMLNode] = []
      for (key, value) in try values.fields(bed, keys) {
        switch key {
        case "description": title = try name(value, keys + ".description")
        case "groupName": group = try name(value, keys + ".groupName")
        case "channels": channels = try values.list(value, keys + ".channels")
        default: values.noteUnknown(value, key)
        }
      }
      for channel in channels { try readChannel(channel, title ?? group, keys + ".channels") }
    }
  }

  private mutating func readObjects(_ node: YAMLNode, _ keys: String) throws(DAMFError) {
    for object in try values.list(node, keys) { try readChannel(object, nil, keys, isBed: false) }
  }

  /// Reads the flat list of version 0.3, in which bed channels have a `bed`.
  private mutating func readFlatChannels(_ node: YAMLNode, _ keys: String) throws(DAMFError) {
    for channel in try values.list(node, keys) {
      try readChannel(channel, nil, keys, isBed: false)
    }
  }

  /// Reads one channel: its ID, its label in a bed, and a description of its own.
  private mutating func readChannel(
    _ node: YAMLNode, _ title: String?, _ keys: String, isBed: Bool = true
  ) throws(DAMFError) {
    var (id, label, title): (Int?, BedLabel?, String?) = (nil, nil, title)
    for (key, value) in try values.fields(node, keys) {
      switch key {
      case "ID": id = try values.id(value, keys + ".ID")
      case "channel", "bed":
        if !values.isNothing(value) { label = try self.label(value, keys + "." + key) }
      case "description", "name": title = try name(value, keys + "." + key) ?? title
      case "groupName":
        let group = try name(value, keys + "." + key)
        title = title ?? group
      default: values.noteUnknown(value, key)
      }
    }
    guard let id, label != nil || !isBed else {
      throw DAMFError(
        .missingKey, "a channel needs an ID, and one of a bed a label", at: values.place(node, keys)
      )
    }
    let channel = MasterChannel(id: id, label: label, description: title)
    if let other = ids.updateValue(channel.name, forKey: id) {
      throw DAMFError(
        .duplicateID, "\(channel.name) and \(other) have the same ID \(id); give each its own",
        at: values.place(node, keys))
    }
    root.presentation.channels.append(channel)
  }

  private func label(_ node: YAMLNode, _ keys: String) throws(DAMFError) -> BedLabel {
    let text = try values.text(node, keys)
    guard let label = BedLabel(written: text) else {
      throw DAMFError(
        .label,
        "\(YAMLText.quoted(text)) isn't a loudspeaker that is known; give one of "
          + BedLabel.allCases.map(\.rawValue).joined(separator: ", "),
        at: values.place(node, keys))
    }
    return label
  }

  private mutating func checkChannels() throws(DAMFError) {
    // Bed channels come before objects, whichever key stands first.
    let channels = root.presentation.channels
    root.presentation.channels =
      channels.filter { $0.label != nil } + channels.filter { $0.label == nil }
    let place = DAMFPlace(root.file, keys: "presentations")
    guard !channels.isEmpty else {
      throw DAMFError(.missingKey, "the root declares neither bed channels nor objects", at: place)
    }
    guard channels.count <= RootParser.mostChannels else {
      throw DAMFError(
        .limit,
        "the root declares \(channels.count) channels, and at most \(RootParser.mostChannels) are read",
        at: place)
    }
    if root.presentation.channels != root.presentation.tracks {
      values.log.note(
        .channelOrder, at: place,
        "IDs don't ascend; the channels of the sound are taken in the order of their IDs")
    }
  }
}
