/// What the last I-frame set for a channel element (TS 103 190-1, 4.3.5).
struct ElementState {
  /// The mode it was sent with; other modes need another I-frame.
  var mode: CodecMode?
  /// Settings of spectral extension.
  var configuration: ASPXConfiguration?
  /// Settings of coupling.
  var coupling: ACPLConfiguration?
}
