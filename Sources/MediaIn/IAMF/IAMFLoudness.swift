import AudioCore
import IAMF

extension IAMFMixChoice {
  /// How loud the mix is on each layout that Pinna has; nothing for several sub-mixes, whose sum nobody states.
  /// - Parameter forms: what is made of the elements.
  func loudness(
    _ description: SequenceDescription, _ forms: IAMFForms
  ) -> [StatedLoudness] {
    guard let parts = mix.presentation?.subMixes, parts.count == 1 else { return [] }
    let elements = mix.elements.compactMap { description.playableElements[$0.id] }
    return parts[0].loudness.compactMap { stated in
      let doubt: StatedLoudness.Doubt? =
        stated.isPlaceholder ? .placeholder : stated.isImplausible ? .implausible : nil
      switch stated.layout {
      case .binaural:
        return StatedLoudness(layout: nil, integrated: stated.integrated, doubt: doubt)
      case .loudspeakers(let system):
        guard let layout = system.layout else { return nil }
        return StatedLoudness(
          layout: layout, integrated: stated.integrated, doubt: doubt,
          isOfOwnDownmix: elements.contains { element in
            forms.form(of: element) == nil && element.hasOwnDownmix(below: system.loudspeakers)
          })
      case .reserved: return nil
      }
    }
  }
}

extension PlayableElement {
  /// Whether it has a lower layer, or factors of a downmix, for layouts of fewer than its channels.
  fileprivate func hasOwnDownmix(below count: Int) -> Bool {
    guard let highest = layerChannels.last, highest.count > count else { return false }
    return element.demixing != nil || layerCount > 1
  }
}

extension SoundSystem {
  /// The same loudspeakers as a layout of ours; `nil` where there is none.
  fileprivate var layout: ChannelLayout? {
    switch self {
    case .b: return ChannelLayout(name: "5.1(side)")
    // Channels at ±60° are wide ones here.
    case .surround916: return ChannelLayout(name: "9.1.6(wide)")
    case .surround312: return ChannelLayout(name: "FL+FR+FC+LFE+TFL+TFR")
    default: return ChannelLayout(name: name)
    }
  }
}
