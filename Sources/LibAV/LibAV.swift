// SPDX-License-Identifier: Apache-2.0

// Owning wrappers of FFmpeg, one class for each C object; nothing else imports CFFmpeg.
//
// To read in this order:
// 1. Input/InputContext.swift: an open container; FileIO.swift gives it its bytes.
// 2. Input/StreamInfo.swift: a stream before decoding.
// 3. Decoding/DecoderContext.swift: packets to frames, without libav's own trimming.
// 4. Decoding/Resampler.swift: rates and layouts, sample-exact.
// 5. Encoding/EncoderContext.swift: samples to packets, the same ones each time.
