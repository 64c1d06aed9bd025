// SPDX-License-Identifier: Apache-2.0

// Bitstream and decoder of AC-4 (ETSI TS 103 190), without files. Folders follow the standard's clauses.
//
// To read in this order:
// 1. Contents/TableOfContentsParser.swift: a frame's table of contents.
// 2. Decoding/AC4Decoder.swift: frames to blocks.
// 3. Decoding/PresentationDecoder.swift: a presentation: its substreams, mixed.
// 4. Decoding/SubstreamDecoder.swift: a substream: spectrum, A-SPX, A-CPL, output.
// 5. Objects/ObjectTimes.swift: updates of A-JOC's objects on the programme's clock.
