"""What each experiment is: its sentence, its source, and which runs' longest masked stretch is told."""

from __future__ import annotations

# What each experiment measures, in one sentence; the order is that of tables and reports.
WHAT = {
    "switch-semaphore": "From right before a thread gives a semaphore to right after the more urgent thread that "
    "waits on it has it.",
    "switch-wake": "From right before a thread resumes a suspended, more urgent one by reference to right after that "
    "one runs.",
    "switch-event": "From right before a thread sets an event flag to right after the more urgent thread that waits "
    "for it has it.",
    "switch-mailbox": "From right before a thread posts one word into a mailbox to right after the more urgent thread "
    "that waits on it has fetched it.",
    "switch-queue": "From right before a thread puts an item of 16 bytes into a queue that copies to right after the "
    "more urgent thread that waits on it has got it.",
    "switch-stream": "From right before a thread puts a byte into a byte stream to right after the more urgent thread "
    "that reads a byte has it.",
    "switch-group": "From right before a thread sets a flag of an event group to right after the more urgent thread "
    "that waits for it has it.",
    "switch-message": "From right before a thread sends a synchronous message to right after the more urgent thread "
    "that waits for it has received it.",
    "switch-message-round-trip": "The same to right after the sender has the reply.",
    "switch-mutex": "From right before a thread unlocks a mutex to right after the more urgent thread that waits for "
    "it owns it; the priority lent for it is given back.",
    "switch-yield": "From right before a thread yields to another of its priority to right after that one runs.",
    "signal-wait-loop": "Half a round of one thread that signals for ever and a more urgent one that waits for ever: "
    "one call and one switch. A sample is half of one round, or of the mean of 100 rounds as on KRNL's page.",
    "context-switch": "A thread sets the pin and sleeps for a millisecond; the less urgent thread, next to run, clears "
    "it: arming the alarm is part of it.",
    "timed-wait": "A thread sets the pin and waits for a semaphore for at most a millisecond; the less urgent thread, "
    "next to run, clears it: arming the alarm is part of it. With its timeout behind armed timers, or among "
    "them, the semaphore is given first.",
    "irq-to-handler": "From the entry of an interrupt to the end of the first instruction of its handler in C.",
    "irq-to-thread": "From the entry of an interrupt, whose handler gives a semaphore, to the waiting thread's first "
    "instruction.",
    "irq-jitter": "From an edge on an input pin, at random exact cycles, to the handler's and the waiting thread's "
    "first instruction: a distribution.",
    "semaphore-acquire": "A thread sets the pin, gives a semaphore and sleeps; the less urgent thread that waits on it "
    "has it and clears the pin.",
    "pin-response-loop": "From an edge on an input pin, of a 10 Hz square wave whose edges come at random exact "
    "cycles, to the edge on an output pin, to which a thread copies it in an endless loop.",
    "pin-response-loop-task": "The same while a more urgent thread wakes every millisecond and sleeps again.",
    "pin-response-loop-irq": "The same without that thread, but with a handler on both edges of the input, which "
    "acknowledges and copies the pin to a second one.",
    "pin-response-loop-task-irq": "The same with both.",
    "pin-response-irq": "From the edge on the input to the handler's edge on the second pin; the loop and the thread "
    "run beside it.",
    "pair-semaphore": "A give and a take, together; no thread waits.",
    "priority-inversion": "A thread locks a mutex and sleeps inside; a more urgent one sets the pin, locks the same "
    "mutex and clears the pin: mostly that sleep.",
    "inversion-boost": "From right before a thread locks a mutex that a less urgent one holds to right after that one "
    "runs, with its priority.",
    "inversion-unlock": "From right before that one unlocks to right after the more urgent one owns the mutex.",
    "inversion-resolve": "Both together, without the sleep.",
    "pair-mutex": "A lock and an unlock, together; no thread waits.",
    "pair-pool": "A block taken out of a pool and given back, together.",
    "pair-event": "An event flag set, and a wait for it that is satisfied at once, together.",
    "pair-mailbox": "A word posted and fetched, together; no thread waits.",
    "queue-throughput": "A byte put into a byte stream and got out again, no thread waiting: the share of one in "
    "four that are put and then got.",
    "pair-queue": "An item of 16 bytes put into a queue that copies, and got out again, together; no thread waits.",
    "pair-stream": "A block of 64 bytes written into a byte stream and read again, together; no thread waits.",
    "pair-group": "A flag of an event group set, and a wait for it that is satisfied at once, together.",
    "pair-timer": "A timer started and stopped, together; all others that are armed come before it, or half of them.",
    "wake-sleep": "Half of: a thread resumes a more urgent one by reference, which suspends itself again. One switch.",
    "thread-cycle": "A less urgent thread is started, runs, ends, and is joined.",
    "thread-create-exit": "A more urgent thread is started, runs and ends.",
    "mass-reschedule": "One reset of a semaphore wakes five more urgent threads, and each waits again.",
    "messages-1": "A message and its reply; the server is less urgent than the client.",
    "messages-2": "A message and its reply; the server is more urgent than the client.",
    "messages-3": "The same while four other threads are ready.",
    "round-robin": "A yield among five threads of one priority.",
    "timers-set-reset": "Half of: two timers are started and stopped, in one critical section.",
    "timer-interrupt": "What the clock costs: its wrap, an expiry that wakes a thread, and the processor's time per "
    "millisecond for one periodic millisecond.",
    "masked-by-code": "The longest masked stretch that an instruction began.",
    "masked-by-handler": "The longest masked stretch that an interrupt's entry began.",
    "flash": "Flash of the two-thread semaphore program, start-up code and vectors included.",
    "ram": "Static RAM of the two-thread semaphore program: data, bss and noinit.",
    "ram-without-stacks": "The same without the two stacks.",
    "stack": "The part of its stack that each of the two threads used, an interrupting timer included.",
    "size-thread": "Bytes of a thread, its stack apart.",
    "size-semaphore": "Bytes of a semaphore.",
    "size-mutex": "Bytes of a mutex.",
    "size-condition": "Bytes of a condition variable.",
    "size-reference": "Bytes of a reference.",
    "size-timer": "Bytes of a timer.",
    "size-pool": "Bytes of a pool, its blocks apart.",
    "size-guarded-pool": "Bytes of a guarded pool, its blocks apart.",
    "size-heap": "Bytes of a heap, its memory apart.",
    "size-arena": "Bytes of an arena, its memory apart.",
    "size-cache": "Bytes of an object cache, its objects and buckets apart.",
    "size-inbox": "Bytes of an inbox.",
    "size-message": "Bytes of a message received.",
    "size-waitable": "Bytes of an entry of a wait set.",
    "size-work": "Bytes of what jobs are posted to.",
    "size-job": "Bytes of a job.",
    "size-flags": "Bytes of a thread's event flags.",
    "size-group": "Bytes of an event group.",
    "size-event-source": "Bytes of an event source.",
    "size-listener": "Bytes of a listener to an event source.",
    "size-mailbox": "Bytes of a mailbox, its words apart.",
    "size-stream": "Bytes of a byte stream, its bytes apart.",
    "size-fifo": "Bytes of an object FIFO, its objects and their words apart.",
    "size-queue": "Bytes of a queue, its items apart.",
    "size-created": "Bytes of the header of what is created at run time.",
    "size-recorder": "Bytes of a recorder, its records apart.",
    "size-record": "Bytes of a recorded event.",
}

# Firmware whose source has another name.
SOURCES = {
    "thread-create-exit": "thread-cycle",
    "timers-set-reset": "pair-timer",
    "switch-message-round-trip": "switch-message",
    "messages-1": "messages",
    "messages-2": "messages",
    "messages-3": "messages",
}

SOURCES |= {f"inversion-{part}": "inversion" for part in ("boost", "unlock", "resolve")}

# The runs whose longest masked stretch is told, and compared with the peers', by their name there.
MASKED = {
    "semaphore": "switch-semaphore",
    "event": "switch-event",
    "mailbox": "switch-mailbox",
    "inversion": "inversion-resolve",
}
