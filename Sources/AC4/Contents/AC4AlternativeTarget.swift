/// A kind of device that an alternative presentation is meant for (`alternative_info`,
/// TS 103 190-2, E.12).
package struct AC4AlternativeTarget: Sendable, Equatable {
  /// `target_md_compat`: the decoder level of the device.
  package var level: Int
  /// `target_device_category`, one bit per kind of device.
  package var deviceCategory: Int
}
