/* The recorder's calls; in a kernel that is not traced, whose events are the application's own. */
#include "calls.h"

ATT_RECORDER(recorder, 8);

static void note(void)
{
    att_record_note(ATT_EVENT_USER, &recorder, 1);
}

static void use(void)
{
    static att_record_t place[8];
    static att_record_t record;
    uint32_t next = 0;
    att_recorder_init(&recorder, place, 8);
    att_recorder_start(&recorder);
    att_recorder_trigger(&recorder, ATT_EVENT_USER, &recorder, 2);
    note();
    note();
    (void)att_recorder_read(&recorder, &next, &record);
    note();
    (void)att_recorder_frozen(&recorder);
    att_recorder_freeze(&recorder);
}

void calls(void)
{
    use();
    att_recorder_start(&recorder);
    calls_in_handler(note);
}
