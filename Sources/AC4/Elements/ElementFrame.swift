// SPDX-License-Identifier: Apache-2.0
import Signal

/// The control data of one frame of a substream: all of `audio_data` but the spectra. They wait in a
/// ``ControlQueue`` until the signal has passed the decoder's delays.
final class ElementFrame {
  /// The channels that the parts below belong to.
  var plan: ElementPlan
  /// Whether it stands for a frame that couldn't be read.
  var isConcealed = false
  /// Companding of its channels.
  var companding = Companding()
  /// A-SPX elements of its channels, in the order of the syntax.
  let extensions: [ASPXElement]
  /// Number of ``extensions`` that the frame uses.
  var extensionCount = 0

  /// A-CPL parameters: one set for each pair of the plan, or one for five channels.
  let couplings = (0..<4).map { _ in ACPLParameters() }

  /// Parameters of joint channel coding.
  let joint = AJCCParameters()

  let enhancement = Buffer<Float>(0, count: DialogueEnhancer.matrixCount)
  var dynamicRange = DynamicRangeController.Control()

  /// How the element's channels are coded.
  var mode: CodecMode { plan.codecMode }

  /// A frame with room for `extensions` A-SPX elements.
  init(_ plan: ElementPlan, extensions: Int) {
    self.plan = plan
    self.extensions = (0..<extensions).map { _ in ASPXElement() }
  }

  /// Makes it stand for a frame that couldn't be read: nothing is extended, enhanced or controlled.
  func conceal() {
    isConcealed = true
    extensionCount = 0
    companding = Companding()
    dynamicRange = DynamicRangeController.Control()
    DialogueEnhancer.setIdentity(enhancement.base)
  }
}

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
  let couplingValues = Buffer<Int16>(0, count: 4 * ACPLParameters.setLength)

  /// The values that the last frame's joint channel coding ended with.
  let jointValues = Buffer<Int16>(0, count: AJCCParameters.setLength)
  /// Form of ``jointValues``; `nil` where there are none.
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
