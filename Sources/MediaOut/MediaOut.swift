// SPDX-License-Identifier: Apache-2.0

// Sound and programmes become files.
//
// To read in this order:
// 1. BufferedDescriptor.swift: where bytes go.
// 2. WAV/WAVWriter.swift: WAV; BW64Writer.swift has objects.
// 3. FrameEncoder.swift: frames of an encoder; FLACWriter.swift and OggOpusWriter.swift store them.
// 4. Tracks/Multiplexer.swift: tracks in the order of their times; Movie/FragmentedMP4Writer.swift writes them.
// 5. IAMF/IAMFEncoder.swift: elements and mixes.
