// SPDX-License-Identifier: Apache-2.0

// Metadata of coded objects, and their meaning to a renderer (ETSI TS 103 420, TS 103 190-2).
//
// To read in this order:
// 1. Reading/PayloadReader.swift: payloads of a container of metadata.
// 2. Reading/ObjectReader.swift: the payload with the metadata of objects.
// 3. ObjectTimeline.swift: updates of all objects in the order of their times.
// 4. BedChannel.swift: channels of beds by their codes.
