// Runs a firmware on rp2040js: `node rp2040.js NODE_MODULES FIRMWARE.elf CYCLES`. The console is standard output; the end of the program
// by semihosting is the exit status, 255 the end of the cycles, 254 a stop of its own.
//
// rp2040js has no boot ROM: what the chip's does with the second stage of booting is here. And what it leaves out, as
// the processor has it: a reset by software, the hard faults of an SVC that cannot be taken, of an undefined
// instruction and of an address where there is nothing; WFI under PRIMASK, which ends without the handler; SysTick, which
// loads its reload value after a write to its count.
'use strict';
const fs = require('fs');
const path = require('path');
const [, , modules, firmware, limit] = process.argv;
const { RP2040 } = require(path.join(modules, 'rp2040js'));

const FLASH = 0x10000000, STAGE = 0x20041f00, STAGE_SIZE = 256, HARD_FAULT = 3, AIRCR = 0xd0c, CSR = 0x010, CVR = 0x018;
const NANOSECONDS = 8; // a cycle at 125 MHz

function stop(text, status) {
    console.error(text);
    process.exit(status);
}

// CRC-32 from all ones, nothing reversed or inverted.
function sum(bytes) {
    let value = 0xffffffff;
    for (const byte of bytes) {
        value ^= byte << 24;
        for (let bit = 0; bit < 8; bit++)
            value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0);
    }
    return value >>> 0;
}

const chip = new RP2040();
const { clock, core, ppb } = chip;
let line = '', restart = false, nowhere = false;

function boot() {
    const stage = chip.flash.subarray(0, STAGE_SIZE);
    if (sum(stage.subarray(0, STAGE_SIZE - 4)) !== chip.flashView.getUint32(STAGE_SIZE - 4, true))
        stop('the second stage of booting is damaged: its sum is wrong', 254);
    core.reset();
    for (const bits of ['pendingInterrupts', 'enabledInterrupts'])
        core[bits] = 0;
    ppb.writeUint32(0x010, 0); // SysTick is off
    core.PM = false;
    core.IPSR = 0;
    chip.sram.set(stage, STAGE - 0x20000000);
    core.SP = 0x20042000;
    core.PC = STAGE;
}

function fault(back) {
    core.PC -= back;
    core.exceptionEntry(HARD_FAULT);
}

chip.logger = { debug() {}, info() {}, error() {}, warn(_, text) { nowhere ||= /invalid memory|undefined address/.test(text); } };
chip.uart[0].onByte = (byte) => {
    line += String.fromCharCode(byte);
    if (byte === 10) {
        fs.writeSync(1, line);
        line = '';
    }
};
chip.onBreak = (code) => {
    const [operation, block] = core.registers;
    if (code === 0xab && operation === 0x20 && chip.readUint32(core.PC - 2) !== undefined) {
        fs.writeSync(1, line);
        process.exit(chip.readUint32(block + 4) & 0xff);
    }
    fault(2);
};
const write = ppb.writeUint32.bind(ppb);
ppb.writeUint32 = (offset, value) => {
    if (offset === AIRCR)
        restart = (value & 4) !== 0;
    else if (offset === CVR)
        ppb.systickTimer.set(ppb.systickReload); // with the next clock, not after a whole turn
    else // with nothing to reload it does not count
        write(offset, offset === CSR && ppb.systickReload === 0 ? value & ~1 : value);
};
const look = core.checkForInterrupts.bind(core);
core.checkForInterrupts = () => {
    if (!core.PM || !core.waiting)
        return look();
    core.waiting = !(core.pendingInterrupts & core.enabledInterrupts) && !core.pendingSystick && !core.pendingPendSV;
    core.interruptsUpdated = true;
    return false;
};

// What an ELF file's program headers load, by their physical addresses.
function load(file) {
    const at = file.readUInt32LE(28), size = file.readUInt16LE(42);
    for (let number = 0; number < file.readUInt16LE(44); number++) {
        const header = file.subarray(at + number * size);
        const [type, from, , to, length] = [0, 4, 8, 12, 16].map((offset) => header.readUInt32LE(offset));
        if (type === 1 && length)
            chip.flash.set(file.subarray(from, from + length), to - FLASH);
    }
}

load(fs.readFileSync(firmware));
const cycles = Number(limit);
boot();
for (let done = 0; done < cycles;) {
    let passed;
    if (core.waiting) {
        if (core.checkForInterrupts())
            core.waiting = false;
        passed = core.waiting ? clock.nanosToNextAlarm / NANOSECONDS : 0;
        if (core.waiting && !(passed > 0))
            stop('it sleeps, and nothing will wake it', 254);
    } else {
        const called = core.pendingSVCall;
        passed = core.executeInstruction();
        if (restart) {
            restart = false;
            boot();
        } else if (nowhere) {
            nowhere = false;
            fault(2);
        } else if (core.pendingSVCall && !called && core.PM) {
            core.pendingSVCall = false;
            fault(2);
        }
    }
    done += passed;
    clock.tick(passed * NANOSECONDS);
}
fs.writeSync(1, line);
stop(`has not ended after ${cycles} cycles`, 255);
