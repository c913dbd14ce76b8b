/* The kernel and this program find it by __has_include: every kernel event goes to the screen. */
#define ATT_TRACE(event, subject) timeline((event), (const void *)(subject))
#ifndef __ASSEMBLER__
void timeline(int event, const void *subject);
#endif
