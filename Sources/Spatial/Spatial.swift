// SPDX-License-Identifier: Apache-2.0

// A programme becomes sound for two ears, a pair of loudspeakers, or the loudspeakers of a layout.
//
// To read in this order:
// 1. Sets/HRTFSet.swift: measured or built-in responses.
// 2. Design/HRIRDesigner.swift: the response of a direction.
// 3. Scenes/SceneRenderer.swift: beds, objects and sound fields for ears and pairs; ScenePipeline.swift is its inside.
// 4. Loudspeakers/LoudspeakerRenderer.swift: the same for layouts (ITU-R BS.2127).
// 5. Downmix/Downmixer.swift: channels to fewer channels.
// 6. Convolution/FastConvolver.swift: the convolution below.
