/*
 * A plugin for QEMU that counts executed instructions, and writes down at which count a firmware stored to its probe
 * words, and at which it was interrupted.
 *
 *     -plugin attacca-count.so,probe=ADDRESS,words=N,entry=ADDRESS,entry=ADDRESS,log=FILE
 *
 * Each store to one of the N words from `probe` on is a line "COUNT NUMBER", with the store counted; each execution of
 * the instruction at an `entry` a line "COUNT irq", with that instruction not counted. Addresses are virtual, hexadecimal.
 * A plugin sees no stored value, so that each event has a word of its own.
 *
 * The header of QEMU's plugins is in no package of Debian; what is used of version 1 is declared here.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { INLINE_ADD_U64 = 0, NO_REGISTERS = 0, WRITES = 2 };
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                           void (*call)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb));
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn, int operation, void *to, uint64_t value);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, void (*call)(unsigned cpu, void *data),
                                            int registers, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
                                      void (*call)(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address,
                                                   void *data),
                                      int registers, int which, void *data);

EXPORT extern int qemu_plugin_version;
EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv);

enum { ENTRIES = 8 };

static uint64_t count, probe, size;
static uint64_t entries[ENTRIES];
static unsigned known;
static FILE *out;

static void stored(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    (void)cpu, (void)info, (void)data;
    if (address - probe < size) {
        fprintf(out, "%" PRIu64 " %" PRIu64 "\n", count, (address - probe) / 4);
    }
}

static void entered(unsigned cpu, void *data)
{
    (void)cpu, (void)data;
    fprintf(out, "%" PRIu64 " irq\n", count);
}

static bool is_entry(uint64_t address)
{
    for (unsigned i = 0; i < known; i++) {
        if (entries[i] == address) {
            return true;
        }
    }
    return false;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    const size_t instructions = qemu_plugin_tb_n_insns(tb);
    for (size_t i = 0; i < instructions; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        if (is_entry(qemu_plugin_insn_vaddr(insn))) {
            qemu_plugin_register_vcpu_insn_exec_cb(insn, entered, NO_REGISTERS, NULL);
        }
        qemu_plugin_register_vcpu_insn_exec_inline(insn, INLINE_ADD_U64, &count, 1);
        qemu_plugin_register_vcpu_mem_cb(insn, stored, NO_REGISTERS, WRITES, NULL);
    }
}

int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++) {
        const char *value = strchr(argv[i], '=');
        if (value == NULL) {
            fprintf(stderr, "attacca-count: %s: no value\n", argv[i]);
            return 1;
        }
        value++;
        if (strncmp(argv[i], "probe=", 6) == 0) {
            probe = strtoull(value, NULL, 16);
        } else if (strncmp(argv[i], "words=", 6) == 0) {
            size = 4 * strtoull(value, NULL, 10);
        } else if (strncmp(argv[i], "entry=", 6) == 0 && known < ENTRIES) {
            entries[known++] = strtoull(value, NULL, 16);
        } else if (strncmp(argv[i], "log=", 4) == 0) {
            out = fopen(value, "w");
        } else {
            fprintf(stderr, "attacca-count: %s: no such option\n", argv[i]);
            return 1;
        }
    }
    if (out == NULL) {
        fprintf(stderr, "attacca-count: no log that can be written\n");
        return 1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    return 0;
}
