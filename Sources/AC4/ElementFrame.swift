/// What one frame says of one substream's audio, apart from the spectra: waits with the control data.
final class ElementFrame {
  /// How the element's channels are coded.
  var mode = CodecMode.simple
  /// Companding of its channels.
  var companding = Companding()
  /// Spectral extension of its channels, in the order of the syntax.
  let extensions: [ASPXElement]
  /// Number of extensions that mean something.
  var extensionCount = 0

  /// Matrices of dialogue enhancement.
  let enhancement = Store<Float>(0, count: DialogueEnhancer.matrixCount)
  /// Dynamic range control.
  var dynamicRange = DynamicRangeController.Control()

  /// A frame with room for `extensions` A-SPX elements.
  init(extensions: Int) { self.extensions = (0..<extensions).map { _ in ASPXElement() } }
}
