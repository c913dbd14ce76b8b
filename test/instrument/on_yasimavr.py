"""Runs a firmware on yasimavr and prints, as JSON, the marker's changes as [cycle, value] until the end mark."""

import json
import sys

try:
    import yasimavr.lib.core as core
    from yasimavr.device_library import load_device
except ImportError:
    print("yasimavr is not installed (pip install yasimavr)", file=sys.stderr)
    sys.exit(77)

MARKER = 0x4A  # GPIOR1
device = load_device("atmega328p")
firmware = core.Firmware.read_elf(sys.argv[1])
firmware.frequency = 16_000_000
loop = core.SimLoop(device)
device.load_firmware(firmware)
probe = core.DeviceDebugProbe(device)
loop.run(1)  # resets the device, and executes the jump at address 0
cycle, last, stamps = 0, 0, []
for _ in range(60000):
    cycle += device.exec_cycle()
    value = probe.read_data(MARKER, 1)[0]
    if value >= 0x80:
        break
    if value != last:
        stamps.append((cycle, value))
    last = value
print(json.dumps(stamps))
