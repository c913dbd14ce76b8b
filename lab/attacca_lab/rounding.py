"""The one way in which the laboratory rounds what people read: halves away from zero."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal


def fixed(value: float, decimals: int) -> str:
    """`1,234.50`: with so many decimals. What is not a number, or has no end, is written as Python does."""
    number = Decimal(repr(float(value)))
    if not number.is_finite():
        return f"{value:,.{decimals}f}"
    return f"{number.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP):,f}"
