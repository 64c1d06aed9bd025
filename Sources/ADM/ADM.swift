// SPDX-License-Identifier: Apache-2.0

// Objects in WAV files (ITU-R BS.2076, BS.2088, BS.2127 clause 5).
//
// To read in this order:
// 1. Container/ADMContainer.swift: the chunks of a file.
// 2. Model/Elements.swift: the elements of the model; Blocks.swift has their changes over time.
// 3. Parsing/DocumentParser.swift: XML to model.
// 4. Selection/Selection.swift: which items are rendered.
// 5. Timing/ItemTimeline.swift: their states over time.
// 6. Writing/ADMWriter.swift: a programme as XML.
