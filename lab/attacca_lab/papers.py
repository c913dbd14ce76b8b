"""The publications whose experiments are repeated, and the board that each was measured on, or the nearest one."""

PAPERS = {"chibios": "stm32f103", "krnl": "uno", "lan-kannan": "uno", "pavlas": "stm32f107"}
