extension AC4PresentationDescription {
  /// What `dac4` has to say of a presentation of this table of contents.
  init(_ presentation: AC4Presentation, in toc: AC4TableOfContents) throws(AC4Error) {
    self.init()
    version = presentation.version
    additionalEMDF = presentation.additionalEMDF
    if presentation.isEMDFOnly {
      configuration = 0x06
      return
    }
    if let given = presentation.configuration {
      guard given <= 5 else { throw .unsupported("dac4 for presentation configuration \(given)") }
      configuration = given
    }
    level = presentation.level
    id = presentation.id.map { $0 & 31 }
    frameRateMultiply = presentation.frameRateFactor / 2
    frameRateFraction = presentation.frameRateFraction / 2
    emdfVersion = presentation.emdf?.version ?? 0
    key = presentation.emdf?.key ?? 0
    isEnabled = presentation.isEnabled
    isMultiPID = presentation.isMultiPID ?? false
    isPreVirtualized = presentation.isPreVirtualized
    if presentation.isAlternative { throw .unsupported("dac4 for alternative presentations") }
    for index in presentation.groups where toc.groups.indices.contains(index) {
      let group = toc.groups[index]
      groups.append(
        try AC4GroupDescription(group, isStereo: presentation.isImmersiveStereo))
      for substream in group.substreams {
        let mode = presentation.isImmersiveStereo ? .stereo : substream.channelMode
        speakerGroups |= mode?.speakerGroups ?? 0
      }
    }
    channelMode = toc.channelMode(of: presentation)?.rawValue
    if channelMode == nil { speakerGroups = 0 }
  }
}

extension AC4GroupDescription {
  /// What `dac4` has to say of `group`, whose channels are a pair when it is immersive stereo.
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
    // The format's own writers state the first field of the count alone, which ends at 16.
    upmixObjects = min(max(1, objects.objects), 16)
    objectKinds =
      (objects.hasBed ? 8 : 0) | (objects.hasDynamicObjects ? 4 : 0)
      | (objects.isIntermediateFormat ? 2 : 0)
  }
}
