import ObjectMetadata

/// How a substream codes its objects: what all of its frames must have in common.
struct ObjectCoding: Equatable {
  /// Most full-band objects that are decoded. Real streams have 20; a damaged table may list any number, and each costs
  /// a synthesis.
  static let limit = 64

  /// Whether the downmix is a 5.X bed, coded as channels.
  let isStaticDownmix: Bool
  /// Signals of the downmix, without low frequencies, 1…16.
  let signals: Int
  /// Full-band objects, 1…``limit``.
  let objects: Int
  /// Whether low frequencies are coded, too. They are the first object of the lists.
  let hasLFE: Bool
  /// Channels of the bed that the first objects make.
  let bed: BedList
  /// Number of the downmix's first signals that are channels of a bed.
  let downmixBed: Int

  /// The coding that the table of contents states.
  /// - Throws: ``AC4Error/unsupported(_:)`` for objects that aren't decoded.
  init(_ facts: AC4ObjectFacts) throws(AC4Error) {
    guard facts.isJointlyCoded else { throw .unsupported("objects without joint coding") }
    guard !facts.isIntermediateFormat else {
      throw .unsupported("intermediate spatial format (ISF)")
    }
    guard facts.objects <= ObjectCoding.limit else {
      throw .unsupported("\(facts.objects) objects (at most \(ObjectCoding.limit) are decoded)")
    }
    isStaticDownmix = facts.isStaticDownmix
    (signals, objects, hasLFE) = (facts.downmixSignals, facts.objects, facts.hasLFE)
    (bed, downmixBed) = (facts.bed, facts.downmixBed.count)
  }

  /// What the element before the objects codes.
  var layout: ElementLayout {
    guard isStaticDownmix else { return .signals(signals, hasLFE: hasLFE) }
    return .channels(hasLFE ? .fiveOne : .fiveZero, addsToSurrounds: false)
  }

  /// What the downmix is in words.
  var downmixName: String {
    guard !isStaticDownmix else { return hasLFE ? "5.1" : "5.0" }
    return "\(signals) signals" + (hasLFE ? " and LFE" : "")
  }

  /// The coded channel that each input of joint object coding is.
  var inputs: [Int] {
    guard isStaticDownmix else { return Array(0..<signals) }
    // Low frequencies stand between the centre and the surrounds.
    return hasLFE ? [0, 1, 2, 4, 5] : Array(0..<5)
  }

  /// The coded channel with low frequencies; `nil` without.
  var lowFrequency: Int? {
    guard hasLFE else { return nil }
    return isStaticDownmix ? 3 : signals
  }

  /// Decoded signals, low frequencies first.
  var outputs: Int { objects + (hasLFE ? 1 : 0) }

  /// The bed's channel of each decoded signal; `nil` for a dynamic object.
  var channels: [BedChannel?] {
    let dynamic = [BedChannel?](repeating: nil, count: objects - bed.count)
    return (hasLFE ? [.lowFrequency] : []) + bed.channels + dynamic
  }
}
