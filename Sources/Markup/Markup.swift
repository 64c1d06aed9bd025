// SPDX-License-Identifier: Apache-2.0

// XML without document types, read with limits and written.
//
// To read in this order:
// 1. XMLReader.swift: token by token.
// 2. XMLValues.swift: texts, places and limits.
// 3. XMLWriter.swift: the other direction.
