/*
 * Patterns: the seed in every byte, and the register's number added. The rounding bits of both floating-point units
 * come from the seed.
 */
    .text
    .globl machine_call
    .type machine_call, @function
machine_call:                       # rdi: function, sil: seed
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    subq $24, %rsp                  # 0: our patterns' base, 8: control words, 16: the caller's
    stmxcsr 16(%rsp)
    fnstcw 20(%rsp)
    movzbl %sil, %eax
    movabsq $0x0101010101010101, %rcx
    imulq %rcx, %rax
    movq %rax, (%rsp)
    andl $3, %esi
    movl %esi, %ecx
    shll $13, %ecx
    orl $0x1F80, %ecx
    movl %ecx, 8(%rsp)
    ldmxcsr 8(%rsp)
    shll $10, %esi
    orl $0x037F, %esi
    movl %esi, 12(%rsp)
    fldcw 12(%rsp)
    leaq 1(%rax), %rbx
    leaq 2(%rax), %rbp
    leaq 3(%rax), %r12
    leaq 4(%rax), %r13
    leaq 5(%rax), %r14
    leaq 6(%rax), %r15
    call *%rdi
    movq (%rsp), %rcx
    subq $1, %rbx
    subq $2, %rbp
    subq $3, %r12
    subq $4, %r13
    subq $5, %r14
    subq $6, %r15
    xorl %eax, %eax
    .irp reg, rbx, rbp, r12, r13, r14, r15
    xorq %rcx, %\reg
    orq %\reg, %rax
    .endr
    movl 8(%rsp), %ebx
    movl 12(%rsp), %ebp
    stmxcsr 8(%rsp)
    fnstcw 12(%rsp)
    xorl 8(%rsp), %ebx
    andl $0xFFC0, %ebx              # the rest is status
    xorw 12(%rsp), %bp
    movzwl %bp, %ebp
    orq %rbx, %rax
    orq %rbp, %rax
    setne %al
    ldmxcsr 16(%rsp)
    fldcw 20(%rsp)
    addq $24, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size machine_call, . - machine_call

    .section .note.GNU-stack,"",@progbits
