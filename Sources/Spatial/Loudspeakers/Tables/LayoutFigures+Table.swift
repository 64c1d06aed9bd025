// swift-format-ignore-file
// Written by make_tables.py; don't edit.

/// Layouts of ITU-R BS.2051-3 and what ITU-R BS.2127-1 derives from them.
enum LayoutFigures {
  /// A line each for the name, loudspeakers, ranks, zone groups, virtual loudspeakers and regions.
  static let text = """
    layout 0+2+0
    main M+030 30 0 -1 1 0 0
    main M-030 -30 0 1 1 0 1
    ranks 1 0
    zones 0 1
    zones 1 0
    layout 0+5+0
    main M+030 30 0 -1 1 0 2
    main M-030 -30 0 1 1 0 4
    main M+000 0 0 0 1 0 1
    lfe LFE1 45 -30 -1 1 -1 0
    main M+110 110 0 -1 -1 0 3
    main M-110 -110 0 1 -1 0 5
    ranks 2 1 0 4 3
    zones 0 2 1 3 4
    zones 1 2 0 4 3
    zones 2 0,1 3,4
    zones 3 4 0 2 1
    zones 4 3 1 2 0
    virtual 30 -30 0
    virtual -30 -30 1
    virtual 0 -30 2
    virtual 110 -30 3
    virtual -110 -30 4
    virtual 30 30 0
    virtual -30 30 1
    virtual 0 30 2
    virtual 110 30 3
    virtual -110 30 4
    ring 0 0 -1 9 6 7 5 8
    ring 0 0 1 14 11 12 10 13
    quad 4 9 8 3
    quad 4 14 13 3
    quad 4 9 6 1
    quad 4 14 11 1
    quad 6 7 2 1
    quad 11 12 2 1
    quad 3 8 5 0
    quad 3 13 10 0
    quad 5 7 2 0
    quad 10 12 2 0
    layout 2+5+0
    main M+030 30 0 -1 1 0 2
    main M-030 -30 0 1 1 0 4
    main M+000 0 0 0 1 0 1
    lfe LFE1 45 -30 -1 1 -1 0
    main M+110 110 0 -1 -1 0 3
    main M-110 -110 0 1 -1 0 5
    main U+030 30 30 -1 1 1 6
    main U-030 -30 30 1 1 1 7
    ranks 2 1 0 4 3 6 5
    zones 0 2 1 3 4 5 6
    zones 1 2 0 4 3 6 5
    zones 2 0,1 3,4 5,6
    zones 3 4 0 2 1 5 6
    zones 4 3 1 2 0 6 5
    zones 5 6 0 2 1 3 4
    zones 6 5 1 2 0 4 3
    virtual 30 -30 0
    virtual -30 -30 1
    virtual 0 -30 2
    virtual 110 -30 3
    virtual -110 -30 4
    virtual 110 30 3
    virtual -110 30 4
    ring 0 0 -1 11 8 9 7 10
    ring 0 0 1 12 5 6 13
    triplet 2 5 6
    triplet 1 2 6
    triplet 0 2 5
    quad 4 11 10 3
    quad 4 13 12 3
    quad 4 11 8 1
    quad 4 13 6 1
    quad 2 1 8 9
    quad 3 10 7 0
    quad 3 12 5 0
    quad 7 9 2 0
    layout 4+5+0
    main M+030 30 0 -1 1 0 2
    main M-030 -30 0 1 1 0 4
    main M+000 0 0 0 1 0 1
    lfe LFE1 45 -30 -1 1 -1 0
    main M+110 110 0 -1 -1 0 3
    main M-110 -110 0 1 -1 0 5
    main U+030 30 30 -1 1 1 6
    main U-030 -30 30 1 1 1 8
    main U+110 110 30 -1 -1 1 7
    main U-110 -110 30 1 -1 1 9
    ranks 2 1 0 4 3 6 5 8 7
    zones 0 2 1 3 4 5 6 7 8
    zones 1 2 0 4 3 6 5 8 7
    zones 2 0,1 3,4 5,6 7,8
    zones 3 4 0 2 1 7 8 5 6
    zones 4 3 1 2 0 8 7 6 5
    zones 5 6 7 8 0 2 1 3 4
    zones 6 5 8 7 1 2 0 4 3
    zones 7 8 5 6 3 4 0 2 1
    zones 8 7 6 5 4 3 1 2 0
    virtual 30 -30 0
    virtual -30 -30 1
    virtual 0 -30 2
    virtual 110 -30 3
    virtual -110 -30 4
    ring 0 0 -1 13 10 11 9 12
    ring 0 0 1 7 5 6 8
    triplet 2 5 6
    triplet 1 2 6
    triplet 0 2 5
    quad 3 12 13 4
    quad 3 7 8 4
    quad 4 13 10 1
    quad 1 6 8 4
    quad 11 10 1 2
    quad 3 12 9 0
    quad 3 7 5 0
    quad 9 11 2 0
    layout 4+5+1
    main M+030 30 0 -1 1 0 3
    main M-030 -30 0 1 1 0 5
    main M+000 0 0 0 1 0 2
    lfe LFE1 45 -30 -1 1 -1 1
    main M+110 110 0 -1 -1 0 4
    main M-110 -110 0 1 -1 0 6
    main U+030 30 30 -1 1 1 7
    main U-030 -30 30 1 1 1 9
    main U+110 110 30 -1 -1 1 8
    main U-110 -110 30 1 -1 1 10
    main B+000 0 -30 0 1 -1 0
    ranks 2 1 0 4 3 7 6 9 8 5
    zones 0 2 1 3 4 5 6 7 8 9
    zones 1 2 0 4 3 6 5 8 7 9
    zones 2 0,1 3,4 5,6 7,8 9
    zones 3 4 0 2 1 7 8 5 6 9
    zones 4 3 1 2 0 8 7 6 5 9
    zones 5 6 7 8 0 2 1 3 4 9
    zones 6 5 8 7 1 2 0 4 3 9
    zones 7 8 5 6 3 4 0 2 1 9
    zones 8 7 6 5 4 3 1 2 0 9
    zones 9 2 0,1 3,4 5,6 7,8
    virtual 110 -30 3
    virtual -110 -30 4
    ring 0 0 -1 11 10 9
    ring 0 0 1 7 5 6 8
    triplet 1 11 4
    triplet 9 2 1
    triplet 9 11 1
    triplet 1 2 6
    triplet 2 5 6
    triplet 0 9 2
    triplet 0 2 5
    triplet 0 9 10
    triplet 0 10 3
    quad 4 11 10 3
    quad 3 7 8 4
    quad 1 6 8 4
    quad 3 7 5 0
    layout 3+7+0
    main M+000 0 0 0 1 0 2
    main M+030 30 0 -1 1 0 3
    main M-030 -30 0 1 1 0 6
    main U+045 45 30 -1 1 1 9
    main U-045 -45 30 1 1 1 10
    main M+090 90 0 -1 0 0 4
    main M-090 -90 0 1 0 0 7
    main M+135 135 0 -1 -1 0 5
    main M-135 -135 0 1 -1 0 8
    main UH+180 180 45 0 -1 1 11
    lfe LFE1 45 -30 -1 1 -1 0
    lfe LFE2 -45 -30 1 1 -1 1
    ranks 0 2 1 8 7 4 3 6 5 9
    zones 0 1,2 5,6 7,8 3,4 9
    zones 1 0 2 5 6 7 8 3 4 9
    zones 2 0 1 6 5 8 7 4 3 9
    zones 3 4 9 1 0 2 5 6 7 8
    zones 4 3 9 2 0 1 6 5 8 7
    zones 5 6 7 1 0 2 8 3 9 4
    zones 6 5 8 2 0 1 7 4 9 3
    zones 7 8 5 6 1 0 2 9 3 4
    zones 8 7 6 5 2 0 1 9 4 3
    zones 9 3,4 7,8 5,6 1,2 0
    virtual 0 -30 0
    virtual 30 -30 1
    virtual -30 -30 2
    virtual 90 -30 5
    virtual -90 -30 6
    virtual 135 -30 7
    virtual -135 -30 8
    ring 0 0 -1 14 16 15 13 11 10 12
    triplet 9 5 7
    triplet 8 9 7
    triplet 8 9 6
    triplet 0 1 3
    triplet 1 3 5
    triplet 9 3 5
    triplet 0 2 4
    triplet 0 3 4
    triplet 9 3 4
    triplet 2 4 6
    triplet 9 4 6
    quad 5 13 11 1
    quad 10 11 1 0
    quad 10 12 2 0
    quad 7 15 13 5
    quad 6 14 12 2
    quad 7 15 16 8
    quad 6 14 16 8
    layout 4+9+0
    main M+030 30 0 -1 1 0 2
    main M-030 -30 0 1 1 0 6
    main M+000 0 0 0 1 0 1
    lfe LFE1 45 -30 -1 1 -1 0
    main M+090 90 0 -1 0 0 3
    main M-090 -90 0 1 0 0 7
    main M+135 135 0 -1 -1 0 4
    main M-135 -135 0 1 -1 0 8
    main U+045 45 30 -1 1 1 10
    main U-045 -45 30 1 1 1 12
    main U+135 135 30 -1 -1 1 11
    main U-135 -135 30 1 -1 1 13
    main M+SC 15 0 -0.5 1 0 5
    main M-SC -15 0 0.5 1 0 9
    ranks 4 3 0 6 5 8 7 10 9 12 11 2 1
    zones 0 11 2 12 1 3 4 5 6 7 8 9 10
    zones 1 12 2 11 0 4 3 6 5 8 7 10 9
    zones 2 11,12 0,1 3,4 5,6 7,8 9,10
    zones 3 4 5 0 11 2 12 1 6 7,9 8,10
    zones 4 3 6 1 12 2 11 0 5 8,10 7,9
    zones 5 6 3 4 0 11 2 12 1 9 10 7 8
    zones 6 5 4 3 1 12 2 11 0 10 9 8 7
    zones 7 8 9 10 0 11 2 12 1 3 4 5 6
    zones 8 7 10 9 1 12 2 11 0 4 3 6 5
    zones 9 10 7 8 5 6 3 4 0 11 2 12 1
    zones 10 9 8 7 6 5 4 3 1 12 2 11 0
    zones 11 2 0 12 1 3 4 5 6 7 8 9 10
    zones 12 2 1 11 0 4 3 6 5 8 7 10 9
    virtual 30 -30 0
    virtual -30 -30 1
    virtual 0 -30 2
    virtual 90 -30 3
    virtual -90 -30 4
    virtual 135 -30 5
    virtual -135 -30 6
    virtual 15 -30 11
    virtual -15 -30 12
    ring 0 0 -1 18 19 17 14 21 15 20 13 16
    ring 0 0 1 9 7 8 10
    triplet 8 2 7
    triplet 0 3 7
    triplet 8 1 4
    triplet 8 10 4
    triplet 9 3 5
    triplet 9 3 7
    triplet 2 11 7
    triplet 0 11 7
    triplet 8 2 12
    triplet 8 1 12
    triplet 10 4 6
    quad 3 16 13 0
    quad 4 17 14 1
    quad 5 18 16 3
    quad 13 20 11 0
    quad 15 20 11 2
    quad 14 21 12 1
    quad 15 21 12 2
    quad 6 10 9 5
    quad 6 19 18 5
    quad 6 19 17 4
    layout 9+10+3
    main M+060 60 0 -1 0.414214 0 7
    main M-060 -60 0 1 0.414214 0 12
    main M+000 0 0 0 1 0 5
    lfe LFE1 45 -30 -1 1 -1 3
    main M+135 135 0 -1 -1 0 9
    main M-135 -135 0 1 -1 0 14
    main M+030 30 0 -1 1 0 6
    main M-030 -30 0 1 1 0 11
    main M+180 180 0 0 -1 0 10
    lfe LFE2 -45 -30 1 1 -1 4
    main M+090 90 0 -1 0 0 8
    main M-090 -90 0 1 0 0 13
    main U+045 45 30 -1 1 1 17
    main U-045 -45 30 1 1 1 21
    main U+000 0 30 0 1 1 16
    main T+000 0 90 0 0 1 15
    main U+135 135 30 -1 -1 1 19
    main U-135 -135 30 1 -1 1 23
    main U+090 90 30 -1 0 1 18
    main U-090 -90 30 1 0 1 22
    main U+180 180 30 0 -1 1 20
    main B+000 0 -30 0 1 -1 0
    main B+045 45 -30 -1 1 -1 1
    main B-045 -45 -30 1 1 -1 2
    ranks 4 3 0 8 7 2 1 9 6 5 15 14 13 21 19 18 17 16 20 10 12 11
    zones 0 5 2 6 1 8 9 3 7 4 10 12 11 16 17 14 18 15 13 20 19 21
    zones 1 6 2 5 0 9 8 4 7 3 11 12 10 17 16 15 18 14 13 21 19 20
    zones 2 5,6 0,1 8,9 3,4 7 12 10,11 16,17 14,15 18 13 19 20,21
    zones 3 7 4 8 9 0 5 2 1 6 14 18 15 16 17 10 12 11 13 20 19 21
    zones 4 7 3 9 8 1 6 2 0 5 15 18 14 17 16 11 12 10 13 21 19 20
    zones 5 2 0 6 1 8 9 3 7 4 10 12 11 16 17 14 18 15 13 20 19 21
    zones 6 2 1 5 0 9 8 4 7 3 11 12 10 17 16 15 18 14 13 21 19 20
    zones 7 3,4 8,9 0,1 5,6 2 18 14,15 16,17 10,11 12 13 20,21 19
    zones 8 9 0 3 5 2,7 6 4 1 16 17 10,14 12,18 11,15 13 20 19 21
    zones 9 8 1 4 6 2,7 5 3 0 17 16 11,15 12,18 10,14 13 21 19 20
    zones 10 12 11 16 17 14 18 15 13 0 5 2 6 1 8 9 3 7 4 20 19 21
    zones 11 12 10 17 16 15 18 14 13 1 6 2 5 0 9 8 4 7 3 21 19 20
    zones 12 10,11 16,17 14,15 18 13 2 5,6 0,1 8,9 3,4 7 19 20,21
    zones 13 16,17 10,11,14,15 12,18 8,9 2,7 0,1 3,4 5,6 20,21 19
    zones 14 18 15 16 17 10 12 11 13 3 7 4 8 9 0 5 2 1 6 20 19 21
    zones 15 18 14 17 16 11 12 10 13 4 7 3 9 8 1 6 2 0 5 21 19 20
    zones 16 17 10,14 12,18 11,15 13 8 9 0 3 5 2,7 6 4 1 20 19 21
    zones 17 16 11,15 12,18 10,14 13 9 8 1 4 6 2,7 5 3 0 21 19 20
    zones 18 14,15 16,17 10,11 12 13 7 3,4 8,9 0,1 5,6 2 20,21 19
    zones 19 20,21 2 5,6 0,1 8,9 3,4 7 12 10,11 16,17 14,15 18 13
    zones 20 19 21 0 5 2 6 1 8 9 3 7 4 10 12 11 16 17 14 18 15 13
    zones 21 19 20 1 6 2 5 0 9 8 4 7 3 11 12 10 17 16 15 18 14 13
    virtual 135 -30 3
    virtual -135 -30 4
    virtual 180 -30 7
    virtual 90 -30 8
    virtual -90 -30 9
    ring 0 0 -1 23 24 22 25 20 19 21 26
    triplet 16 13 14
    triplet 17 13 15
    triplet 18 13 14
    triplet 18 13 15
    triplet 16 10 13
    triplet 17 11 13
    triplet 2 19 5
    triplet 19 20 5
    triplet 0 16 8
    triplet 0 16 10
    triplet 0 10 5
    triplet 0 20 5
    triplet 0 25 8
    triplet 0 25 20
    triplet 2 12 5
    triplet 10 12 5
    triplet 10 12 13
    triplet 11 12 13
    triplet 2 19 6
    triplet 19 21 6
    triplet 2 12 6
    triplet 11 12 6
    triplet 1 17 9
    triplet 1 11 17
    triplet 1 11 6
    triplet 1 21 6
    triplet 1 26 9
    triplet 1 26 21
    quad 3 22 25 8
    quad 3 14 16 8
    quad 3 22 24 7
    quad 4 23 26 9
    quad 4 15 17 9
    quad 4 23 24 7
    quad 3 14 18 7
    quad 4 15 18 7
    layout 0+7+0
    main M+030 30 0 -1 1 0 2
    main M-030 -30 0 1 1 0 5
    main M+000 0 0 0 1 0 1
    lfe LFE1 45 -30 -1 1 -1 0
    main M+090 90 0 -1 0 0 3
    main M-090 -90 0 1 0 0 6
    main M+135 135 0 -1 -1 0 4
    main M-135 -135 0 1 -1 0 7
    ranks 2 1 0 4 3 6 5
    zones 0 2 1 3 4 5 6
    zones 1 2 0 4 3 6 5
    zones 2 0,1 3,4 5,6
    zones 3 4 5 0 2 1 6
    zones 4 3 6 1 2 0 5
    zones 5 6 3 4 0 2 1
    zones 6 5 4 3 1 2 0
    virtual 30 -30 0
    virtual -30 -30 1
    virtual 0 -30 2
    virtual 90 -30 3
    virtual -90 -30 4
    virtual 135 -30 5
    virtual -135 -30 6
    virtual 30 30 0
    virtual -30 30 1
    virtual 0 30 2
    virtual 90 30 3
    virtual -90 30 4
    virtual 135 30 5
    virtual -135 30 6
    ring 0 0 -1 12 13 11 8 9 7 10
    ring 0 0 1 19 20 18 15 16 14 17
    quad 3 10 7 0
    quad 3 17 14 0
    quad 7 9 2 0
    quad 4 11 8 1
    quad 4 18 15 1
    quad 2 1 8 9
    quad 0 2 16 14
    quad 1 2 16 15
    quad 5 12 10 3
    quad 5 19 17 3
    quad 5 12 13 6
    quad 6 20 19 5
    quad 6 13 11 4
    quad 6 20 18 4
    layout 4+7+0
    main M+030 30 0 -1 1 0 2
    main M-030 -30 0 1 1 0 5
    main M+000 0 0 0 1 0 1
    lfe LFE1 45 -30 -1 1 -1 0
    main M+090 90 0 -1 0 0 3
    main M-090 -90 0 1 0 0 6
    main M+135 135 0 -1 -1 0 4
    main M-135 -135 0 1 -1 0 7
    main U+045 45 30 -1 1 1 8
    main U-045 -45 30 1 1 1 10
    main U+135 135 30 -1 -1 1 9
    main U-135 -135 30 1 -1 1 11
    ranks 2 1 0 4 3 6 5 8 7 10 9
    zones 0 2 1 3 4 5 6 7 8 9 10
    zones 1 2 0 4 3 6 5 8 7 10 9
    zones 2 0,1 3,4 5,6 7,8 9,10
    zones 3 4 5 0 2 1 6 7,9 8,10
    zones 4 3 6 1 2 0 5 8,10 7,9
    zones 5 6 3 4 0 2 1 9 10 7 8
    zones 6 5 4 3 1 2 0 10 9 8 7
    zones 7 8 9 10 0 2 1 3 4 5 6
    zones 8 7 10 9 1 2 0 4 3 6 5
    zones 9 10 7 8 5 6 3 4 0 2 1
    zones 10 9 8 7 6 5 4 3 1 2 0
    virtual 30 -30 0
    virtual -30 -30 1
    virtual 0 -30 2
    virtual 90 -30 3
    virtual -90 -30 4
    virtual 135 -30 5
    virtual -135 -30 6
    ring 0 0 -1 16 17 15 12 13 11 14
    ring 0 0 1 9 7 8 10
    triplet 8 2 7
    triplet 0 3 7
    triplet 0 2 7
    triplet 8 1 4
    triplet 8 1 2
    triplet 8 10 4
    triplet 9 3 5
    triplet 9 3 7
    triplet 10 4 6
    quad 3 14 11 0
    quad 11 13 2 0
    quad 4 15 12 1
    quad 12 13 2 1
    quad 3 14 16 5
    quad 6 10 9 5
    quad 6 17 16 5
    quad 4 15 17 6
    """
}
