/*
 * The exchange of stacks: a function call that returns in another thread. The System V ABI has a call keep
 * rbx, rbp, r12 to r15, rsp, and the control bits of the SSE and x87 units; nothing else is saved. The frame,
 * lowest address first:
 *
 *      end of the stack | mxcsr, x87 control word | r15 r14 r13 r12 rbx rbp | return address
 */
    .text
    .globl att_port_host_exchange
    .type att_port_host_exchange, @function
att_port_host_exchange:             # rdi: where to save the stack pointer, rsi: the other one's, rdx: end of our stack
    .cfi_startproc
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    subq $8, %rsp
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    pushq %rdx
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    addq $8, %rsp
    ldmxcsr (%rsp)
    fldcw 4(%rsp)
    addq $8, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .cfi_endproc
    .size att_port_host_exchange, . - att_port_host_exchange

    .globl att_port_host_thread
    .type att_port_host_thread, @function
att_port_host_thread:               # a thread's first instruction: att_port_frame put entry, arg and end here
    .cfi_startproc
    .cfi_undefined rip
    movq %rbx, %rdi
    movq %r12, %rsi
    movq %r13, %rdx
    call att_port_host_begin
    ud2
    .cfi_endproc
    .size att_port_host_thread, . - att_port_host_thread

    .section .note.GNU-stack,"",@progbits
