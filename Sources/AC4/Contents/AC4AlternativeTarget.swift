/// A device that an alternative presentation is meant for (`alternative_info`, E.12).
public struct AC4AlternativeTarget: Sendable, Equatable {
  /// `target_md_compat`.
  public var level: Int
  /// `target_device_category`, one bit per kind of device.
  public var deviceCategory: Int
}
