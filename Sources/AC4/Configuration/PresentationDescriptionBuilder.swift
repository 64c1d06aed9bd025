extension AC4PresentationDescription {
  /// The entry of `dac4` for a presentation of this table of contents.
  /// - Throws: ``AC4Error/unsupported(_:)`` for configurations and channels that the entry can't state.
  init(_ presentation: AC4Presentation, in toc: AC4TableOfContents) throws(AC4Error) {
    self.init()
    version = presentation.version
    additionalEMDF = presentation.additionalEMDF
    if presentation.isEMDFOnly {
      content.configuration = AC4PresentationContent.emdfOnly
      return
    }
    if let given = presentation.configuration {
      guard given <= 5 else { throw .unsupported("dac4 for presentation configuration \(given)") }
      content.configuration = given
    }
    level = presentation.level
    // The field has five bits; the table of contents has no limit.
    id = presentation.id.map { $0 & 31 }
    frameRate = presentation.frameRate
    emdf = AC4EMDFInfo(
      version: presentation.emdf?.version ?? 0, key: presentation.emdf?.key ?? 0, substream: nil)
    filter = presentation.isEnabled.map(AC4PresentationFilter.init(isEnabled:))
    content.isMultiPID = presentation.isMultiPID ?? false
    isPreVirtualized = presentation.isPreVirtualized
    if presentation.isAlternative { throw .unsupported("dac4 for alternative presentations") }
    var speakerGroups = 0
    for index in presentation.groups where toc.groups.indices.contains(index) {
      let group = toc.groups[index]
      content.groups.append(
        try AC4GroupDescription(group, isStereo: presentation.isImmersiveStereo))
      for substream in group.substreams {
        let mode = presentation.isImmersiveStereo ? .stereo : substream.channelMode
        speakerGroups |= mode?.speakerGroups ?? 0
      }
    }
    channels = toc.channelMode(of: presentation).map {
      AC4PresentationChannels(mode: $0.rawValue, speakerGroups: speakerGroups)
    }
  }
}

extension AC4GroupDescription {
  /// The entry of `dac4` for `group`; immersive stereo is listed as stereo, whatever it was made from.
  fileprivate init(_ group: AC4SubstreamGroup, isStereo: Bool) throws(AC4Error) {
    self.init()
    isPresent = group.isPresent
    hasHighSamplingFrequency = group.hasHighSamplingFrequency
    isChannelCoded = group.isChannelCoded
    content = group.content
    language = group.language.map { Array($0.utf8) }
    for substream in group.substreams {
      substreams.append(try AC4SubstreamDescription(substream, isStereo: isStereo))
    }
  }
}

extension AC4SubstreamDescription {
  /// The entry of `dac4` for `substream`.
  fileprivate init(_ substream: AC4Substream, isStereo: Bool) throws(AC4Error) {
    self.init()
    rateMultiplier = substream.rateMultiplier.map { $0 + 1 } ?? 0
    bitRateCode = substream.bitRateCode
    if let coded = substream.channelMode {
      let mode = isStereo ? .stereo : coded
      guard mode.rawValue <= 10 else { throw .unsupported("dac4 for channel mode \(mode.name)") }
      speakerGroups = mode.speakerGroups
    }
    guard let objects = substream.objects else { return }
    isJointlyCoded = objects.isJointlyCoded
    if objects.isStaticDownmix { throw .unsupported("dac4 for objects over a 5.X bed") }
    downmixObjects = objects.downmixSignals
    guard (1...16).contains(objects.downmixSignals) || !isJointlyCoded else {
      throw .unsupported("dac4 for \(objects.downmixSignals) downmix signals")
    }
    // Counts above 16 need an escape in the table of contents; the format's own writers leave it
    // out here, so 20 objects are listed as 16.
    upmixObjects = min(max(1, objects.objects), 16)
    objectKinds =
      (objects.hasBed ? 8 : 0) | (objects.hasDynamicObjects ? 4 : 0)
      | (objects.isIntermediateFormat ? 2 : 0)
  }
}
