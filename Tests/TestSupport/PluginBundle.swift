// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A bundle of LV2 plugins of our own that do one thing each, right or wrong, built by the system's C compiler.
package final class PluginBundle: Sendable {
  /// Whether this system can host LV2 plugins, and build them.
  package static let canRun: Bool = {
    let host = URL(fileURLWithPath: Product.path).deletingLastPathComponent()
      .appendingPathComponent("pinna-lv2").path
    return FileManager.default.isExecutableFile(atPath: host) && Tool.isInstalled("cc")
      && FileManager.default.fileExists(atPath: "/usr/include/lv2/core/lv2.h")
  }()

  /// The bundle, made once for all tests.
  package static let shared = Result { try PluginBundle() }

  /// Beginning of every plugin's address.
  package static let prefix = "urn:pinna:test:"

  private let folder: TemporaryFolder

  /// Folder in which plugins are looked for.
  package var path: String { folder.path }

  private init() throws {
    folder = try TemporaryFolder()
    let bundle = folder.url("pinna-test.lv2")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Plugins/plugins.c").path
    let built = try Tool.run(
      "cc",
      [
        "-shared", "-fPIC", "-O2", "-o", bundle.appendingPathComponent("p.so").path, source,
        "-lpthread",
      ])
    guard built.status == 0 else { throw ToolFailure(text: built.errors) }
    try Data(PluginBundle.manifest.utf8).write(to: bundle.appendingPathComponent("manifest.ttl"))
    try Data(PluginBundle.descriptions.utf8).write(to: bundle.appendingPathComponent("p.ttl"))
  }

  /// Plugins with what sets them apart: more of their description, and their further ports.
  private static let rows: [(name: String, facts: String, ports: [String])] = [
    ("gain", "", []), ("delay", "", []), ("late", "", []), ("silent-delay", "", []),
    ("liar", "", []), ("growing", "", []), ("null", "", []), ("crash-instantiate", "", []),
    ("crash-activate", "", []), ("crash-run", "", []), ("crash-late", "", []),
    ("hang-run", "", []), ("crash-deactivate", "", []), ("crash-cleanup", "", []),
    ("hang-cleanup", "", []), ("nan", "", []),
    (
      "worker",
      "lv2:requiredFeature work:schedule ; lv2:extensionData work:interface ;", []
    ),
    ("state", "lv2:extensionData state:interface ; lv2:requiredFeature urid:map ;", []),
    ("thread", "", []), ("writes", "", []), ("socket", "", []), ("random", "", []),
    ("whole-blocks", "lv2:requiredFeature bufs:boundedBlockLength ;", []), ("prints", "", []),
    (
      "messages", "lv2:requiredFeature urid:map ; patch:writable <urn:pinna:test:level> ;",
      [messages(4)]
    ),
    // Its parameter can only be set by messages, for which it has no input.
    ("deaf", "patch:writable <urn:pinna:test:level> ;", []), ("echo", "", []),
    ("needs-more", "lv2:requiredFeature <urn:pinna:test:unknown> ;", []),
    ("stereo", "", [audio(4, "in_right", "Input"), audio(5, "out_right", "Output")]),
    ("mono-to-stereo", "", [audio(4, "out_right", "Output")]),
    (
      "side-chain", "",
      [audio(4, "chain", "Input", "lv2:portProperty lv2:isSideChain ;")]
    ),
  ]

  private static let heads = """
    @prefix atom: <http://lv2plug.in/ns/ext/atom#> .
    @prefix bufs: <http://lv2plug.in/ns/ext/buf-size#> .
    @prefix doap: <http://usefulinc.com/ns/doap#> .
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix patch: <http://lv2plug.in/ns/ext/patch#> .
    @prefix pset: <http://lv2plug.in/ns/ext/presets#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix state: <http://lv2plug.in/ns/ext/state#> .
    @prefix urid: <http://lv2plug.in/ns/ext/urid#> .
    @prefix work: <http://lv2plug.in/ns/ext/worker#> .
    @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .


    """

  private static let manifest =
    heads
    + rows.map { row in
      "<\(prefix)\(row.name)> a lv2:Plugin ; lv2:binary <p.so> ; rdfs:seeAlso <p.ttl> .\n"
    }.joined() + """
      <urn:pinna:test:half> a pset:Preset ; lv2:appliesTo <\(prefix)state> ; rdfs:label "Half" ;
        rdfs:seeAlso <p.ttl> .

      """

  private static let descriptions =
    heads + rows.map(description).joined() + """
      <urn:pinna:test:level> a lv2:Parameter ; rdfs:label "Level" ; rdfs:range atom:Float .
      <urn:pinna:test:half> a pset:Preset ; lv2:appliesTo <\(prefix)state> ; rdfs:label "Half" ;
        lv2:port [ lv2:symbol "gain" ; pset:value 0.5 ] ;
        state:state [ <urn:pinna:test:level> "0.25"^^xsd:float ] .

      """

  private static func description(
    _ row: (name: String, facts: String, ports: [String])
  ) -> String {
    // These state a delay; the others' last port is a plain figure.
    let states = ["delay", "late", "liar", "growing"].contains(row.name)
    let ports =
      [
        audio(0, "in", "Input"), audio(1, "out", "Output"), gain,
        """
          [ a lv2:OutputPort , lv2:ControlPort ; lv2:index 3 ; lv2:symbol "latency" ; lv2:name "Latency" ;
            \(states ? "lv2:portProperty lv2:reportsLatency ; lv2:designation lv2:latency ;" : "") ]
        """,
      ] + row.ports
    return """
      <\(prefix)\(row.name)> a lv2:Plugin ; doap:name "Test \(row.name)" ; doap:license <urn:none> ;
        lv2:minorVersion 2 ; lv2:microVersion 4 ; lv2:optionalFeature lv2:hardRTCapable ; \(row.facts)
        lv2:port \(ports.joined(separator: " , ")) .

      """
  }

  private static func audio(
    _ index: Int, _ symbol: String, _ way: String, _ more: String = ""
  ) -> String {
    """
      [ a lv2:\(way)Port , lv2:AudioPort ; lv2:index \(index) ; lv2:symbol "\(symbol)" ;
        lv2:name "\(symbol)" ; \(more) ]
    """
  }

  private static let gain = """
      [ a lv2:InputPort , lv2:ControlPort ; lv2:index 2 ; lv2:symbol "gain" ; lv2:name "Gain" ;
        lv2:default 1.0 ; lv2:minimum 0.0 ; lv2:maximum 4.0 ;
        lv2:scalePoint [ rdfs:label "Double" ; <http://www.w3.org/1999/02/22-rdf-syntax-ns#value> 2.0 ] ]
    """

  private static func messages(_ index: Int) -> String {
    """
      [ a lv2:InputPort , atom:AtomPort ; atom:bufferType atom:Sequence ; atom:supports patch:Message ;
        lv2:designation lv2:control ; lv2:index \(index) ; lv2:symbol "messages" ; lv2:name "Messages" ]
    """
  }
}
