// SPDX-License-Identifier: Apache-2.0
import AudioCore

extension PrimingSource {
  /// Origin of the number of start-up samples, for people.
  package var words: String {
    switch self {
    case .editList: "as the file's edit list says"
    case .iTunSMPB: "as its iTunSMPB tag says"
    case .packetTable: "as its packet table says"
    case .codecDelay: "as its CodecDelay says"
    case .firstPage: "as its first page says"
    case .lame: "as its LAME header says"
    case .opusHeader: "as its Opus header says"
    case .decoder: "as the decoder says"
    case .codecTable: "as usual for this codec"
    case .option: "as was asked for"
    case .unknown: "nothing states them"
    }
  }
}

extension PaddingSource {
  /// Origin of the programme's end, for people.
  package var words: String {
    switch self {
    case .editList: "where the file's edit list ends"
    case .sampleTable: "where its table of samples ends"
    case .iTunSMPB: "where its iTunSMPB tag says"
    case .packetTable: "where its packet table says"
    case .fact: "where its fact chunk says"
    case .common: "where its COMM chunk says"
    case .lame: "where its LAME header says"
    case .discard: "where the last packet says"
    case .lossless: "with its last sample"
    case .unknown: "nothing states it, so all samples are kept"
    }
  }
}
