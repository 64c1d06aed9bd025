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

  /// Matrices of dialogue enhancement.
  let enhancement = FixedBuffer<Float>(0, count: DialogueEnhancer.matrixCount)
  /// Dynamic range control.
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
