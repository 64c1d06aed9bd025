// SPDX-License-Identifier: Apache-2.0

/// How pictures are stored and shown (RFC 9559, 5.1.4.1.28).
package struct MatroskaVideo: Sendable, Equatable {
  /// Pixels that a reader leaves out at each edge.
  package struct Crop: Sendable, Equatable {
    package var top = 0
    package var bottom = 0
    package var left = 0
    package var right = 0

    /// No pixel at any edge.
    package init() {}
  }

  /// Directions of view in degrees (RFC 9559, 5.1.4.1.28.41).
  package struct Projection: Sendable, Equatable {
    /// 0 for plain pictures; others are spheres and cubes.
    package var type = 0
    package var yaw = 0.0
    package var pitch = 0.0
    /// Turn against the clock, −180…180; of plain pictures those of 90 and 180 degrees are usual.
    package var roll = 0.0

    /// Plain pictures, turned by `roll` degrees.
    package init(roll: Double = 0) { self.roll = roll }
  }

  /// Pixels as they are coded.
  package var width: Int
  package var height: Int
  package var crop = Crop()
  /// Size for display, in the unit below; `nil` where it is that of the pixels that are left.
  package var displayWidth: Int?
  package var displayHeight: Int?
  /// 0 for pixels, 1 for centimetres, 2 for inches, 3 for a ratio; `nil` where it isn't stated.
  package var displayUnit: Int?
  /// 1 for fields, 2 for whole pictures; `nil` where it isn't stated.
  package var interlacing: Int?
  /// Order of fields; `nil` where it isn't stated.
  package var fieldOrder: Int?
  /// Arrangement of the views for both eyes; `nil` for one view.
  package var stereoMode: Int?
  /// 1 where additions of the blocks hold transparency.
  package var alphaMode: Int?
  package var colour: MatroskaColour?
  package var projection: Projection?

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  init(_ fields: [EBMLElement]) {
    func number(_ id: EBMLID) -> Int? { fields[id]?.integer.map { Int($0) } }
    width = number(.pixelWidth) ?? 0
    height = number(.pixelHeight) ?? 0
    for (id, path) in MatroskaVideo.cropFields { crop[keyPath: path] = number(id) ?? 0 }
    for (id, path) in MatroskaVideo.fields { self[keyPath: path] = number(id) }
    colour = fields[.colour].map { MatroskaColour($0.children) }
    projection = fields[.projection].map {
      let fields = $0.children
      var projection = Projection(roll: fields[.projectionPoseRoll]?.float ?? 0)
      projection.type = Int(fields[.projectionType]?.integer ?? 0)
      projection.yaw = fields[.projectionPoseYaw]?.float ?? 0
      projection.pitch = fields[.projectionPosePitch]?.float ?? 0
      return projection
    }
  }

  func append(to builder: inout EBMLBuilder) {
    builder.master(.video) {
      $0.unsigned(.pixelWidth, width)
      $0.unsigned(.pixelHeight, height)
      for (id, path) in MatroskaVideo.cropFields where crop[keyPath: path] != 0 {
        $0.unsigned(id, crop[keyPath: path])
      }
      for (id, path) in MatroskaVideo.fields { $0.unsigned(id, ifAny: self[keyPath: path]) }
      colour?.append(to: &$0)
      guard let projection else { return }
      $0.master(.projection) {
        $0.unsigned(.projectionType, projection.type)
        $0.float(.projectionPoseYaw, projection.yaw)
        $0.float(.projectionPosePitch, projection.pitch)
        $0.float(.projectionPoseRoll, projection.roll)
      }
    }
  }

  private static var fields: [(EBMLID, WritableKeyPath<MatroskaVideo, Int?>)] {
    [
      (.displayWidth, \.displayWidth), (.displayHeight, \.displayHeight),
      (.displayUnit, \.displayUnit), (.flagInterlaced, \.interlacing), (.fieldOrder, \.fieldOrder),
      (.stereoMode, \.stereoMode), (.alphaMode, \.alphaMode),
    ]
  }

  private static var cropFields: [(EBMLID, WritableKeyPath<Crop, Int>)] {
    [
      (.pixelCropTop, \.top), (.pixelCropBottom, \.bottom), (.pixelCropLeft, \.left),
      (.pixelCropRight, \.right),
    ]
  }
}

/// Colours of pictures, by the code points of ITU-T H.273, and the light of the screen that they were made on (RFC 9559,
/// 5.1.4.1.28.16). A field is `nil` where it isn't stated.
package struct MatroskaColour: Sendable, Equatable {
  /// The screen that the pictures were mastered on (SMPTE ST 2086). Chromaticities are coordinates of CIE 1931, 0…1.
  package struct Mastering: Sendable, Equatable {
    package var redX: Double?
    package var redY: Double?
    package var greenX: Double?
    package var greenY: Double?
    package var blueX: Double?
    package var blueY: Double?
    package var whiteX: Double?
    package var whiteY: Double?
    /// cd/m².
    package var luminanceMax: Double?
    package var luminanceMin: Double?

    /// A screen of which nothing is known.
    package init() {}
  }

  package var matrix: Int?
  package var bitsPerChannel: Int?
  /// Pixels of luma for one of chroma, less one.
  package var subsamplingHorizontal: Int?
  package var subsamplingVertical: Int?
  package var sitingHorizontal: Int?
  package var sitingVertical: Int?
  /// 1 for the range of broadcasting, 2 for the full one.
  package var range: Int?
  package var transfer: Int?
  package var primaries: Int?
  /// Light of the brightest pixel and of the brightest picture (CTA-861.3), in cd/m².
  package var maxCLL: Int?
  package var maxFALL: Int?
  package var mastering: Mastering?

  /// Colours of which nothing is known.
  package init() {}

  init(_ fields: [EBMLElement]) {
    for (id, path) in MatroskaColour.fields {
      self[keyPath: path] = fields[id]?.integer.map { Int($0) }
    }
    guard let children = fields[.masteringMetadata]?.children else { return }
    var mastering = Mastering()
    for (id, path) in MatroskaColour.masteringFields {
      mastering[keyPath: path] = children[id]?.float
    }
    self.mastering = mastering
  }

  func append(to builder: inout EBMLBuilder) {
    builder.master(.colour) {
      for (id, path) in MatroskaColour.fields { $0.unsigned(id, ifAny: self[keyPath: path]) }
      guard let mastering else { return }
      $0.master(.masteringMetadata) {
        for (id, path) in MatroskaColour.masteringFields {
          $0.float(id, ifAny: mastering[keyPath: path])
        }
      }
    }
  }

  private static var fields: [(EBMLID, WritableKeyPath<MatroskaColour, Int?>)] {
    [
      (.matrixCoefficients, \.matrix), (.bitsPerChannel, \.bitsPerChannel),
      (.chromaSubsamplingHorz, \.subsamplingHorizontal),
      (.chromaSubsamplingVert, \.subsamplingVertical),
      (.chromaSitingHorz, \.sitingHorizontal), (.chromaSitingVert, \.sitingVertical),
      (.range, \.range), (.transferCharacteristics, \.transfer), (.primaries, \.primaries),
      (.maxCLL, \.maxCLL), (.maxFALL, \.maxFALL),
    ]
  }

  private static var masteringFields: [(EBMLID, WritableKeyPath<Mastering, Double?>)] {
    [
      (.primaryRChromaticityX, \.redX), (.primaryRChromaticityY, \.redY),
      (.primaryGChromaticityX, \.greenX), (.primaryGChromaticityY, \.greenY),
      (.primaryBChromaticityX, \.blueX), (.primaryBChromaticityY, \.blueY),
      (.whitePointChromaticityX, \.whiteX), (.whitePointChromaticityY, \.whiteY),
      (.luminanceMax, \.luminanceMax), (.luminanceMin, \.luminanceMin),
    ]
  }
}
