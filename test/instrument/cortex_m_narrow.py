"""The 16-bit encodings (DDI 0403E, A5.2), which are nearly all that ARMv6-M has."""

from __future__ import annotations

from typing import Any

from cortex_m_encoding import Encoding, Kind, encoding, sp_pc

NARROW: list[Encoding] = []


def _e(name: str, bits: str, *rules: tuple[str, str], **more: Any) -> None:
    NARROW.append(encoding(name, bits, *rules, **more))


# --- shifts, additions, moves (A5.2.1), data processing (A5.2.2), high registers (A5.2.3) ---------------

_e(
    "LSL (immediate) T1, MOV (register) T2",
    "00000 imm5:5 Rm:3 Rd:3",
    writes="Rd",
    v6m=True,
    it_rules=(("imm5 == 0", "MOVS (register) T2 inside an IT block: UNPREDICTABLE"),),
)
_e("LSR (immediate) T1", "00001 imm5:5 Rm:3 Rd:3", writes="Rd", v6m=True)
_e("ASR (immediate) T1", "00010 imm5:5 Rm:3 Rd:3", writes="Rd", v6m=True)
_e("ADD (register) T1", "0001100 Rm:3 Rn:3 Rd:3", writes="Rd", v6m=True)
_e("SUB (register) T1", "0001101 Rm:3 Rn:3 Rd:3", writes="Rd", v6m=True)
_e("ADD (immediate) T1", "0001110 imm3:3 Rn:3 Rd:3", writes="Rd", v6m=True)
_e("SUB (immediate) T1", "0001111 imm3:3 Rn:3 Rd:3", writes="Rd", v6m=True)
_e("MOV (immediate) T1", "00100 Rd:3 imm8:8", writes="Rd", v6m=True)
_e("CMP (immediate) T1", "00101 Rn:3 imm8:8", v6m=True)
_e("ADD (immediate) T2", "00110 Rdn:3 imm8:8", writes="Rdn", v6m=True)
_e("SUB (immediate) T2", "00111 Rdn:3 imm8:8", writes="Rdn", v6m=True)
_TWO = (
    *("AND", "EOR", "LSL", "LSR", "ASR", "ADC", "SBC", "ROR"),
    *("TST", "RSB", "CMP", "CMN", "ORR", "MUL", "BIC", "MVN"),
)
for _number, _name in enumerate(_TWO):
    _to = "" if _name in ("TST", "CMP", "CMN") else "Rd"
    _e(f"{_name} (register) T1", f"010000 {_number:04b} Rm:3 Rd:3", writes=_to, v6m=True)
_e(
    "ADD (register) T2, ADD (SP plus register)",
    "01000100 DN:1 Rm:4 Rdn:3",
    ("(DN << 3 | Rdn) == 15", "writes PC: its line is among the jumps"),
    ("(DN << 3 | Rdn) == 13 and Rm == 15", "SP and PC: nothing says what that is"),
    writes="DN << 3 | Rdn",
    v6m=True,
)
_e(
    "CMP (register) T2",
    "01000101 N:1 Rm:4 Rn:3",
    ("N == 0 and Rm < 8", "both registers low: UNPREDICTABLE"),
    ("(N << 3 | Rn) == 15 or Rm == 15", "PC: UNPREDICTABLE"),
    v6m=True,
)
_e(
    "MOV (register) T1",
    "01000110 D:1 Rm:4 Rd:3",
    ("(D << 3 | Rd) == 15", "writes PC: its line is among the jumps"),
    writes="D << 3 | Rd",
    v6m=True,
)
_e("ADR T1", "10100 Rd:3 imm8:8", writes="Rd", v6m=True)
_e("ADD (SP plus immediate) T1", "10101 Rd:3 imm8:8", writes="Rd", v6m=True)
for _name, _op in {"ADD (SP plus immediate) T2": "0", "SUB (SP minus immediate) T1": "1"}.items():
    _sign = "-" if _op == "1" else ""
    _e(_name, f"10110000{_op} imm7:7", kind=Kind.MEMORY, base="13", moves=f"{_sign}(imm7 << 2)", v6m=True)
for _name, _op in {"SXTH": "1000", "SXTB": "1001", "UXTH": "1010", "UXTB": "1011"}.items():
    _e(f"{_name} T1", f"10110010 {_op[2:]} Rm:3 Rd:3", writes="Rd", v6m=True)
for _name, _op in {"REV": "00", "REV16": "01", "REVSH": "11"}.items():
    _e(f"{_name} T1", f"10111010 {_op} Rm:3 Rd:3", writes="Rd", v6m=True)

# --- loads and stores (A5.2.4 to A5.2.6) ----------------------------------------------------------------

_SINGLE = {  # name: size, load, 16-bit register form
    "STR": (4, False, "000"),
    "STRH": (2, False, "001"),
    "STRB": (1, False, "010"),
    "LDRSB": (1, True, "011"),
    "LDR": (4, True, "100"),
    "LDRH": (2, True, "101"),
    "LDRB": (1, True, "110"),
    "LDRSH": (2, True, "111"),
}
for _name, (_size, _load, _op) in _SINGLE.items():
    _more = {"kind": Kind.MEMORY, "v6m": True, "size": _size, "load": _load, "writes": "Rt" if _load else ""}
    _e(f"{_name} (register) T1", f"0101 {_op} Rm:3 Rn:3 Rt:3", base="Rn", index="Rm", **_more)
    if _name not in ("LDRSB", "LDRSH"):
        _first = {4: "0110", 1: "0111", 2: "1000"}[_size]
        _e(
            f"{_name} (immediate) T1",
            f"{_first} {_load:b} imm5:5 Rn:3 Rt:3",
            base="Rn",
            offset=f"imm5 * {_size}",
            **_more,
        )
    if _size == 4:
        _e(f"{_name} (immediate) T2", f"1001 {_load:b} Rt:3 imm8:8", base="13", offset="imm8 << 2", **_more)
_e("LDR (literal) T1", "01001 Rt:3 imm8:8", kind=Kind.LITERAL, writes="Rt", offset="imm8 << 2", size=4, v6m=True)
_LIST = {"kind": Kind.MULTIPLE, "aligned": True, "size": 4}
_e(
    "PUSH T1",
    "1011010 M:1 list:8",
    ("list == 0 and M == 0", "no register: UNPREDICTABLE"),
    base="13",
    registers="M << 14 | list",
    offset="-4 * ((M << 14 | list).bit_count())",
    moves="-4 * ((M << 14 | list).bit_count())",
    v6m=True,
    **_LIST,
)
for _p, _what in (("0", ""), ("1", " with PC")):
    _e(
        f"POP T1{_what}",
        f"1011110 {_p} list:8",
        *((("list == 0", "no register: UNPREDICTABLE"),) if _p == "0" else ()),
        base="13",
        registers=f"{int(_p) << 15} | list",
        moves=f"4 * ({_p} + list.bit_count())",
        load=True,
        v6m=True,
        in_it="last" if _p == "1" else "any",
        **_LIST,
    )
_e(
    "STM T1",
    "11000 Rn:3 list:8",
    ("list == 0", "no register: UNPREDICTABLE"),
    ("list >> Rn & 1 and list & ((1 << Rn) - 1)", "stores its base, not first: what is stored is UNKNOWN"),
    base="Rn",
    registers="list",
    moves="4 * list.bit_count()",
    v6m=True,
    **_LIST,
)
_e(
    "LDM T1",
    "11001 Rn:3 list:8",
    ("list == 0", "no register: UNPREDICTABLE"),
    base="Rn",
    registers="list",
    moves="0 if list >> Rn & 1 else 4 * list.bit_count()",
    load=True,
    v6m=True,
    **_LIST,
)

# --- branches and the rest (A5.2.5, A5.2.6) -----------------------------------------------------------

_e("B T1", "1101 cond:4 imm8:8", ("cond >= 14", "is UDF or SVC"), kind=Kind.BRANCH, in_it="never", v6m=True)
_e("B T2", "11100 imm11:11", kind=Kind.BRANCH, in_it="last", v6m=True)
_e("CBZ, CBNZ T1", "1011 op:1 0 i:1 1 imm5:5 Rn:3", kind=Kind.BRANCH, in_it="never")
_JUMP = {"kind": Kind.JUMP, "in_it": "last", "v6m": True}
_e("BX T1", "010001110 Rm:4 000", *sp_pc("Rm"), base="Rm", **_JUMP)
_e("BLX (register) T1", "010001111 Rm:4 000", *sp_pc("Rm"), base="Rm", writes="14", **_JUMP)
_e("MOV (register) T1 to PC", "01000110 1 Rm:4 111", *sp_pc("Rm"), base="Rm", **_JUMP)
_e("ADD (register) T2 to PC", "01000100 1 Rm:4 111", *sp_pc("Rm"), base="Rm", **_JUMP)
_e("SVC T1", "11011111 imm8:8", kind=Kind.TRAP, v6m=True)
_e("UDF T1", "11011110 imm8:8", kind=Kind.TRAP, v6m=True)
_e("BKPT T1", "10111110 imm8:8", kind=Kind.TRAP, v6m=True)
_e(
    "CPS T1",
    "10110110011 im:1 00 I:1 F:1",
    ("I == 0 and F == 0", "affects nothing: UNPREDICTABLE"),
    kind=Kind.SPECIAL,
    in_it="never",
)
_e("CPS T1 (ARMv6-M)", "10110110011 im:1 0010", kind=Kind.SPECIAL, in_it="never", v6m=True, v7m=False)
_e(
    "IT T1",
    "10111111 firstcond:4 mask:4",
    ("mask == 0", "is a hint"),
    ("firstcond == 15", "UNPREDICTABLE"),
    ("firstcond == 14 and mask.bit_count() != 1", "an ELSE of ALWAYS: UNPREDICTABLE"),
    kind=Kind.IT,
    in_it="never",
)
_HINTS = (("hint in (2, 3)", "WFE and WFI sleep"), ("hint == 1", "unicorn takes YIELD for an end"))
_e("NOP T1, SEV, reserved hints", "10111111 hint:4 0000", *_HINTS, v6m=True)
