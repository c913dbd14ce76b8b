"""The 32-bit encodings of ARMv7-M (DDI 0403E, A5.3), without those of the DSP extension."""

from __future__ import annotations

from typing import Any

from cortex_m_encoding import Encoding, Kind, Rule, encoding, other, pc, sp, sp_pc

WIDE: list[Encoding] = []


def _e(name: str, bits: str, *rules: Rule, **more: Any) -> None:
    WIDE.append(encoding(name, bits, *rules, **more))


# --- Data processing, operands a register that is shifted or an immediate (A5.3.1, A5.3.11) -----------------------

_SHIFTED = "imm3:3 {Rd} imm2:2 type:2 Rm:4"
_EXPANDS: Rule = ("i == 0 and imm3 in (1, 2, 3) and imm8 == 0", "ThumbExpandImm of 00000000: UNPREDICTABLE")
_THREE: dict[str, tuple[int, tuple[Rule, ...]]] = {  # opcode, what Rn and Rd may not be
    "AND": (0, (*sp_pc("Rn"), ("Rd == 13 or Rd == 15 and S == 0", "UNPREDICTABLE"), *other("Rd == 15", "TST"))),
    "BIC": (1, sp_pc("Rn", "Rd")),
    "ORR": (2, (*sp("Rn"), *sp_pc("Rd"), *other("Rn == 15", "MOV"))),
    "ORN": (3, (*sp("Rn"), *sp_pc("Rd"), *other("Rn == 15", "MVN"))),
    "EOR": (4, (*sp_pc("Rn"), ("Rd == 13 or Rd == 15 and S == 0", "UNPREDICTABLE"), *other("Rd == 15", "TEQ"))),
    "ADD": (8, (*pc("Rn"), ("Rd == 15 and S == 0", "UNPREDICTABLE"), *other("Rd == 15", "CMN"))),
    "ADC": (10, sp_pc("Rn", "Rd")),
    "SBC": (11, sp_pc("Rn", "Rd")),
    "SUB": (13, (*pc("Rn"), ("Rd == 15 and S == 0", "UNPREDICTABLE"), *other("Rd == 15", "CMP"))),
    "RSB": (14, sp_pc("Rn", "Rd")),
}
_TO_SP: Rule = ("Rd == 13 and Rn != 13", "writes SP from another register: UNPREDICTABLE")
_FAR: Rule = ("Rd == 13 and (type != 0 or imm3 != 0)", "SP plus a register shifted by more than 3: UNPREDICTABLE")
for _name, (_op, _rules) in _THREE.items():
    _sp = (_TO_SP,) if _name in ("ADD", "SUB") else ()
    _shifted = (*_rules, *_sp, *sp_pc("Rm"), *((_FAR,) if _sp else ()))
    _bits = f"1110101 {_op:04b} S:1 Rn:4 0 {_SHIFTED.format(Rd='Rd:4')}"
    _e(f"{_name} (register) .W", _bits, *_shifted, writes="Rd")
    _bits = f"11110 i:1 0 {_op:04b} S:1 Rn:4 0 imm3:3 Rd:4 imm8:8"
    _e(f"{_name} (immediate) .W", _bits, *_rules, *_sp, _EXPANDS, writes="Rd")
for _name, _op, _rules in (
    ("TST", 0, sp_pc("Rn")),
    ("TEQ", 4, sp_pc("Rn")),
    ("CMN", 8, pc("Rn")),
    ("CMP", 13, pc("Rn")),
):
    _e(
        f"{_name} (register) .W",
        f"1110101 {_op:04b} 1 Rn:4 0 {_SHIFTED.format(Rd='1111')}",
        *_rules,
        *sp_pc("Rm"),
    )
    _e(f"{_name} (immediate) .W", f"11110 i:1 0 {_op:04b} 1 Rn:4 0 imm3:3 1111 imm8:8", *_rules, _EXPANDS)
_e(
    "MOV (register) T3",
    "1110101 0010 S:1 1111 0 000 Rd:4 00 00 Rm:4",
    ("S == 1 and (Rd in (13, 15) or Rm in (13, 15))", "UNPREDICTABLE"),
    ("Rd == 15 or Rm == 15 or Rd == 13 and Rm == 13", "UNPREDICTABLE"),
    writes="Rd",
)
for _name, _type in {"LSL": "00", "LSR": "01", "ASR": "10", "ROR": "11"}.items():
    _zero = other("imm3 == 0 and imm2 == 0", "MOV or RRX") if _name in ("LSL", "ROR") else ()
    _bits = f"1110101 0010 S:1 1111 0 imm3:3 Rd:4 imm2:2 {_type} Rm:4"
    _e(f"{_name} (immediate) .W", _bits, *_zero, *sp_pc("Rd", "Rm"), writes="Rd")
_e("RRX T1", "1110101 0010 S:1 1111 0 000 Rd:4 00 11 Rm:4", *sp_pc("Rd", "Rm"), writes="Rd")
_e("MVN (register) .W", f"1110101 0011 S:1 1111 0 {_SHIFTED.format(Rd='Rd:4')}", *sp_pc("Rd", "Rm"), writes="Rd")
for _name, _op in (("MOV", 2), ("MVN", 3)):
    _bits = f"11110 i:1 0 {_op:04b} S:1 1111 0 imm3:3 Rd:4 imm8:8"
    _e(f"{_name} (immediate) .W", _bits, *sp_pc("Rd"), _EXPANDS, writes="Rd")

# --- Plain immediates: wide moves, bit fields, saturation (A5.3.3) -----------------------------------------------

for _name, _op in (("ADD", "100000"), ("SUB", "101010")):
    _e(
        f"{_name} (immediate) T4, ADR",
        f"11110 i:1 {_op} Rn:4 0 imm3:3 Rd:4 imm8:8",
        *pc("Rd"),
        _TO_SP,
        writes="Rd",
    )
for _name, _op in (("MOV (immediate) T3", "100100"), ("MOVT T1", "101100")):
    _e(_name, f"11110 i:1 {_op} imm4:4 0 imm3:3 Rd:4 imm8:8", *sp_pc("Rd"), writes="Rd")
for _name, _op in (("SSAT", "100"), ("USAT", "110")):
    _e(
        f"{_name} T1",
        f"11110 0 1 {_op} sh:1 0 Rn:4 0 imm3:3 Rd:4 imm2:2 0 sat:5",
        ("sh == 1 and imm3 == 0 and imm2 == 0", "is SSAT16 or USAT16, of the DSP extension"),
        *sp_pc("Rd", "Rn"),
        writes="Rd",
    )
for _name, _op in (("SBFX", "110100"), ("UBFX", "111100")):
    _e(
        f"{_name} T1",
        f"11110 0 {_op} Rn:4 0 imm3:3 Rd:4 imm2:2 0 widthm1:5",
        ("(imm3 << 2 | imm2) + widthm1 > 31", "a field beyond bit 31: UNPREDICTABLE"),
        *sp_pc("Rd", "Rn"),
        writes="Rd",
    )
_e(
    "BFI, BFC T1",
    "11110 0 110110 Rn:4 0 imm3:3 Rd:4 imm2:2 0 msb:5",
    ("msb < (imm3 << 2 | imm2)", "ends before it begins: UNPREDICTABLE"),
    *sp("Rn"),
    *sp_pc("Rd"),
    writes="Rd",
)

# --- Data processing of registers, multiplication, division (A5.3.12, A5.3.16, A5.3.17) ---------------------------

for _op, _name in enumerate(("LSL", "LSR", "ASR", "ROR")):
    _bits = f"11111010 0{_op:02b} S:1 Rn:4 1111 Rd:4 0000 Rm:4"
    _e(f"{_name} (register) T2", _bits, *sp_pc("Rd", "Rn", "Rm"), writes="Rd")
for _name, _op in {"SXTH": "0000", "UXTH": "0001", "SXTB": "0100", "UXTB": "0101"}.items():
    _e(f"{_name} T2", f"11111010 {_op} 1111 1111 Rd:4 10 rotate:2 Rm:4", *sp_pc("Rd", "Rm"), writes="Rd")
_SAME: Rule = ("Rn != Rm", "Rm must be there twice: UNPREDICTABLE")
for _name, _op, _low in (
    ("REV", "1001", "1000"),
    ("REV16", "1001", "1001"),
    ("RBIT", "1001", "1010"),
    ("REVSH", "1001", "1011"),
    ("CLZ", "1011", "1000"),
):
    _bits = f"11111010 {_op} Rn:4 1111 Rd:4 {_low} Rm:4"
    _e(f"{_name} T2", _bits, _SAME, *sp_pc("Rd", "Rm"), writes="Rd", tie=("Rn", "Rm"))
_e("MUL T2", "11111011 0000 Rn:4 1111 Rd:4 0000 Rm:4", *sp_pc("Rd", "Rn", "Rm"), writes="Rd")
_MLA = (*sp_pc("Rd", "Rn", "Rm"), *sp("Ra"), *other("Ra == 15", "MUL"))
_e("MLA T1", "11111011 0000 Rn:4 Ra:4 Rd:4 0000 Rm:4", *_MLA, writes="Rd")
_e("MLS T1", "11111011 0000 Rn:4 Ra:4 Rd:4 0001 Rm:4", *sp_pc("Rd", "Rn", "Rm", "Ra"), writes="Rd")
for _name, _op in {"SMULL": "1000", "UMULL": "1010", "SMLAL": "1100", "UMLAL": "1110"}.items():
    _e(
        f"{_name} T1",
        f"11111011 {_op} Rn:4 RdLo:4 RdHi:4 0000 Rm:4",
        *sp_pc("RdLo", "RdHi", "Rn", "Rm"),
        ("RdLo == RdHi", "both halves into one register: UNPREDICTABLE"),
        writes="RdLo, RdHi",
    )
for _name, _op in {"SDIV": "1001", "UDIV": "1011"}.items():
    _e(f"{_name} T1", f"11111011 {_op} Rn:4 1111 Rd:4 1111 Rm:4", *sp_pc("Rd", "Rn", "Rm"), writes="Rd")

# --- Load and store multiple, double, exclusive, table branch (A5.3.5, A5.3.6) ------------------------------------

_FEW: Rule = ("(hi << 13 | list).bit_count() < 2", "fewer than two registers: UNPREDICTABLE")
_BACK: Rule = ("W == 1 and (hi << 13 | list) >> Rn & 1", "writes its base back and has it in the list: UNPREDICTABLE")
for _name, _op in (("IA", "010"), ("DB", "100")):
    _count = ("" if _name == "IA" else "-") + "4 * (hi << 13 | list).bit_count()"
    _common: dict[str, Any] = {
        "kind": Kind.MULTIPLE,
        "base": "Rn",
        "registers": "hi << 13 | list",
        "moves": f"({_count}) * W",
        "offset": _count if _name == "DB" else "0",
        "size": 4,
        "aligned": True,
    }
    _bits = f"1110100 {_op} W:1 {{}} Rn:4 hi:3 list:13"
    _odd: Rule = ("hi & 5", "PC or SP in the list: UNPREDICTABLE")
    _e(f"STM{_name} .W", _bits.format(0), _odd, _FEW, _BACK, *pc("Rn"), **_common)
    _odd = ("hi & 1 or hi == 6", "SP, or LR with PC, in the list: UNPREDICTABLE")
    _with_pc = other("hi & 4", "the one with PC")
    _e(f"LDM{_name} .W", _bits.format(1), _odd, *_with_pc, _FEW, _BACK, *pc("Rn"), load=True, **_common)
    _without = other("hi != 4", "the one without PC")
    _e(
        f"LDM{_name} .W with PC",
        _bits.format(1),
        *_without,
        _FEW,
        _BACK,
        *pc("Rn"),
        load=True,
        in_it="last",
        **_common,
    )
_AWAY = "(imm8 << 2) * (1 if U else -1)"
for _name, _load in (("STRD", False), ("LDRD", True)):
    _e(
        f"{_name} (immediate) T1",
        f"1110100 P:1 U:1 1 W:1 {_load:b} Rn:4 Rt:4 Rt2:4 imm8:8",
        *other("P == 0 and W == 0", "exclusive or a table branch"),
        *pc("Rn"),
        *sp_pc("Rt", "Rt2"),
        ("W == 1 and (Rn == Rt or Rn == Rt2)", "writes its base back and moves it: UNPREDICTABLE"),
        *((("Rt == Rt2", "loads one register twice: UNPREDICTABLE"),) if _load else ()),
        kind=Kind.MEMORY,
        writes="Rt, Rt2" if _load else "",
        base="Rn",
        offset=f"{_AWAY} if P else 0",
        moves=f"{_AWAY} * W",
        size=8,
        aligned=True,
        load=_load,
    )
_e(
    "LDRD (literal) T1",
    "1110100 1 U:1 1 0 1 1111 Rt:4 Rt2:4 imm8:8",
    *sp_pc("Rt", "Rt2"),
    ("Rt == Rt2", "loads one register twice: UNPREDICTABLE"),
    kind=Kind.LITERAL,
    writes="Rt, Rt2",
    offset=_AWAY,
    size=8,
)
_EX: dict[str, Any] = {"kind": Kind.EXCLUSIVE, "base": "Rn", "aligned": True}
_PAIR: Rule = ("Rd == Rn or Rd == Rt", "its result is its base or its value: UNPREDICTABLE")
for _name, _size, _low in (("", 4, ""), ("B", 1, "0100"), ("H", 2, "0101")):
    _top, _end = ("0101", "imm8:8") if not _low else ("1101", f"{_low} 1111")
    _offset = "0" if _low else "imm8 << 2"
    _e(
        f"LDREX{_name} T1",
        f"11101000 {_top} Rn:4 Rt:4 1111 {_end}",
        *pc("Rn"),
        *sp_pc("Rt"),
        size=_size,
        offset=_offset,
        load=True,
        writes="Rt",
        **_EX,
    )
    _bits = "11101000 0100 Rn:4 Rt:4 Rd:4 imm8:8" if not _low else f"11101000 1100 Rn:4 Rt:4 1111 {_low} Rd:4"
    _e(f"STREX{_name} T1", _bits, *pc("Rn"), *sp_pc("Rt", "Rd"), _PAIR, size=_size, offset=_offset, writes="Rd", **_EX)
_e("CLREX T1", "11110011 1011 1111 1000 1111 0010 1111", kind=Kind.EXCLUSIVE)
for _name, _h, _shift in (("TBB", "0", "0"), ("TBH", "1", "1")):
    _e(
        f"{_name} T1",
        f"11101000 1101 Rn:4 1111 0000 000 {_h} Rm:4",
        *sp("Rn"),
        *sp_pc("Rm"),
        kind=Kind.TABLE,
        base="Rn",
        index="Rm",
        shift=_shift,
        size=int(_h) + 1,
        in_it="last",
    )

# --- Loads and stores of one register, hints about them (A5.3.7 to A5.3.10) ---------------------------------------

_UP = "imm8 * (1 if U else -1)"
_ONE: Rule = ("P == 0 and W == 0", "is the register form, or UNDEFINED")
_UNPRIVILEGED: Rule = ("P == 1 and U == 1 and W == 0", "is the unprivileged form")
_SELF: Rule = ("W == 1 and Rn == Rt", "writes its base back and moves it: UNPREDICTABLE")
for _name, (_s, _op, _size) in {
    "STRB": ("0", "00 0", 1),
    "STRH": ("0", "01 0", 2),
    "STR": ("0", "10 0", 4),
    "LDRB": ("0", "00 1", 1),
    "LDRH": ("0", "01 1", 2),
    "LDR": ("0", "10 1", 4),
    "LDRSB": ("1", "00 1", 1),
    "LDRSH": ("1", "01 1", 2),
}.items():
    _load = _name.startswith("L")
    _common = {"kind": Kind.MEMORY, "base": "Rn", "size": _size, "load": _load, "writes": "Rt" if _load else ""}
    _rules = (*pc("Rn"), *(pc("Rt") if _size == 4 else sp_pc("Rt")))
    _e(f"{_name} (immediate) imm12", f"1111100 {_s} 1 {_op} Rn:4 Rt:4 imm12:12", *_rules, offset="imm12", **_common)
    _bits = f"1111100 {_s} 0 {_op} Rn:4 Rt:4 1 P:1 U:1 W:1 imm8:8"
    _rules8 = (*_rules, _ONE, _UNPRIVILEGED, _SELF)
    _e(f"{_name} (immediate) imm8", _bits, *_rules8, offset=f"{_UP} if P else 0", moves=f"{_UP} * W", **_common)
    _e(f"{_name}T T1", f"1111100 {_s} 0 {_op} Rn:4 Rt:4 1110 imm8:8", *pc("Rn"), *sp_pc("Rt"), offset="imm8", **_common)
    _bits = f"1111100 {_s} 0 {_op} Rn:4 Rt:4 000000 imm2:2 Rm:4"
    _e(f"{_name} (register) T2", _bits, *_rules, *sp_pc("Rm"), index="Rm", shift="imm2", **_common)
    if _load:
        _e(
            f"{_name} (literal)",
            f"1111100 {_s} U:1 {_op} 1111 Rt:4 imm12:12",
            *(pc("Rt") if _size == 4 else sp_pc("Rt")),
            kind=Kind.LITERAL,
            writes="Rt",
            offset="imm12 * (1 if U else -1)",
            size=_size,
        )
_TO_PC: dict[str, Any] = {"kind": Kind.MEMORY, "base": "Rn", "size": 4, "aligned": True, "load": True, "in_it": "last"}
_e("LDR (immediate) imm12 to PC", "111110001101 Rn:4 1111 imm12:12", *pc("Rn"), offset="imm12", writes="15", **_TO_PC)
_e(
    "LDR (immediate) imm8 to PC",
    "111110000101 Rn:4 1111 1 P:1 U:1 W:1 imm8:8",
    *pc("Rn"),
    _ONE,
    _UNPRIVILEGED,
    offset=f"{_UP} if P else 0",
    moves=f"{_UP} * W",
    writes="15",
    **_TO_PC,
)
_e(
    "LDR (register) T2 to PC",
    "111110000101 Rn:4 1111 000000 imm2:2 Rm:4",
    *pc("Rn"),
    *sp_pc("Rm"),
    index="Rm",
    shift="imm2",
    writes="15",
    **_TO_PC,
)
for _name, _s in (("PLD", "0"), ("PLI", "1")):
    _e(f"{_name} (immediate) T1, (literal)", f"1111100 {_s} 1 00 1 Rn:4 1111 imm12:12")
    _e(f"{_name} (immediate) T2", f"1111100 {_s} 0 00 1 Rn:4 1111 1100 imm8:8", *other("Rn == 15", "the literal form"))
    _bits = f"1111100 {_s} 0 00 1 Rn:4 1111 000000 imm2:2 Rm:4"
    _e(f"{_name} (register) T1", _bits, *other("Rn == 15", "the literal form"), *sp_pc("Rm"))

# --- Branches, special registers, hints, barriers (A5.3.4) -------------------------------------------------------

_e(
    "B T3",
    "11110 S:1 cond:4 imm6:6 10 J1:1 0 J2:1 imm11:11",
    ("cond >= 14", "is another instruction"),
    kind=Kind.BRANCH,
    in_it="never",
)
_e("B T4", "11110 S:1 imm10:10 10 J1:1 1 J2:1 imm11:11", kind=Kind.BRANCH, in_it="last")
_e("BL T1", "11110 S:1 imm10:10 11 J1:1 1 J2:1 imm11:11", kind=Kind.BRANCH, in_it="last", writes="14", v6m=True)
for _name, _known, _is6 in (
    ("", "0, 1, 2, 3, 5, 6, 7, 8, 9, 16, 17, 18, 19, 20", False),
    (" (ARMv6-M)", "0, 1, 2, 3, 5, 6, 7, 8, 9, 16, 20", True),
):
    _unknown: Rule = (f"SYSm not in ({_known})", "no such register: UNPREDICTABLE")
    _mrs: dict[str, Any] = {"kind": Kind.SPECIAL, "v6m": _is6, "v7m": not _is6}
    _e(f"MRS T1{_name}", "11110011 1110 1111 1000 Rd:4 SYSm:8", _unknown, *sp_pc("Rd"), writes="Rd", **_mrs)
    # The other masks write nothing, or the GE bits, which only the DSP extension has: UNPREDICTABLE.
    _e(f"MSR T1{_name}", "11110011 1000 Rn:4 1000 10 00 SYSm:8", _unknown, *sp_pc("Rn"), **_mrs)
_e(
    "NOP.W, SEV.W, DBG",
    "11110011 1010 1111 10000 000 hint:8",
    ("hint in (2, 3)", "WFE and WFI sleep"),
    ("hint == 1", "unicorn takes YIELD for an end"),
    ("hint > 4 and hint < 240", "reserved: no operation, but for CSDB and others of later architectures"),
)
# Unicorn forgets the rest of an IT block after ISB (QEMU did until 7.1), so there it stands last.
for _name, _op, _where in (("DSB", "0100", "any"), ("DMB", "0101", "any"), ("ISB", "0110", "last")):
    _e(f"{_name} T1", f"11110011 1011 1111 1000 1111 {_op} option:4", in_it=_where, v6m=True)
_e("UDF T2", "111101111111 imm4:4 1010 imm12:12", kind=Kind.TRAP, v6m=True)
