// SPDX-License-Identifier: Apache-2.0

// Bitstream and decoder of Dolby TrueHD and of MLP, and the objects in TrueHD, without files.
//
// To read in this order:
// 1. Units/AccessUnit.swift: parts of a unit; Units/RawUnits.swift finds units in raw bytes.
// 2. Stream/TrueHDStream.swift: a stream by its first major sync.
// 3. Decoding/UnitDecoder.swift: units to samples, with all that is lost or joined.
// 4. Decoding/SegmentReader.swift: a substream's part of a unit: headers, residuals, prediction.
// 5. Decoding/PresentationOutput.swift: matrices, and the check that nothing was lost.
// 6. Objects/TrueHDDecoder.swift: a presentation for a renderer, with the updates of its objects.
