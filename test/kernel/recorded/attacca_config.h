/* Found by __has_include: every kernel event is recorded. */
#define ATT_TRACE(event, subject) att_record((event), (const void *)(subject))
