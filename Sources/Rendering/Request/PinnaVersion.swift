/// Version of Pinna, as it stands in reports and file headers.
public enum PinnaVersion {
  /// Semantic version.
  public static let text = "0.1.0"
}
