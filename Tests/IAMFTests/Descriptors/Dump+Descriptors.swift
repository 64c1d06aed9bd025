// SPDX-License-Identifier: Apache-2.0
@testable import IAMF

extension Dump {
  static func header(_ header: SequenceHeader) -> [String: Any] {
    [
      "ia_code": "iamf", "primary_profile": header.primaryProfile,
      "additional_profile": header.additionalProfile,
    ]
  }

  static func codec(_ config: CodecConfig) -> [String: Any] {
    var result: [String: Any] = [
      "codec_config_id": config.id, "codec_id": config.codecID,
      "num_samples_per_frame": config.samplesPerFrame, "audio_roll_distance": config.rollDistance,
      "decoder_config_hex": hex(config.decoderBytes),
    ]
    result["sample_rate"] = config.sampleRate
    switch config.decoder {
    case .opus(let opus):
      result["opus"] = [
        "version": opus.version, "channels": opus.channels, "pre_skip": opus.preSkip,
        "input_rate": opus.inputRate, "output_gain": opus.outputGain,
        "mapping_family": opus.mappingFamily,
      ]
    case .aac(let aac):
      result["aac"] =
        [
          "asc_hex": hex(aac.specificConfig), "object_type": aac.objectType,
          "frequency_index": aac.frequencyIndex, "channel_configuration": aac.channelConfiguration,
        ] as [String: Any]
    case .flac(let flac):
      result["flac"] = [
        "min_block": flac.shortestBlock, "max_block": flac.longestBlock,
        "sample_rate": flac.sampleRate, "channels": flac.channels, "bits": flac.bitDepth,
        "total": flac.totalSamples,
      ]
    case .lpcm(let lpcm):
      result["lpcm"] = [
        "format_flags": lpcm.formatFlags, "sample_size": lpcm.bitDepth,
        "sample_rate": lpcm.sampleRate,
      ]
    case .unknown: break
    }
    return result
  }

  static func element(_ element: AudioElement) -> [String: Any] {
    var result: [String: Any] = [
      "audio_element_id": element.id, "audio_element_type": element.type,
      "codec_config_id": element.codecConfigID, "substream_ids": element.substreamIDs,
    ]
    result["parameters"] = element.parameters.map { parameter in
      var fields = Dump.parameter(parameter)
      fields["audio_element_id"] = element.id
      return fields
    }
    switch element.content {
    case .channels(let layers): result["layers"] = layers.map(layer)
    case .scene(let config): result.merge(scene(config)) { $1 }
    case .other(let bytes): result["config_hex"] = hex(bytes)
    }
    return result
  }

  private static func parameter(_ parameter: AudioElement.Parameter) -> [String: Any] {
    switch parameter {
    case .demixing(let demixing):
      return definition(demixing.parameter).merging([
        "type": 1, "default_dmixp_mode": demixing.defaultMode, "default_w": demixing.defaultWeight,
      ]) { $1 }
    case .reconGain(let parameter):
      return definition(parameter).merging(["type": 2]) { $1 }
    case .other(let type, let bytes):
      return ["type": type, "bytes_hex": hex(bytes)]
    }
  }

  private static func definition(_ parameter: ParameterDefinition) -> [String: Any] {
    var result: [String: Any] = [
      "parameter_id": parameter.id, "parameter_rate": parameter.rate,
      "mode": parameter.timing == nil ? 1 : 0,
    ]
    guard let timing = parameter.timing else { return result }
    result["duration"] = timing.duration
    result["constant_subblock_duration"] = timing.constant
    if timing.constant == 0 { result["subblock_durations"] = timing.listed }
    return result
  }

  private static func gain(_ gain: MixGainDefinition) -> [String: Any] {
    definition(gain.parameter).merging(["default_mix_gain_db": gain.defaultGain]) { $1 }
  }

  private static func layer(_ layer: ChannelLayer) -> [String: Any] {
    let names = [
      "mono", "stereo", "5.1", "5.1.2", "5.1.4", "7.1", "7.1.2", "7.1.4", "3.1.2", "binaural",
    ]
    var result: [String: Any] = [
      "loudspeaker_layout": layer.layoutNumber,
      "output_gain_present": layer.outputGain == nil ? 0 : 1,
      "recon_gain_present": layer.hasReconGain ? 1 : 0, "substream_count": layer.substreamCount,
      "coupled_substream_count": layer.coupledCount,
      "name": layer.layoutNumber < names.count ? names[layer.layoutNumber] : "other",
    ]
    result["output_gain_flags"] = layer.outputGain?.flags
    result["output_gain_db"] = layer.outputGain?.gain
    result["expanded_loudspeaker_layout"] = layer.expandedNumber
    return result
  }

  private static func scene(_ config: AmbisonicsConfig) -> [String: Any] {
    var result: [String: Any] = [
      "output_channel_count": config.channelCount, "substream_count": config.substreamCount,
    ]
    switch config.mapping {
    case .mono(let indices):
      result["ambisonics_mode"] = 0
      result["channel_mapping"] = indices
    case .projection(let coupled, let matrix):
      result["ambisonics_mode"] = 1
      result["coupled_substream_count"] = coupled
      result["demixing_matrix_q15"] = matrix.map(Int.init)
    }
    return result
  }

  static func mix(_ mix: MixPresentation) -> [String: Any] {
    var result: [String: Any] = [
      "mix_presentation_id": mix.id, "languages": mix.languages, "annotations": mix.annotations,
    ]
    result["tags"] = mix.tags.map { $0.map { [$0.name, $0.value] } }
    result["sub_mixes"] = mix.subMixes.map { subMix -> [String: Any] in
      [
        "output_mix_gain": gain(subMix.outputGain), "layouts": subMix.loudness.map(loudness),
        "elements": subMix.elements.map { element -> [String: Any] in
          [
            "audio_element_id": element.id, "annotations": element.annotations,
            "headphones_rendering_mode": element.rendering.headphonesMode.rawValue,
            "reserved": element.rendering.reserved,
            "extension_hex": hex(element.rendering.extensionBytes),
            "element_mix_gain": gain(element.gain),
          ]
        },
      ]
    }
    return result
  }

  private static func loudness(_ loudness: LayoutLoudness) -> [String: Any] {
    var result: [String: Any] = [
      "info_type": loudness.infoType, "integrated_loudness": loudness.integrated,
      "digital_peak": loudness.digitalPeak,
    ]
    switch loudness.layout {
    case .loudspeakers(let system):
      result["layout_type"] = 2
      result["sound_system"] = system.rawValue
    case .binaural: result["layout_type"] = 3
    case .reserved(let type, let system):
      result["layout_type"] = type
      if type == 2 { result["sound_system"] = system }
    }
    result["true_peak"] = loudness.truePeak
    if loudness.infoType & 2 != 0 {
      result["anchored"] = loudness.anchors.map { anchor -> [String: Any] in
        ["element": anchor.element, "loudness": anchor.loudness]
      }
    }
    result["info_type_bytes_hex"] = loudness.extensionBytes.map(hex)
    return result
  }
}
