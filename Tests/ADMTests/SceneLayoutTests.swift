// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import ADM

@Suite struct SceneLayoutTests {
  /// A sound field of these components on the tracks 1, 2, …, all in one scaling.
  private func field(
    _ components: [(order: Int, degree: Int)], _ scaling: String
  ) throws -> SceneLayout {
    let names = components.indices.map { "000\($0 + 1)" }
    var body =
      "<audioObject audioObjectID=\"AO_0001\"><audioPackFormatIDRef>AP_00040001</audioPackFormatIDRef>"
      + names.map { "<audioTrackUIDRef>ATU_0000\($0)</audioTrackUIDRef>" }.joined()
      + "</audioObject><audioPackFormat audioPackFormatID=\"AP_00040001\" typeLabel=\"0004\">"
      + names.map { "<audioChannelFormatIDRef>AC_0004\($0)</audioChannelFormatIDRef>" }.joined()
      + "</audioPackFormat>"
    for (name, component) in zip(names, components) {
      body +=
        "<audioChannelFormat audioChannelFormatID=\"AC_0004\(name)\" typeLabel=\"0004\">"
        + "<audioBlockFormat><order>\(component.order)</order><degree>\(component.degree)</degree>"
        + "<normalization>\(scaling)</normalization></audioBlockFormat></audioChannelFormat>"
    }
    let rows = names.enumerated().map { track, name in
      ChannelTable.Row(
        track: track, uid: ElementID(known: "ATU_0000\(name)"),
        format: ElementID(known: "AC_0004\(name)"), pack: ElementID(known: "AP_00040001"))
    }
    let selection = try Selection(
      try ADMText.parse(body), ChannelTable(rows: rows), channels: components.count,
      request: SelectionRequest(), findings: FindingLog())
    return try SceneLayout(
      selection, states: ItemStates(version: 2), names: [:], rate: 48_000)
  }

  /// The squares of the factors of the components (0, 0) and (3, −3).
  @Test(
    "components in SN3D, N3D and FuMa get the gains that bring them to SN3D",
    arguments: [("SN3D", 1, 1), ("N3D", 1, 7), ("FuMa", 0.5, 1.6)])
  func componentsAreBroughtToSN3D(scaling: String, first: Double, last: Double) throws {
    let layout = try field([(0, 0), (3, -3)], scaling)
    #expect(layout.elements == [.scene(order: 3)])
    #expect((layout.planes[0].gain - 1 / first.squareRoot()).magnitude < 1e-15)
    #expect((layout.planes[9].gain - 1 / last.squareRoot()).magnitude < 1e-15)
    #expect(layout.planes[4].terms.terms.isEmpty)
  }

  @Test(
    "order 8 in SN3D and N3D and order 4 in FuMa are refused with the highest order",
    arguments: [("SN3D", 8, 7), ("N3D", 8, 7), ("FuMa", 4, 3)])
  func higherOrdersAreRefused(scaling: String, order: Int, most: Int) {
    let error = #expect(throws: ADMError.self) { _ = try field([(0, 0), (order, 0)], scaling) }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("at most order \(most) can") == true)
  }
}
