"""The STM32F1's smaller peripherals, as start-up code and polling drivers use them; and what of them is refused."""

from __future__ import annotations

import binascii
from itertools import pairwise
from pathlib import Path

import pytest

from cortex_m_marks import Asm, Marks, runner

HSI = 8_000_000
EVERYTHING = "put RCC_APB2ENR, 0xffff; put RCC_APB1ENR, 0x3fffffff; put 0x40021014, 0x55; "
BACKUP = "put 0x40007000, 0x100; "  # PWR: DBP
KEYS = "put 0x40022004, 0x45670123; put 0x40022004, 0xcdef89ab"
SPI = "put GPIOA_CRL, 0xb4b44444; put 0x40010c04, 0xb4b44444; put {base}, {control}; "
SPI1 = (0x40013000, ("PA5", "PA6", "PA7"))  # SCK, MISO, MOSI
SPI2 = (0x40003800, ("PB13", "PB14", "PB15"))


@pytest.fixture
def asm(attacca_cortex_m: Path, tmp_path: Path) -> Asm:
    return runner(attacca_cortex_m, tmp_path)


def look(m: Marks) -> list[int]:
    """What `show` has shown."""
    return m.values()


def test_power_and_backup_registers(asm: Asm) -> None:
    m = asm(
        EVERYTHING
        + "put 0x40006c04, 5; get r2, 0x40006c04; show r2"  # DBP is not set: nothing is written
        + f"; {BACKUP} get r2, 0x40007000; lsrs r2, r2, #8; show r2; put 0x40006c04, 5; get r2, 0x40006c04; show r2"
        + "; get r2, 0x40007004; show r2"
    )
    assert look(m) == [0, 1, 5, 0]


def test_the_backup_domain_survives_a_reset_and_not_its_own(asm: Asm) -> None:
    m = asm(
        EVERYTHING
        + BACKUP
        + "get r2, 0x40006c08; cmp r2, #7; beq 1f; put 0x40006c08, 7; put AIRCR, 0x05fa0004; b .; 1: mark 3"
        + "; put 0x40021020, 0x10000; put 0x40021020, 0; get r2, 0x40006c08; show r2"
    )
    assert look(m) == [3, 0]
    assert m.run.report["restarts"] == 1


def test_the_real_time_clock_counts_its_seconds(asm: Asm) -> None:
    start = "put 0x40021020, 1; get r2, 0x40021020; show r2; put 0x40021020, 0x8101; "  # LSE, RTCEN
    wait = "1: ldr r1, [r2]; lsls r1, r1, #31; bpl 1b"
    setup = "put 0x40002804, 0x30; put 0x40002808, 0; put 0x4000280c, 31; put 0x4000281c, 100; put 0x40002804, 0x20; "
    m = asm(
        EVERYTHING + BACKUP + start + setup + f"ldr r2, =0x40002804; movs r3, #0x20; {wait}; mark 1"
        f"; str r3, [r2]; {wait}; mark 2; get r3, 0x4000281c; show r3",
    )  # fmt: skip
    # 32 clocks of 32,768 Hz are a millisecond, less 2.3 %.
    period = 32 * HSI / 32768
    assert abs(m.at(2) - m.at(1) - period) < 20
    assert [value for value in look(m) if value > 2] == [3, 102]


def test_the_real_time_clocks_alarm(asm: Asm) -> None:
    setup = "put 0x40002804, 0x30; put 0x4000280c, 31; put 0x40002824, 3; put 0x40002820, 0; put 0x40002804, 0x20; "
    m = asm(
        EVERYTHING + BACKUP + "put 0x40021020, 0x8101; " + setup + "ldr r2, =0x40002804; mark 1"
        "; 1: ldr r1, [r2]; lsls r1, r1, #30; bpl 1b; mark 2",
    )  # fmt: skip
    assert abs(m.at(2) - m.at(1) - 3 * 32 * HSI / 32768) < 200


def test_a_watchdog_that_is_fed_keeps_still(asm: Asm) -> None:
    feed = "put 0x40003000, 0xaaaa"
    start = "put 0x40003000, 0x5555; put 0x40003004, 0; put 0x40003008, 39; put 0x40003000, 0xcccc; "  # 4 ms
    loop = "ldr r3, =20; 2: ldr r2, =4000; 1: subs r2, r2, #1; bne 1b; {}; subs r3, r3, #1; bne 2b; mark 9"
    fed = asm(start + loop.format(feed))
    assert fed.values() == [9] and fed.run.report["restarts"] == 0


@pytest.mark.parametrize(
    ("start", "flag", "cycles"),
    [
        ("put 0x40003000, 0x5555; put 0x40003008, 39; put 0x40003000, 0xcccc", 29, 40 * 4 * HSI // 40_000),
        ("put 0x40002c04, 0x7f; put 0x40002c00, 0xff", 30, 64 * 4096),
        ("put 0x40002c04, 0x1ff; put 0x40002c00, 0xc1", 30, 2 * 4096 * 8),
        ("put 0x40002c04, 0x50; put 0x40002c00, 0xff; put 0x40002c00, 0xff", 30, 0),  # too early
    ],
)
def test_a_watchdog_resets_and_says_so(asm: Asm, start: str, flag: int, cycles: int) -> None:
    m = asm(EVERYTHING + f"get r2, 0x40021024; lsls r2, r2, #{31 - flag}; bmi 1f; {start}; mark 1; b .; 1: mark 2")
    assert m.run.report["restarts"] == 1
    written = m.at(1) if cycles else m.at(2)
    assert m.values() == ([1, 2] if cycles else [2])
    if cycles:
        assert abs(m.at(2) - written - cycles) < 40


def test_the_early_warning_of_the_window_watchdog(asm: Asm) -> None:
    refresh = "put 0x40002c08, 0; put 0x40002c00, 0xff; mark 5"
    m = asm(EVERYTHING + "enable 0; put 0x40002c04, 0x27f; put 0x40002c00, 0xc8; mark 1; wfi; mark 2".replace(
        "enable 0", "put ISER0, 1"), {"WWDG": refresh})  # fmt: skip
    assert m.values() == [1, 5, 2]
    assert abs(m.at(5) - m.at(1) - 8 * 4096) < 40


def test_the_crc_unit(asm: Asm) -> None:
    m = asm(
        EVERYTHING + "put 0x40023008, 1; put 0x40023000, 0x12345678; put 0x40023000, 0x9abcdef0; get r2, 0x40023000"
        "; show r2; lsrs r2, r2, #7; show r2; lsrs r2, r2, #7; show r2; lsrs r2, r2, #7; show r2; "
        "lsrs r2, r2, #7; show r2"
    )  # fmt: skip
    # CRC-32/MPEG-2: the usual one without the reversals, which are made undone here.
    data = (0x12345678).to_bytes(4, "big") + (0x9ABCDEF0).to_bytes(4, "big")
    mirrored = bytes(int(f"{byte:08b}"[::-1], 2) for byte in data)
    wanted = int(f"{binascii.crc32(mirrored) ^ 0xFFFFFFFF:032b}"[::-1], 2)
    assert sum(part << 7 * i for i, part in enumerate(look(m))) == wanted


def test_the_chips_signature(asm: Asm) -> None:
    m = asm(
        "ldr r0, =0x1ffff7e0; ldrh r2, [r0]; show r2; ldr r0, =0x1ffff7e8; ldr r2, [r0]; ldr r1, [r0, #4]; "
        "show r2; cmp r1, r2; beq 1f; mark 9; 1:"
    )
    assert look(m) == [0, 0x41, 9]  # 128 KiB; the number is not all alike


def test_the_keys_of_the_flash(asm: Asm) -> None:
    key, control = 0x40022004, 0x40022010
    locked = f"get r2, {control}; lsrs r2, r2, #7; show r2"
    m = asm(f"put {key}, 0x45670123; put {key}, 0xcdef89ab; {locked}; put {control}, 0x80; {locked}; put {key}, 1; "
            f"put {key}, 0x45670123; put {key}, 0xcdef89ab; {locked}")  # fmt: skip
    assert look(m) == [0, 1, 1]


def test_remapped_pins(asm: Asm) -> None:
    m = asm(
        EVERYTHING + "put AFIO_MAPR, 0x204; put GPIOB_CRL, 0x4b444444; put GPIOB_CRL + 4, 0x4444bb44"
        "; put GPIOB_CRL, 0x4b444444; put 0x40013808, 16; put 0x4001380c, 0x2008; put 0x40013804, 65"
        "; put TIM2_CCMR1 + 4, 0x5050; put TIM2_CCER, 0x1000; nop; put TIM2_CCER, 0",
        {}, "--watch", "PB11",
    )  # fmt: skip
    assert m.run.stdout == "A"  # on PB6
    assert [level for _, level in m.edges("PB11")] == [1, 0]  # TIM2's fourth channel


def test_tim1_has_two_interrupts_and_a_main_output(asm: Asm) -> None:
    base, between = 0x40012C00, "mark 0x7f"
    m = asm(
        EVERYTHING
        + f"""
        put GPIOA_CRH, 0x444444bb; put {base + 0x2C}, 99; put {base + 0x34}, 40; put {base + 0x18}, 0x60
        put {base + 0x20}, 1; put {base + 0x30}, 1; put {base + 0x14}, 1; put {base + 0x10}, 0; put {base + 0x0C}, 3
        put ISER0, 0x0a000000; put {base}, 1; wfi; wfi; wfi; put {base + 0x44}, 0x8000; put {base + 0x0C}, 1; wfi; wfi
        """,
        {
            "TIM1_UP": f"strb r4, [r7]; {between}; put {base + 0x10}, 0xfffe",
            "TIM1_CC": f"strb r5, [r7]; {between}; put {base + 0x10}, 0xfffd",
        },
        "--watch",
        "PA8",
    )
    # Compared once a period, updated every second one.
    assert m.values()[:3] == [0x22, 0x22, 0x21]
    assert m.at(0x22, 1) - m.at(0x22) == 100
    assert m.at(0x21, 1) - m.at(0x21) == 200
    rising = [cycle for cycle, level in m.edges("PA8") if level == 1]
    assert len(rising) >= 2 and rising[-1] - rising[-2] == 100
    assert rising[0] > m.at(0x21)  # MOE comes later


def test_tim5_is_the_f107s(asm: Asm) -> None:
    m = asm(EVERYTHING + "put 0x40000c2c, 999; put 0x40000c00, 1; mark 1; ldr r2, =0x40000c10; 1: ldr r1, [r2]; "
        "cmp r1, #0; beq 1b; mark 2",
            {}, "--board", "stm32f107")  # fmt: skip
    assert 990 <= m.at(2) - m.at(1) <= 1010


@pytest.mark.parametrize("spi", [SPI1, SPI2])
@pytest.mark.parametrize(
    ("control", "half", "bits"), [(0x344, 1, 8), (0x354, 4, 8), (0xB44, 1, 16), (0x347, 1, 8), (0x3C4, 1, 8)]
)
def test_spi_frames_take_their_bits(
    asm: Asm, control: int, half: int, bits: int, spi: tuple[int, tuple[str, str, str]]
) -> None:
    base, (clock_pin, in_pin, out_pin) = spi
    value = 0xA5C3 if bits == 16 else 0xA7
    wait = "1: ldr r1, [r3]; lsls r1, r1, #31; bpl 1b"
    m = asm(
        EVERYTHING + SPI.format(base=base, control=control)
        + f"ldr r2, ={base + 0xC}; ldr r3, ={base + 8}; ldr r1, ={value}; strb r4, [r7]; nop; str r1, [r2]; {wait}; "
            f"strb r5, [r7]"
        "; ldr r1, [r2]; and r3, r1, #63; show r3; lsrs r1, r1, #6; and r3, r1, #63; show r3; lsrs r1, r1, #6; show r1",
        {}, "--watch", clock_pin, "--watch", out_pin, stimulus=f"0 {in_pin} 1\n",
    )  # fmt: skip
    frame = bits * 2 * half
    assert 0 <= m.at(0x22) - m.at(0x21) - 3 - frame <= 12
    received = sum(part << 6 * i for i, part in enumerate(look(m)[2:]))
    assert received == (1 << bits) - 1  # MISO is high all along
    clock = [cycle for cycle, _ in m.edges(clock_pin) if cycle > m.at(0x21)]
    assert len(clock) == 2 * bits and all(b - a == half for a, b in pairwise(clock))
    sampled = clock[1::2] if control & 1 else clock[::2]
    data = m.run.vcd.changes[f"pin_{out_pin}"] if m.run.vcd else []
    seen = [[level for cycle, level in data if cycle <= at][-1] for at in sampled]
    seen = seen[::-1] if control & 0x80 else seen
    assert int("".join(map(str, seen)), 2) == value


def test_spi_reads_what_the_pin_says(asm: Asm) -> None:
    m = asm(
        EVERYTHING + SPI.format(base=SPI1[0], control=0x37C)  # a bit takes 256 cycles
        + "b 1f; .balign 8; .ltorg; 1: ldr r2, =0x4001300c; ldr r3, =0x40013008; movs r1, #0; str r1, [r2]"
        "; 1: ldr r1, [r3]; lsls r1, r1, #31; bpl 1b; ldr r1, [r2]; show r1; lsrs r1, r1, #7; show r1",
        {}, stimulus="1100 PA6 1\n",
    )  # fmt: skip
    low, high = look(m)
    value = low | high << 7
    assert value in (0x0F, 0x1F, 0x3F, 0x07)  # some bits low, then high to the end


@pytest.mark.parametrize("base", [0x40005400, 0x40005800])  # I2C1, I2C2
def test_no_device_answers_on_i2c(asm: Asm, base: int) -> None:
    wait = "1: ldr r1, [r3]; lsls r1, r1, #{}; bpl 1b"
    m = asm(
        EVERYTHING + f"put {base + 0x04}, 8; put {base + 0x1C}, 40; put {base + 0x00}, 1; ldr r3, ={base + 0x14}; "
            f"put {base + 0x00}, 0x101; mark 1; {wait.format(31)}"
        f"; mark 2; put {base + 0x10}, 0xa0; mark 3; {wait.format(21)}; mark 4; put {base + 0x00}, 0x201; "
        f"ldr r3, ={base + 0x18}; 1: ldr r1, [r3]; lsls r1, r1, #31; bmi 1b; mark 5"
    )  # fmt: skip
    bit = 80  # 100 kHz at 8 MHz
    assert m.values() == [1, 2, 3, 4, 5]
    assert abs(m.at(2) - m.at(1) - bit) <= 12
    assert abs(m.at(4) - m.at(3) - 9 * bit) <= 12
    assert abs(m.at(5) - m.at(4) - bit) <= 20


def test_a_converter_is_polled(asm: Asm) -> None:
    setup = (
        "put 0x40012408, 1; put 0x40012408, 9; put 0x40012408, 5; ldr r2, =0x40012408; 1: ldr r1, [r2]; "
        "lsls r1, r1, #29; bmi 1b; mark 1; "
    )
    convert = (
        "put 0x40012408, {}; mark 2; ldr r2, =0x40012400; 1: ldr r1, [r2]; lsls r1, r1, #30; bpl 1b; "  # EOC
        "mark 3; get r1, 0x4001244c; lsrs r1, r1, #6; show r1; "
    )
    m = asm(
        EVERYTHING + "put GPIOA_CRL, 0x44444404; " + setup + "put 0x40012434, 1; " + convert.format("0x5e0001")
        + "put 0x40012434, 2; " + convert.format("0x5e0001") + "put 0x40012434, 17; put 0x40012408, 0x9e0001; "
        + convert.format("0xde0001"),
        {}, stimulus="0 PA1 1\n",
    )  # fmt: skip
    shown = [value for value in look(m) if value > 3 or value == 0]
    assert shown == [4095 >> 6, 0, 1489 >> 6]
    # 14 clocks of HSI / 2.
    assert 28 - 6 <= m.at(3) - m.at(2) <= 28 + 12


def test_dma_goes_on_though_the_program_has_nothing_to_do(asm: Asm) -> None:
    """It moves 4,000 words in 20,000 cycles; then the loop is an end."""
    start = "put 0x40020010, 0x20000100; put 0x40020014, 0x20000100; put 0x4002000c, 4000; put 0x40020008, 0x4a01; "
    m = asm(EVERYTHING + start + "cpsid i; mark 1; 1: b 1b", {}, status=7)
    assert 20_000 <= m.run.vcd.end - m.at(1) < 20_100


def test_a_trace_port_is_ready_once_it_is_enabled(asm: Asm) -> None:
    ready = "get r2, 0xe0000000; show r2; "
    enable = "put 0xe000edfc, 0x1000000; put 0xe0000e80, 1; put 0xe0000e00, 1; "
    assert look(asm(ready + "mark 9; " + enable + ready + "get r2, 0xe0000004; show r2", {})) == [0, 9, 1, 0]


def test_dma_from_memory_to_memory(asm: Asm) -> None:
    m = asm(
        EVERYTHING + "put 0x20000100, 0x11223344; put 0x20000104, 0x55667788; put 0x40020010, 0x20000100; "
            "put 0x40020014, 0x20000200"
        "; put 0x4002000c, 2; put ISER0, 0x800; put 0x40020008, 0x4ac3; wfi; get r2, 0x20000200; show r2; "
        "get r2, 0x20000204; show r2",
        {"DMA1_Channel1": "mark 1; put 0x40020004, 1"},
    )  # fmt: skip
    assert look(m) == [1, 0x44, 0x08]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("put 0x40012404, 0x900; put 0x4001242c, 0x100000; put 0x40012408, 1; put 0x40012408, 1",
         "ADC1: a discontinuous sequence (CR1.DISCEN)"),
        ("put 0x40012408, 0x9001", "ADC1: a trigger from outside (CR2.JEXTSEL) is not modelled"),
        ("put 0x40013000, 0x240", "SPI1: a slave (CR1.MSTR is 0) is not modelled"),
        ("put 0x40002800, 1; put 0x40007000, 0x100; put 0x40002800, 4", "RTC: the overflow's interrupt (CRH.OWIE)"),
        ("put 0x40012c44, 0x1000", "TIM1: dead time or break (BDTR) is not modelled"),
        ("put 0x40012c20, 4", "TIM1: a complementary output (CCER.CCxNE) is not modelled"),
        (f"{KEYS}; put 0x40022010, 0x20", "FLASH: the option bytes (CR) is not modelled"),
        (f"{KEYS}; put 0x40022010, 1; ldr r0, =0x0801fff0; movs r1, #1; strh r1, [r0]; strh r1, [r0, #2]",
         "FLASH: a store to flash while it is busy"),
        ("put 0x40007000, 0x100; put 0x40006c30, 1", "BKP: the tamper pin (CR) is not modelled"),
    ],
)  # fmt: skip
def test_what_is_not_modelled_says_so(asm: Asm, code: str, reason: str) -> None:
    m = asm(EVERYTHING + code + "; nop; mark 9", status=5)
    assert m.values() == []
    assert reason in m.run.stderr
