// SPDX-License-Identifier: Apache-2.0

/// Version of Pinna, as it stands in reports, file headers and names of packages; docs/versions.md says what it covers.
package enum PinnaVersion {
  /// Semantic version. The newest section of CHANGELOG.md has the same number.
  package static let text = "1.2.0"
}
