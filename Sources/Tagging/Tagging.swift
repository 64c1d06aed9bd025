// SPDX-License-Identifier: Apache-2.0

// Loudness tags of files that are there already: read, written and removed, with everything else kept.
//
// To read in this order:
// 1. TagFormat.swift: how a file holds tags, known from its content.
// 2. LoudnessTags.swift: the figures; LoudnessFields.swift has the names and texts that each format has for them.
// 3. TagFile.swift: the owner of TagLib's handle.
// 4. TagReplacement.swift: a file is replaced by a copy with other tags, once the copy is proved.
// 5. MatroskaTags.swift: Matroska without TagLib; MatroskaMasters.swift bounds what is read; MatroskaTagEdit.swift finds the places.
// 6. SoundBytes.swift: sound in one piece; MovieOffsets.swift: places in fragmented MP4.
// 7. OtherTags.swift: whether the tags that aren't about loudness came through; ID3Frames.swift and OggPages.swift read them.
