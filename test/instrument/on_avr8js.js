// Runs a firmware on avr8js and prints, as JSON, the marker's changes as [cycle, value] until the end mark.
'use strict';
const fs = require('fs');
let avr8js;
try {
    avr8js = require('avr8js');
} catch (error) {
    console.error('avr8js is not installed (npm install avr8js, NODE_PATH)');
    process.exit(77);
}

const MARKER = 0x4a; // GPIOR1

function flash(elf) {
    const image = new Uint8Array(0x8000).fill(0xff);
    const headers = elf.readUInt32LE(28);
    for (let i = 0; i < elf.readUInt16LE(44); ++i) {
        const at = headers + i * elf.readUInt16LE(42);
        const word = (k) => elf.readUInt32LE(at + 4 * k);
        if (word(0) === 1 && word(4) > 0)
            image.set(elf.subarray(word(1), word(1) + word(4)), word(3));
    }
    return new Uint16Array(image.buffer);
}

const cpu = new avr8js.CPU(flash(fs.readFileSync(process.argv[2])));
let last = 0;
const stamps = [];
for (let i = 0; i < 1e6 && last < 0x80; ++i) {
    avr8js.avrInstruction(cpu);
    cpu.tick();
    if (cpu.data[MARKER] !== last && cpu.data[MARKER] < 0x80)
        stamps.push([cpu.cycles, cpu.data[MARKER]]);
    last = cpu.data[MARKER];
}
console.log(JSON.stringify(stamps));
