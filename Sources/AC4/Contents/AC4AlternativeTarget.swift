/// A device that an alternative presentation is meant for (`alternative_info`, E.12).
package struct AC4AlternativeTarget: Sendable, Equatable {
  /// `target_md_compat`.
  package var level: Int
  /// `target_device_category`, one bit per kind of device.
  package var deviceCategory: Int
}
