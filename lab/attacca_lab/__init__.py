"""The laboratory of the Attacca kernel: boards, instruments, experiments, reports."""

__version__ = "0.1.0"
