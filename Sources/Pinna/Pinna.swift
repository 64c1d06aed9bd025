// SPDX-License-Identifier: Apache-2.0

// The front door of the library: `import Pinna` gives everything that its public declarations name.
// A request, its settings and the pipeline come from Rendering; the other modules hold the values that
// requests and reports are made of.
@_exported import AudioCore
@_exported import Inspection
@_exported import Loudness
@_exported import MediaIn
@_exported import MediaOut
@_exported import PlayQueue
@_exported import Settings
@_exported import Rendering
@_exported import Report
@_exported import Spatial
@_exported import Verify
