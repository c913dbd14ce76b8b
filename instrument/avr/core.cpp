#include "core.hpp"

namespace avr
{

// The earliest device first; of several at one cycle the one that was added first.
void Core::run_first()
{
    const Cycle when = due_;
    for (Device *device : devices_) {
        if (device->due == when) {
            device->due = never;
            device->run(when);
            due_ = never;
            for (const Device *each : devices_)
                due_ = each->due < due_ ? each->due : due_;
            return;
        }
    }
}

} // namespace avr
