// SPDX-License-Identifier: Apache-2.0

// A file as a source of samples: opened, decoded, trimmed.
//
// To read in this order:
// 1. Files/MediaInput.swift: an input as the user named it; MediaFile.swift is its container.
// 2. Tracks/TrackOpener.swift: which track is read, and by which reader.
// 3. Tracks/AudioTrackReader.swift: packets to blocks; other readers are in Dolby, IAMF, Objects and CodedObjects.
// 4. Timeline/TrimPlan.swift: what the facts say of start-up samples and padding.
// 5. Timeline/TrimmedSource.swift: trims, fills gaps, and counts.
// 6. Tracks/TrackSource.swift: the sections of an input, one after the other.
// 7. Copying/CodedAudioSurvey.swift: coded frames that are copied.
