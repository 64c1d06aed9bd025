// SPDX-License-Identifier: Apache-2.0

// Objects in E-AC-3 (ETSI TS 103 420), without files.
//
// To read in this order:
// 1. JOCDecoder.swift: access units to bed and objects.
// 2. Metadata/MetadataContainer.swift: what the skip fields hold.
// 3. Matrices/MatrixFrame.swift: the matrices of a frame, by time and subband.
// 4. Matrices/ObjectMixer.swift: the downmix times the matrices.
