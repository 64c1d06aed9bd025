/// JSON schemas (draft 2020-12) of everything Pinna prints as JSON.
public enum ReportSchema {
  /// Names that ``named(_:)`` knows.
  public static let names = [
    "report", "progress", "probe", "measure", "preset", "hrtf", "hrtf-list", "hrtf-comparison",
    "validation", "comparison", "golden", "item", "batch",
  ]

  /// The schema with this name, as JSON text; `nil` for other names.
  public static func named(_ name: String) -> String? {
    switch name {
    case "report": return report
    case "progress": return progress
    case "probe": return probe
    case "measure": return measure
    case "preset": return preset
    case "hrtf": return HRTFSchema.inspection
    case "hrtf-list": return HRTFSchema.list
    case "hrtf-comparison": return HRTFSchema.comparison
    case "validation": return validation
    case "comparison": return ComparisonSchema.text
    case "golden": return GoldenSchema.text
    case "item": return BatchSchema.item
    case "batch": return BatchSchema.batch
    default: return nil
    }
  }

  private static let levels = """
    {"type":"object","required":["channelTruePeaks","short"],"properties":{
      "integrated":{"type":"number"},"momentaryMax":{"type":"number"},
      "shortTermMax":{"type":"number"},"range":{"type":"number"},"truePeak":{"type":"number"},
      "samplePeak":{"type":"number"},"short":{"type":"boolean"},
      "channelTruePeaks":{"type":"array","items":{"type":["number","null"]}}}}
    """

  private static let series = """
    {"type":"object","required":["intervalSeconds","momentary","shortTerm"],"properties":{
      "intervalSeconds":{"type":"number"},
      "momentary":{"type":"array","items":{"type":["number","null"]}},
      "shortTerm":{"type":"array","items":{"type":["number","null"]}}}}
    """

  private static let input = """
    {"type":"object","required":["path","container","stream","codec","layout","rate","objects"],
      "properties":{"path":{"type":"string"},"container":{"type":"string"},
      "stream":{"type":"integer"},"codec":{"type":"string"},"profile":{"type":"string"},
      "layout":{"type":"string"},"rate":{"type":"integer"},"language":{"type":"string"},
      "dialnorm":{"type":"number"},"drc":{"type":"boolean"},
      "objects":{"enum":["yes","no","unknown"]}}}
    """

  private static let priming = """
    {"type":"object","required":["samples","source"],"properties":{"samples":{"type":"integer"},
      "source":{"enum":["elst","itunsmpb","lame","opus-header","codec-delay","decoder",
      "codec-table","option","unknown"]}}}
    """

  private static let notes = """
    {"type":"array","items":{"type":"object","required":["kind","message"],"properties":{
      "kind":{"type":"string"},"message":{"type":"string"}}}}
    """

  private static let decisions = """
    {"type":"array","items":{"type":"object","required":["what","chose","why"],"properties":{
      "what":{"type":"string"},"chose":{"type":"string"},"why":{"type":"string"}}}}
    """

  private static let failure = """
    {"type":"object","required":["kind","message"],"properties":{"kind":{"type":"string"},
      "message":{"type":"string"}}}
    """

  private static let timeline = """
    {"type":"object",
      "required":["priming","padding","paddingSource","start","samplesIn","samplesOut","gaps"],
      "properties":{"priming":\(priming),"padding":{"type":"integer"},
      "paddingSource":{"enum":["elst","sample-table","itunsmpb","discard-padding","lossless",
      "unknown"]},
      "start":{"type":"object","required":["samples","rate"],"properties":{
      "samples":{"type":"integer"},"rate":{"type":"integer"}}},
      "samplesIn":{"type":"integer"},"samplesOut":{"type":"integer"},
      "gaps":{"type":"array","items":{"type":"object","required":["kind","position","samples"],
      "properties":{"kind":{"enum":["gap","overlap","discontinuity"]},
      "position":{"type":"integer"},"samples":{"type":"integer"}}}}}}
    """

  private static let render = """
    {"type":"object","required":["endpoint","virtualized","latencyCompensated","layout","rate"],
      "properties":{"endpoint":{"enum":["headphones","speakers","none"]},
      "virtualized":{"type":"boolean"},"hrtf":{"type":"object","required":["id","sha256"],
      "properties":{"id":{"type":"string"},"sha256":{"type":"string"}}},
      "latencyCompensated":{"type":"integer"},"tail":{"type":"integer"},
      "lfeGainDB":{"type":"number"},"speakerSpan":{"type":"number"},
      "downmix":{"type":"object","required":["inputs","outputs","gains"],
      "properties":{"method":{"enum":["standard","LoRo","LtRt","ProLogicII"]},
      "source":{"enum":["ITU-R BS.775","bsi","xbsi1","mixmdata","stereo_dmx_coeff",
      "custom_dmx_data"]},
      "inputs":{"type":"array","items":{"type":"string"}},
      "outputs":{"type":"array","items":{"type":"string"}},
      "gains":{"type":"array","items":{"type":"array","items":{"type":"number"}}}}},"layout":{"type":"string"},"rate":{"type":"integer"}}}
    """

  private static let loudness = """
    {"type":"object","required":["mode","input","gainDB","output"],"properties":{
      "mode":{"enum":["measured","metadata","off"]},"target":{"type":"number"},"input":\(levels),
      "gainDB":{"type":"number"},"limiter":{"type":"object",
      "required":["maxReductionDB","activeFraction","response"],"properties":{
      "maxReductionDB":{"type":"number"},"activeFraction":{"type":"number"},
      "response":{"enum":["gentle","fast","hard"]}}},
      "outcome":{"enum":["reached","silent","unchanged","metadata","lower-only","max-gain",
      "lowered"]},
      "output":\(levels),"measuredGainDB":{"type":"number"},
      "dialnormGainDB":{"type":"number"},"differenceDB":{"type":"number"},
      "album":{"type":"object","required":["tracks","reference"],"properties":{
      "tracks":{"type":"integer"},"reference":{"enum":["programme","loudest-track"]},
      "integrated":{"type":"number"},"truePeak":{"type":"number"}}},"series":\(series)}}
    """

  private static let curve = """
    {"type":"object","required":["highest"],"properties":{
      "highest":{"type":"array","items":{"type":["number","null"]}},
      "lowest":{"type":"array","items":{"type":["number","null"]}}}}
    """

  private static let curves = """
    {"type":"object","required":["intervalSeconds","inputMomentary","inputShortTerm"],"properties":{
      "intervalSeconds":{"type":"number"},"inputMomentary":\(curve),"inputShortTerm":\(curve),
      "gainReductionDB":{"type":"array","items":{"type":"number"}},
      "inputTruePeakSeconds":{"type":"number"},"outputTruePeakSeconds":{"type":"number"},
      "spectrum":{"type":"object","required":["frequenciesHz","inputDB","outputDB"],"properties":{
      "frequenciesHz":{"type":"array","items":{"type":"number"}},
      "inputDB":{"type":"array","items":{"type":["number","null"]}},
      "outputDB":{"type":"array","items":{"type":["number","null"]}}}}}}
    """

  private static let outputs = """
    {"type":"array","items":{"type":"object",
      "required":["path","format","endpoint","samples","pcmSHA256","verified"],"properties":{
      "path":{"type":"string"},"format":{"enum":["wav","rf64","fmp4","hls"]},"endpoint":{"type":"string"},
      "samples":{"type":"integer"},"pcmSHA256":{"type":"string","pattern":"^[0-9a-f]{64}$"},
      "verified":{"type":"boolean"},"gainDB":{"type":"number"},
      "integrated":{"type":"number"},"truePeak":{"type":"number"},
      "tracks":{"type":"array","items":{"type":"object","required":["kind","codec","count"],
      "properties":{"kind":{"enum":["video","subtitles"]},"codec":{"type":"string"},
      "count":{"type":"integer"},"sha256":{"type":"string"},"language":{"type":"string"}}}}}}}
    """

  private static let report = """
    {"$schema":"https://json-schema.org/draft/2020-12/schema","title":"pinna.report/1",
      "type":"object",
      "required":["schema","status","exit","toolchain","degradations","decisions","outputs"],
      "properties":{"schema":{"const":"pinna.report/1"},
      "status":{"enum":["ok","silent","unchanged","error"]},"exit":{"type":"integer"},"error":\(failure),
      "toolchain":{"type":"object","required":["pinna","libavcodec","cpu"],"properties":{
      "pinna":{"type":"string"},"libavcodec":{"type":"string"},
      "cpu":{"type":"array","items":{"type":"string"}}}},
      "input":\(input),"timeline":\(timeline),"render":\(render),"loudness":\(loudness),"curves":\(curves),
      "degradations":\(notes),"decisions":\(decisions),"outputs":\(outputs),
      "performance":{"type":"object","properties":{"cpuSeconds":{"type":"number"},
      "wallSeconds":{"type":"number"},"realtimeFactor":{"type":"number"},
      "peakRSSMiB":{"type":"number"}}}}}

    """

  private static let progress = """
    {"$schema":"https://json-schema.org/draft/2020-12/schema","title":"progress event",
      "type":"object","required":["type","job","pass","done","speed"],"properties":{
      "type":{"const":"progress"},"job":{"type":"string"},
      "pass":{"enum":["render","finish","verify"]},"done":{"type":"integer"},
      "total":{"type":"integer"},"speed":{"type":"number"}}}

    """

  private static let validation = """
    {"$schema":"https://json-schema.org/draft/2020-12/schema","title":"pinna.validation/1",
      "type":"object","required":["schema","path","format","samples","findings"],
      "properties":{"schema":{"const":"pinna.validation/1"},"path":{"type":"string"},
      "format":{"enum":["wav","rf64","fmp4","hls"]},"fragments":{"type":"integer"},
      "samples":{"type":"integer"},"findings":{"type":"array","items":{"type":"object",
      "required":["code","path","message"],"properties":{"code":{"type":"string"},
      "path":{"type":"string"},"message":{"type":"string"}}}}}}

    """

  private static let probe = """
    {"$schema":"https://json-schema.org/draft/2020-12/schema","title":"pinna.probe/1",
      "type":"object","required":["schema","path","container","streams","chapters"],
      "properties":{"schema":{"const":"pinna.probe/1"},"path":{"type":"string"},
      "container":{"type":"string"},"streams":{"type":"array"},"chapters":{"type":"array"},
      "playlist":{"type":"object","required":["variants","renditions","sections"],"properties":{
      "variants":{"type":"array"},"renditions":{"type":"array"},"sections":{"type":"array"}}},
      "track":{"type":"object","required":["input","priming","paddingSource","virtualized"],
      "properties":{"input":\(input),"priming":\(priming),"paddingSource":{"type":"string"},
      "samples":{"type":"integer"},"virtualized":{"type":"boolean"}}},"refusal":\(failure),
      "degradations":\(notes),"decisions":\(decisions)}}

    """

  private static let measure = """
    {"$schema":"https://json-schema.org/draft/2020-12/schema","title":"pinna.measure/1",
      "type":"object","required":["schema","input","samples","levels","channels"],
      "properties":{"schema":{"const":"pinna.measure/1"},"input":\(input),
      "samples":{"type":"integer"},"levels":\(levels),
      "channels":{"type":"array","items":{"type":"string"}},"degradations":\(notes),
      "series":\(series),"relativeGate":{"type":"number"}}}

    """

  private static let preset = """
    {"$schema":"https://json-schema.org/draft/2020-12/schema","title":"pinna.preset/1",
      "type":"object","required":["schema","name","summary","source","settings"],
      "properties":{"schema":{"const":"pinna.preset/1"},"name":{"type":"string"},
      "summary":{"type":"string"},"reference":{"type":"string"},
      "source":{"type":"object","required":["kind"],"properties":{
      "kind":{"enum":["built-in","file"]},"path":{"type":"string"},
      "replacesBuiltIn":{"type":"boolean"}}},
      "settings":{"type":"object","additionalProperties":{"type":["number","string","boolean"]}}}}

    """
}
