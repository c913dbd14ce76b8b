/*
 * Results as TAP, and the trail of tokens by which order is proved. Text lies in ROM.
 */
#ifndef REPORT_H
#define REPORT_H

#include "attacca/attacca.h"

extern char trail[24];
extern volatile uint8_t length; /* of the trail */
extern uint8_t number;          /* of results so far */
extern uint8_t failed;

void put_rom(const char *text);
void put_number(uint32_t value);
void report(bool ok, const char *title);
#define REPORT(ok, text)                                                                                     \
    do {                                                                                                     \
        static const char title[] ATT_PORT_ROM = text;                                                       \
        report(ok, title);                                                                                   \
    } while (0)

/* Leave a token. Context: any. */
void token(char c);
/* Are these the tokens, in order? Then there are none. */
bool tokens(const char *want);
#define TOKENS(text)                                                                                         \
    __extension__({                                                                                          \
        static const char want[] ATT_PORT_ROM = text;                                                        \
        tokens(want);                                                                                        \
    })

#endif
