# SPDX-License-Identifier: Apache-2.0
"""Finds the places in Swift sources where a defect of one expression can be put in, and writes it so that a running
program can switch it on.

A defect is chosen by the environment variable PINNA_MUTANT, so that one build holds all of them. A binary operator is
replaced by an operator of the defect's own with the same precedence, whose function does the right or the wrong thing.
The other kinds call a function that takes the right value.
"""
import os
import re

# Generated tables aren't code.
GENERATED = re.compile(r"(\+Table\.swift$|/Figures/|/Annexes/)")
# What these lines say isn't evaluated, or decides about types.
PASSED_OVER = ("//", "@", "import", "#", "precondition", "assert", "case ", "fatalError")
# Each operator's kind, and what the defect does in its place.
OPERATORS = {
    "<": ("boundary", "<="), "<=": ("boundary", "<"), ">": ("boundary", ">="), ">=": ("boundary", ">"),
    "==": ("equality", "!="), "!=": ("equality", "=="), "+": ("sum", "-"), "-": ("sum", "+"), "*": ("product", "+"),
    "/": ("quotient", "*"), "+=": ("sum in place", "-="), "-=": ("sum in place", "+="), "&&": ("logic", "||"),
    "||": ("logic", "&&"),
}
PRECEDENCES = {"boundary": "Comparison", "equality": "Comparison", "sum": "Addition", "product": "Multiplication",
               "quotient": "Multiplication", "sum in place": "Assignment"}
# How many defects of each kind are put in for a hundred.
SHARES = {"boundary": 12, "equality": 7, "sum": 9, "product": 3, "quotient": 2, "sum in place": 3, "logic": 7,
          "integer": 12, "fraction": 4, "truth": 4, "bound": 4, "negation": 4, "branch": 11, "guard": 9, "call": 9,
          "assignment": 4}
PATTERNS = [
    (None, re.compile(r"(?<=\s)(<=|>=|==|!=|&&|\|\||\+=|-=|<|>|\+|-|\*|/)(?=\s)")),
    ("integer", re.compile(r"(?<![\w.$])(\d[\d_]*)(?![\w.])")),
    ("fraction", re.compile(r"(?<![\w.$])(\d+\.\d+)(?![\w.])")),
    ("truth", re.compile(r"(?<![\w.])(true|false)\b")),
    ("bound", re.compile(r"(?<![\w.])(min|max)\((?=[^()]*(?:\([^()]*\)[^()]*)*,[^()]*(?:\([^()]*\)[^(),]*)*\))")),
    ("negation", re.compile(r"(?<=[\s(])!(?=[a-z(])")),
]
CONDITIONS = [("branch", re.compile(r"\s*(?:\} else )?if ([^{}\"]+) \{")),
              ("guard", re.compile(r"\s*guard ([^{}\"]+) else \{"))]
STATEMENTS = [("call", re.compile(r"\s+((?:try )?[a-z][\w.?]*(?:\[[^\]]*\])?[\w.?]*\(.*\))$")),
              ("assignment", re.compile(r"\s+([a-z][\w.]*(?:\[[^\]]*\])?[\w.]* = [^{}]*[^{},+\-*/&|=?:(])$"))]
BINDING = re.compile(r"\b(let|var|case|try|await|#available)\b")
OTHER_STATEMENT = re.compile(
    r"(return|throw|let|var|super|self|if|guard|while|for|switch|func|init|case|defer|static|private|package|public)\b")


class Place:
    """A place in a file, where the text from `start` to `end` of a line can be replaced."""

    def __init__(self, path, line, start, end, kind, text):
        self.path, self.line, self.start, self.end, self.kind, self.text = path, line, start, end, kind, text

    def __str__(self):
        return f"{self.path}:{self.line + 1}: {self.kind}: {self.text[:60]}"


def code_of(line):
    """The line with blanks in place of strings and without what is behind `//`."""
    found, is_quoted, index = [], False, 0
    while index < len(line):
        if is_quoted and line[index] == "\\":
            found.append("  ")
            index += 2
            continue
        if not is_quoted and line.startswith("//", index):
            break
        is_mark = line[index] == '"'
        found.append('"' if is_mark else " " if is_quoted else line[index])
        is_quoted ^= is_mark
        index += 1
    return "".join(found)


def is_statement(lines, number):
    """Whether a line is a whole statement, as far as its neighbours tell."""
    line = lines[number].strip()
    before, behind = lines[number - 1].rstrip(), lines[number + 1].strip() if number + 1 < len(lines) else ""
    return (number > 0 and before.endswith(("}", "{", ")")) and line.count("(") == line.count(")")
            and not OTHER_STATEMENT.match(line) and not behind.startswith((".", "&&", "||", "?", ":", "+", "-", "*", "/")))


def has_comma(text):
    """Whether a condition has several parts."""
    while (shorter := re.sub(r"\([^()]*\)", "", text)) != text:
        text = shorter
    return "," in text


def in_line(path, lines, number):
    """All places in a line."""
    line = lines[number]
    if line.strip().startswith(PASSED_OVER):
        return
    code = code_of(line)
    for kind, pattern in PATTERNS:
        for match in pattern.finditer(code):
            if "func " in code and kind in (None, "bound"):
                continue
            text = match.group(match.lastindex or 0)
            yield Place(path, number, match.start(), match.end(), kind or OPERATORS[text][0], text)
    for kind, pattern in CONDITIONS:
        match = pattern.match(code)
        if match and not BINDING.search(match.group(1)) and not has_comma(match.group(1)):
            yield Place(path, number, match.start(1), match.end(1), kind, match.group(1))
    for kind, pattern in STATEMENTS:
        match = pattern.match(line)
        if match and code == line and is_statement(lines, number):
            yield Place(path, number, match.start(1), match.end(1), kind, match.group(1))


def find(sources):
    """All places below a folder, and the lines of each file by its path."""
    found, texts = [], {}
    for folder, folders, names in os.walk(sources):
        folders.sort()
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), sources)
            if not name.endswith(".swift") or GENERATED.search(path):
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                lines = file.read().split("\n")
            texts[path] = lines
            is_text = False
            for number, line in enumerate(lines):
                if line.count('"""') % 2:
                    is_text = not is_text
                elif not is_text:
                    found += in_line(path, lines, number)
    return found, texts


def operator(number):
    """An operator that no other defect has."""
    return "".join("⊕⊖⊗⊘⊙⊚⊛⊜⊝"[number // 9 ** place % 9] for place in (3, 2, 1, 0)) + "⊞"


def declaration(number, place):
    """The functions of a defect's operator; nothing where the defect calls a common one."""
    name, kind, right = operator(number), place.kind, place.text
    if kind == "negation":
        return f"prefix operator {name}\nprefix func {name}(a: Bool) -> Bool {{ mutant({number}) ? a : !a }}\n"
    if kind == "logic":
        precedence = "LogicalConjunction" if right == "&&" else "LogicalDisjunction"
        return (f"infix operator {name}: {precedence}Precedence\n"
                f"func {name}(a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool {{\n"
                f"  if mutant({number}) {{ return try a {OPERATORS[right][1]} b() }} else {{ return try a {right} b() }}\n}}\n")
    if kind not in PRECEDENCES:
        return ""
    wrong = OPERATORS[right][1]
    body = f"{{ mutant({number}) ? a {wrong} b : a {right} b }}"
    functions = {
        "boundary": [f"<T: Comparable>(a: T, b: T) -> Bool {body}"],
        "equality": [f"<T: Equatable>(a: T, b: T) -> Bool {body}",
                     f"<T>(a: T?, b: _OptionalNilComparisonType) -> Bool {body}"],
        "sum": [f"<T: AdditiveArithmetic>(a: T, b: T) -> T {body}"],
        "product": [f"<T: Numeric>(a: T, b: T) -> T {body}"],
        "quotient": [f"<T: FloatingPoint>(a: T, b: T) -> T {body}",
                     f"<T: BinaryInteger>(a: T, b: T) -> T {{ mutant({number}) ? (a + b - 1) / b : a / b }}"],
        "sum in place": [f"<T: AdditiveArithmetic>(a: inout T, b: T) {{ if mutant({number}) {{ a {wrong} b }} "
                         f"else {{ a {right} b }} }}"],
    }[kind]
    return f"infix operator {name}: {PRECEDENCES[kind]}Precedence\n" + "".join(
        f"func {name} {function}\n" for function in functions)


def replacement(number, place):
    """What stands in the place's text in a line."""
    text = place.text
    if place.kind in PRECEDENCES or place.kind in ("logic", "negation"):
        return operator(number)
    if place.kind == "integer":
        return f"mutantInteger({number}, {text}, {int(text.replace('_', '')) + 1})"
    if place.kind == "fraction":
        return f"mutantFraction({number}, {text}, {float(text) * 1.125 or 0.125})"
    if place.kind == "bound":
        return f"mutant{text.capitalize()}({number}, "
    if place.kind in ("call", "assignment"):
        return f"if !mutant({number}) {{ {text} }}"
    return f"mutant{place.kind.capitalize()}({number}, {text})"


# Each module has these, because the lowest ones import nothing. A path in PINNA_REACHED gets the numbers of the defects
# that a process came by.
COMMON = """#if canImport(Glibc)
  import Glibc
#endif

private enum Mutants {
  static let chosen = getenv("PINNA_MUTANT").flatMap { Int(String(cString: $0)) } ?? -1
  static let record = getenv("PINNA_REACHED").map { open($0, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644) } ?? -1
  nonisolated(unsafe) static let seen: UnsafeMutablePointer<UInt8> = {
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 8192)
    bytes.initialize(repeating: 0, count: 8192)
    return bytes
  }()
}

@inline(never) private func note(_ number: Int) {
  Mutants.seen[number] = 1
  let text = Array("\\(number)\\n".utf8)
  _ = write(Mutants.record, text, text.count)
}

func mutant(_ number: Int) -> Bool {
  if Mutants.record >= 0, Mutants.seen[number] == 0 { note(number) }
  return Mutants.chosen == number
}
func mutantInteger<T: ExpressibleByIntegerLiteral>(_ number: Int, _ a: T, _ b: T) -> T { mutant(number) ? b : a }
func mutantFraction<T: ExpressibleByFloatLiteral>(_ number: Int, _ a: T, _ b: T) -> T { mutant(number) ? b : a }
func mutantTruth(_ number: Int, _ a: Bool) -> Bool { mutant(number) != a }
func mutantBranch(_ number: Int, _ a: Bool) -> Bool { let isOn = mutant(number); return a && !isOn }
func mutantGuard(_ number: Int, _ a: Bool) -> Bool { let isOn = mutant(number); return a || isOn }
func mutantMin<T: Comparable>(_ number: Int, _ a: T, _ b: T) -> T { mutant(number) ? max(a, b) : min(a, b) }
func mutantMax<T: Comparable>(_ number: Int, _ a: T, _ b: T) -> T { mutant(number) ? min(a, b) : max(a, b) }

"""


def written(texts, chosen):
    """All files as they are with the chosen defects, by their paths. `chosen` has places by their numbers."""
    files = {path: list(lines) for path, lines in texts.items()}
    declarations = {}
    for number, place in chosen.items():
        line = texts[place.path][place.line]
        files[place.path][place.line] = line[:place.start] + replacement(number, place) + line[place.end:]
        module = place.path.split("/")[0]
        declarations.setdefault(module, []).append(declaration(number, place))
    found = {path: "\n".join(lines) for path, lines in files.items()}
    for module, parts in declarations.items():
        found[f"{module}/Mutants.swift"] = COMMON + "".join(parts)
    return found
