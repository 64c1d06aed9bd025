/// Version of Pinna, as it stands in reports and file headers.
package enum PinnaVersion {
  /// Semantic version.
  package static let text = "0.1.0"
}
