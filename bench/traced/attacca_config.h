/* Found by __has_include in the build that is traced: every kernel event goes to the recorder (bench.c). */
#define ATT_TRACE(event, subject) att_record((event), (const void *)(subject))
