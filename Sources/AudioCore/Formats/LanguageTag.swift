// SPDX-License-Identifier: Apache-2.0

/// A language as containers name it, by codes of ISO 639 or tags of BCP 47 (RFC 5646), in the forms that outputs need.
package struct LanguageTag: Sendable, Equatable {
  /// The shortest tag of BCP 47: `es` for `spa`, `en-GB` for `eng_gb`.
  package let text: String
  /// The code of the language itself, in lower case, as short as there is one.
  package let language: String

  /// The language that `text` names; `nil` where it names none, such as `und` or a free text.
  package init?(_ text: String) {
    var parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
      .map { $0.lowercased() }
    guard let first = parts.first, LanguageTag.isLetters(first), (2...3).contains(first.utf8.count),
      first != "und", parts.allSatisfy(LanguageTag.isPart)
    else { return nil }
    parts[0] = LanguageTable.row(of: first)?.short ?? first
    language = parts[0]
    self.text = LanguageTag.written(parts)
  }

  /// The three letters of ISO 639-2/T, which MP4 has in `mdhd` (ISO/IEC 14496-12, 8.4.2.3); `nil` where there are none.
  package var terminological: String? {
    if let row = LanguageTable.row(of: language) { return row.terminological }
    return language.utf8.count == 3 ? language : nil
  }

  /// The name that its speakers give it, with the region or script where the tag has one; `nil` where that isn't known.
  package var name: String? {
    guard let row = LanguageTable.row(of: language) else { return nil }
    let rest = text.dropFirst(language.count + 1)
    return rest.isEmpty ? row.name : "\(row.name) (\(rest))"
  }

  private static func isLetters(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x61...0x7A).contains($0) }
  }

  /// Whether `part` is one to eight letters or digits (RFC 5646, 2.1).
  private static func isPart(_ part: String) -> Bool {
    (1...8).contains(part.utf8.count)
      && part.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
  }

  /// The parts in the usual letter case (RFC 5646, 2.1.1): regions in capitals, scripts with one.
  private static func written(_ parts: [String]) -> String {
    var isExtension = false
    return parts.enumerated().map { index, part in
      isExtension = isExtension || part.utf8.count == 1
      guard index > 0, !isExtension, isLetters(part) else { return part }
      switch part.utf8.count {
      case 2: return part.uppercased()
      case 4: return part.prefix(1).uppercased() + part.dropFirst()
      default: return part
      }
    }.joined(separator: "-")
  }
}

/// Languages that have a code of two letters (ISO 639-1).
///
/// Names are those that CLDR 46 gives in the language itself, and English ones where it has none.
enum LanguageTable {
  /// One language.
  struct Row: Sendable {
    /// The code of two letters, which tags of BCP 47 have to use (RFC 5646, 2.2.1).
    let short: String
    /// The code of ISO 639-2/T, which MP4 uses; ISO 639-2/B differs for twenty languages.
    let terminological: String
    /// The language's own name.
    let name: String
  }

  /// The language that a code means: of two letters, of ISO 639-2/T or /B, or one that was withdrawn.
  static func row(of code: String) -> Row? { rows[code] }

  private static let rows: [String: Row] = {
    var rows: [String: Row] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      let codes = parts[0].split(separator: " ").map(String.init)
      let row = Row(short: codes[0], terminological: codes[1], name: String(parts[1]))
      for code in codes { rows[code] = row }
    }
    return rows
  }()

  /// The code of two letters, that of ISO 639-2/T, then others, and the name.
  private static let text = """
    aa aar=Qafar
    ab abk=Аԥсшәа
    ae ave=Avestan
    af afr=Afrikaans
    ak aka=Akan
    am amh=አማርኛ
    an arg=Aragonés
    ar ara=العربية
    as asm=অসমীয়া
    av ava=Avaric
    ay aym=Aymara
    az aze=Azərbaycan
    ba bak=Башҡорт теле
    be bel=Беларуская
    bg bul=Български
    bh bih=Bihari languages
    bi bis=Bislama
    bm bam=Bamanakan
    bn ben=বাংলা
    bo bod tib=བོད་སྐད
    br bre=Brezhoneg
    bs bos=Bosanski
    ca cat=Català
    ce che=Нохчийн
    ch cha=Chamorro
    co cos=Corsu
    cr cre=Cree
    cs ces cze=Čeština
    cu chu=Церковнослове́нскїй
    cv chv=Чӑваш
    cy cym wel=Cymraeg
    da dan=Dansk
    de deu ger=Deutsch
    dv div=ދިވެހިބަސް
    dz dzo=རྫོང་ཁ
    ee ewe=Eʋegbe
    el ell gre=Ελληνικά
    en eng=English
    eo epo=Esperanto
    es spa=Español
    et est=Eesti
    eu eus baq=Euskara
    fa fas per=فارسی
    ff ful=Pulaar
    fi fin=Suomi
    fj fij=Fijian
    fo fao=Føroyskt
    fr fra fre=Français
    fy fry=Frysk
    ga gle=Gaeilge
    gd gla=Gàidhlig
    gl glg=Galego
    gn grn=Avañe’ẽ
    gu guj=ગુજરાતી
    gv glv=Gaelg
    ha hau=Hausa
    he heb iw=עברית
    hi hin=हिन्दी
    ho hmo=Hiri Motu
    hr hrv scr=Hrvatski
    ht hat=Kreyòl Ayisyen
    hu hun=Magyar
    hy hye arm=Հայերեն
    hz her=Herero
    ia ina=Interlingua
    id ind in=Indonesia
    ie ile=Interlingue
    ig ibo=Igbo
    ii iii=ꆈꌠꉙ
    ik ipk=Inupiaq
    io ido=Ido
    is isl ice=Íslenska
    it ita=Italiano
    iu iku=ᐃᓄᒃᑎᑐᑦ
    ja jpn=日本語
    jv jav=Jawa
    ka kat geo=Ქართული
    kg kon=Kongo
    ki kik=Gikuyu
    kj kua=Kuanyama
    kk kaz=Қазақ тілі
    kl kal=Kalaallisut
    km khm=ខ្មែរ
    kn kan=ಕನ್ನಡ
    ko kor=한국어
    kr kau=Kanuri
    ks kas=کٲشُر
    ku kur=Kurdî
    kv kom=Komi
    kw cor=Kernewek
    ky kir=Кыргызча
    la lat=Latina
    lb ltz=Lëtzebuergesch
    lg lug=Luganda
    li lim=Limburgan
    ln lin=Lingála
    lo lao=ລາວ
    lt lit=Lietuvių
    lu lub=Tshiluba
    lv lav=Latviešu
    mg mlg=Malagasy
    mh mah=Marshallese
    mi mri mao=Māori
    mk mkd mac=Македонски
    ml mal=മലയാളം
    mn mon=Монгол
    mr mar=मराठी
    ms msa may=Melayu
    mt mlt=Malti
    my mya bur=မြန်မာ
    na nau=Nauru
    nb nob=Norsk bokmål
    nd nde=isiNdebele
    ne nep=नेपाली
    ng ndo=Ndonga
    nl nld dut=Nederlands
    nn nno=Norsk nynorsk
    no nor=Norsk
    nr nbl=isiNdebele
    nv nav=Diné Bizaad
    ny nya=Nyanja
    oc oci=Occitan
    oj oji=Ojibwa
    om orm=Oromoo
    or ori=ଓଡ଼ିଆ
    os oss=Ирон
    pa pan=ਪੰਜਾਬੀ
    pi pli=Pali
    pl pol=Polski
    ps pus=پښتو
    pt por=Português
    qu que=Runasimi
    rm roh=Rumantsch
    rn run=Ikirundi
    ro ron rum mo mol=Română
    ru rus=Русский
    rw kin=Ikinyarwanda
    sa san=संस्कृत भाषा
    sc srd=Sardu
    sd snd=سنڌي
    se sme=Davvisámegiella
    sg sag=Sängö
    sh hbs=Serbo-Croatian
    si sin=සිංහල
    sk slk slo=Slovenčina
    sl slv=Slovenščina
    sm smo=Samoan
    sn sna=chiShona
    so som=Soomaali
    sq sqi alb=Shqip
    sr srp scc=Српски
    ss ssw=siSwati
    st sot=Sesotho
    su sun=Basa Sunda
    sv swe=Svenska
    sw swa=Kiswahili
    ta tam=தமிழ்
    te tel=తెలుగు
    tg tgk=Тоҷикӣ
    th tha=ไทย
    ti tir=ትግርኛ
    tk tuk=Türkmen dili
    tl tgl=Tagalog
    tn tsn=Setswana
    to ton=Lea fakatonga
    tr tur=Türkçe
    ts tso=Xitsonga
    tt tat=Татар
    tw twi=Twi
    ty tah=Tahitian
    ug uig=ئۇيغۇرچە
    uk ukr=Українська
    ur urd=اردو
    uz uzb=O‘zbek
    ve ven=Tshivenḓa
    vi vie=Tiếng Việt
    vo vol=Volapük
    wa wln=Walon
    wo wol=Wolof
    xh xho=IsiXhosa
    yi yid ji=ייִדיש
    yo yor=Èdè Yorùbá
    za zha=Vahcuengh
    zh zho chi=中文
    zu zul=isiZulu
    """
}
