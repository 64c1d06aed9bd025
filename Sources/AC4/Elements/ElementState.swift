import Signal

/// The state that reading a channel element carries from frame to frame: the settings of the last I-frame and
/// the values that differences refer to (TS 103 190-1, 4.3.5).
final class ElementState {
  /// The codec mode of the last I-frame; other modes need another I-frame.
  var mode: CodecMode?
  /// `aspx_config` of the last I-frame.
  var configuration: ASPXConfiguration?
  /// `acpl_config_1ch` or `acpl_config_2ch` of the last I-frame.
  var coupling: ACPLConfiguration?
  /// State of each A-SPX element, in the order of the syntax.
  var extensions: [ASPXParserState]
  /// The values that the last frame's A-CPL elements ended with, ``ACPLParameters/setLength`` each.
  let couplingValues = FixedBuffer<Int16>(0, count: 4 * ACPLParameters.setLength)

  /// The values that the last frame's joint channel coding ended with.
  let jointValues = FixedBuffer<Int16>(0, count: AJCCParameters.setLength)
  /// What those have in common; `nil` where there are none.
  var jointForm: AJCCParameters.Form?

  private let steps: Int

  /// The state before the first of frames with `steps` A-SPX slots and up to `extensions` A-SPX elements.
  init(steps: Int, extensions: Int) {
    self.steps = steps
    self.extensions = Array(repeating: ASPXParserState(steps: steps), count: extensions)
  }

  /// Takes over all of `other`, a state of the same element.
  func copy(_ other: ElementState) {
    mode = other.mode
    configuration = other.configuration
    coupling = other.coupling
    // One by one: if the two states shared an array, changing either would copy it into new memory.
    for index in extensions.indices { extensions[index] = other.extensions[index] }
    couplingValues.base.update(from: other.couplingValues.base, count: couplingValues.count)
    jointForm = other.jointForm
    jointValues.base.update(from: other.jointValues.base, count: jointValues.count)
  }

  /// Forgets the values that differences refer to; settings stay.
  func forgetValues() {
    for index in extensions.indices { extensions[index] = ASPXParserState(steps: steps) }
    couplingValues.fill(0)
    jointForm = nil
  }

  /// Forgets all earlier frames.
  func reset() {
    mode = nil
    configuration = nil
    coupling = nil
    forgetValues()
  }
}
