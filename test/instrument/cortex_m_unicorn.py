"""Sequences on unicorn, which is QEMU's translator: an implementation that shares nothing with the instrument."""

from __future__ import annotations

import importlib
from typing import Any

from cortex_m_layout import Sequence
from cortex_m_oracle import Outcome, changed
from cortex_m_sequences import CODE, CODE_SIZE, DATA, DATA_SIZE, Batch

unicorn: Any = importlib.import_module("unicorn")  # it has no types
arm: Any = importlib.import_module("unicorn.arm_const")

MODE = unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS
FIRST = [arm.UC_ARM_REG_R0 + number for number in range(13)]
WRITTEN = [*FIRST, arm.UC_ARM_REG_SP, arm.UC_ARM_REG_LR]
READ = [*WRITTEN, arm.UC_ARM_REG_PC, arm.UC_ARM_REG_XPSR]
MASKS = [arm.UC_ARM_REG_PRIMASK, arm.UC_ARM_REG_FAULTMASK, arm.UC_ARM_REG_BASEPRI]
STACKS = [arm.UC_ARM_REG_MSP, arm.UC_ARM_REG_PSP]
TRAPS = {2: 11, 7: 12}  # QEMU's numbers of SVC and BKPT: the exceptions that they raise
CLREX_AT = CODE + 0x40
CLREX = bytes.fromhex("bff32f8f")
T = 1 << 24


class Unicorn:
    """A processor for one batch: a new one forgets what it has translated."""

    def __init__(self, batch: Batch, v6m: bool) -> None:
        self.uc: Any = unicorn.Uc(unicorn.UC_ARCH_ARM, MODE)
        self.uc.ctl_set_cpu_model(arm.UC_CPU_ARM_CORTEX_M0 if v6m else arm.UC_CPU_ARM_CORTEX_M3)
        self.uc.mem_map(CODE, CODE_SIZE)
        self.uc.mem_map(DATA, DATA_SIZE)
        self.uc.mem_write(CODE, batch.code)
        self.uc.mem_write(CLREX_AT, CLREX)
        self.uc.hook_add(unicorn.UC_HOOK_INTR, self._interrupt)
        self.data = batch.data
        self.fresh = self.uc.context_save()
        self.number = 0

    def _interrupt(self, uc: Any, number: int, _: object) -> None:
        self.number = number
        uc.emu_stop()

    def run(self, sequence: Sequence) -> Outcome:
        uc = self.uc
        if any("EX" in name for name in sequence.names):
            uc.emu_start(CLREX_AT | 1, CLREX_AT + 4)
        uc.mem_write(DATA, self.data)
        for at, word in sequence.memory.items():
            uc.mem_write(DATA + at, word.to_bytes(4, "little"))
        before = bytes(uc.mem_read(DATA, DATA_SIZE)) if sequence.memory else self.data
        for register, value in zip(WRITTEN, sequence.registers, strict=True):
            uc.reg_write(register, value)
        uc.reg_write(arm.UC_ARM_REG_PSP, sequence.psp)
        uc.reg_write(arm.UC_ARM_REG_XPSR, sequence.flags | T)
        trap = self._go(sequence)
        *registers, xpsr = uc.reg_read_batch(READ)
        special = any(name[:3] in ("MRS", "MSR", "CPS") for name in sequence.names)
        control = uc.reg_read(arm.UC_ARM_REG_CONTROL) if special else 0
        if control & 1:
            # It tells the masks as MRS would, which without privilege is 0: a handler has it, whichever.
            uc.reg_write(arm.UC_ARM_REG_XPSR, xpsr & ~0x1FF | 2)
        # Bits 2 and 3, which it has, are the floating-point extension's.
        masks = (*uc.reg_read_batch(MASKS), control & 3) if special else (0, 0, 0, 0)
        stacks = tuple(uc.reg_read_batch(STACKS)) if special else (registers[13], sequence.psp)
        # It keeps the two lowest bits of a stack pointer, which are always zero (DDI 0403E, B1.4.1).
        registers[13] &= ~3
        stacks = (stacks[0] & ~3, stacks[1] & ~3)
        after = bytes(uc.mem_read(DATA, DATA_SIZE))
        if special:
            uc.context_restore(self.fresh)
        return Outcome(trap, tuple(registers), xpsr, masks, stacks, changed(before, after))

    def _go(self, sequence: Sequence) -> int:
        """Runs it to its end; the exception that came instead, or 0."""
        self.number = -1
        try:
            self.uc.emu_start(sequence.start | 1, sequence.end)
        except unicorn.UcError as error:
            if error.errno == unicorn.UC_ERR_INSN_INVALID:
                return 6
            # The end of a far branch is not mapped: to have got there is enough.
            if error.errno != unicorn.UC_ERR_FETCH_UNMAPPED or self.uc.reg_read(arm.UC_ARM_REG_PC) != sequence.end:
                return 1000 + int(error.errno)
        return TRAPS.get(self.number, self.number) if self.number >= 0 else 0
