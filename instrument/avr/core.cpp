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

void Core::multiply_signed(std::uint16_t op)
{
    const int d = static_cast<std::int8_t>(avr_->data[16 + ((op >> 4) & 7)]);
    const std::uint8_t r = avr_->data[16 + (op & 7)];
    const int product = d * ((op & 0x08) != 0 ? r : static_cast<std::int8_t>(r));
    const auto result = static_cast<std::uint16_t>(product * 2);
    avr_->data[0] = static_cast<std::uint8_t>(result);
    avr_->data[1] = static_cast<std::uint8_t>(result >> 8);
    avr_->sreg[S_C] = (product >> 15) & 1;
    avr_->sreg[S_Z] = result == 0;
}

} // namespace avr
