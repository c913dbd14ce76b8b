"""One module a command: its options and help. The work is done elsewhere and imported when it is called."""
