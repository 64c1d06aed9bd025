/// Collects the descriptors that stand in front of a sequence's data.
struct DescriptorSet {
  /// A descriptor that isn't used, and why.
  struct Dropped: Equatable, Sendable {
    /// What it is.
    var kind: OBU.Kind
    /// Why.
    var error: IAMFError
  }

  /// Descriptors of each kind that are kept, and those that are dropped and listed.
  static let most = 256
  /// Most bytes of all descriptors; real ones have thousands.
  static let mostBytes = 2 * OBU.mostBytes

  /// The header.
  private(set) var header: SequenceHeader
  private(set) var codecConfigs: [CodecConfig] = []
  private(set) var elements: [AudioElement] = []
  private(set) var mixes: [MixPresentation] = []
  /// Descriptors that can't be read or repeat a number.
  private(set) var dropped: [Dropped] = []
  /// Units of reserved types.
  private(set) var reservedUnits = 0
  /// Bytes of the descriptors so far.
  private var bytes = 0

  /// A set that begins with `obu`, which must be a sequence header. The first set counts as the original,
  /// whatever its units say.
  /// - Throws: ``IAMFError`` where it isn't one.
  init(_ obu: OBU, _ bytes: UnsafeBufferPointer<UInt8>) throws(IAMFError) {
    guard obu.kind == .sequenceHeader else { throw .malformed("no sequence header in front") }
    var bits = try obu.payloadReader(bytes)
    header = try SequenceHeader(&bits)
    guard !header.knownProfiles.isEmpty else {
      throw .unsupported("profiles \(header.primaryProfile) and \(header.additionalProfile)")
    }
  }

  /// Takes the next descriptor. One that can't be read is dropped; another may do.
  /// - Throws: ``IAMFError/malformed(_:)`` where all together are larger than memory should hold.
  mutating func add(_ obu: OBU, _ bytes: UnsafeBufferPointer<UInt8>) throws(IAMFError) {
    guard obu.kind != .reserved else {
      reservedUnits += 1
      return
    }
    self.bytes += obu.size
    guard self.bytes <= DescriptorSet.mostBytes else {
      throw .malformed("descriptors of more than \(DescriptorSet.mostBytes) bytes")
    }
    do throws(IAMFError) {
      var bits = try obu.payloadReader(bytes)
      switch obu.kind {
      case .codecConfig:
        let config = try CodecConfig(&bits)
        try keep(config, \.codecConfigs, obu) { $0.id == config.id }
      case .audioElement:
        let element = try AudioElement(&bits)
        try keep(element, \.elements, obu) { $0.id == element.id }
      case .mixPresentation:
        let mix = try MixPresentation(&bits)
        try keep(mix, \.mixes, obu) { $0.id == mix.id }
      case .sequenceHeader, .parameterBlock, .temporalDelimiter, .audioFrame, .reserved:
        // A repeated header says nothing new; data never get here.
        break
      }
    } catch {
      guard dropped.count < DescriptorSet.most else { return }
      dropped.append(Dropped(kind: obu.kind, error: error))
    }
  }

  /// Keeps the first descriptor of each number; a copy says so in its header.
  private mutating func keep<Descriptor>(
    _ descriptor: Descriptor, _ place: WritableKeyPath<DescriptorSet, [Descriptor]>, _ obu: OBU,
    isSame: (Descriptor) -> Bool
  ) throws(IAMFError) {
    guard !self[keyPath: place].contains(where: isSame) else {
      if obu.isRedundant { return }
      throw .malformed("a second one of the same number")
    }
    guard self[keyPath: place].count < DescriptorSet.most else {
      throw .malformed("more than \(DescriptorSet.most) of a kind")
    }
    self[keyPath: place].append(descriptor)
  }
}
