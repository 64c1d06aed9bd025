// SPDX-License-Identifier: Apache-2.0

// Dolby Atmos master files (DAMF): `NAME.atmos`, `NAME.atmos.metadata` and `NAME.atmos.audio`. There is no public
// specification; the reader follows programs that write and read them.
//
// To read in this order:
// 1. MasterSet.swift: all of a set, from names to a scene.
// 2. RootParser.swift, MasterPresentation.swift: the root, and what it says.
// 3. EventParser.swift, MasterEvent.swift: the changes of the channels.
// 4. MasterTimeline.swift: their states over time.
// 5. MasterScene.swift: elements and timelines for a renderer.
// 6. CAFFile.swift: the header of the sound.
