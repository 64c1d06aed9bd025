// SPDX-License-Identifier: Apache-2.0

// Elements of Matroska and WebM (RFC 8794, RFC 9559), read and written, apart from any file.
//
// To read in this order:
// 1. EBML/EBMLID.swift: the elements; EBMLBuilder.swift writes them, EBMLElement.swift and EBMLScanner.swift read them.
// 2. Parts/MatroskaTrackEntry.swift: a track; chapters, tags and attachments lie beside it.
// 3. Writing/MatroskaSegmentBuilder.swift: a file from blocks in order; TimestampScale.swift chooses the tick.
// 4. Reading/MatroskaReader.swift: the parts of a file; BlockReader.swift has its frames, and
//    MatroskaHead.swift what precedes them.
// 5. Checks/MatroskaCheck.swift: a file against itself, and the faults that readers find.
