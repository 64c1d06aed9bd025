/// What one frame says of one substream's audio, apart from the spectra: waits with the control data.
final class ElementFrame {
  /// Which channels the parts below belong to.
  var plan: ElementPlan
  /// Whether it stands for a frame that couldn't be read.
  var isConcealed = false
  /// Companding of its channels.
  var companding = Companding()
  /// Spectral extension of its channels, in the order of the syntax.
  let extensions: [ASPXElement]
  /// Number of extensions that mean something.
  var extensionCount = 0

  /// Coupling parameters, as many as the plan has pairs, or one for five channels.
  let couplings = (0..<2).map { _ in ACPLParameters() }

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
