// SPDX-License-Identifier: Apache-2.0

// Metadata of coded objects, and their meaning to a renderer (ETSI TS 103 420, TS 103 190-2).
//
// To read in this order:
// 1. ObjectTimeline.swift: updates of all objects in the order of their times.
// 2. BedChannel.swift: channels of beds by their codes.
