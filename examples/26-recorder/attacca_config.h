/* The kernel and this program find it by __has_include: every kernel event goes to the recorder. */
#define ATT_TRACE(event, subject) att_record((event), (const void *)(subject))
