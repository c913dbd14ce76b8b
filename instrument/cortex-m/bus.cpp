#include "bus.hpp"

#include <algorithm>

namespace cortexm
{

Bus::Bus() : places_(std::size_t{1} << (32 - megabyte))
{
}

Memory &Bus::add_memory(std::uint32_t base, std::uint32_t size, bool writable)
{
    memories_.push_back(std::make_unique<Memory>(Memory{base, size, writable, {}}));
    Memory &memory = *memories_.back();
    memory.bytes.resize(size);
    add_alias(base, memory);
    return memory;
}

void Bus::add_alias(std::uint32_t base, Memory &memory)
{
    add_place({base, memory.size, memory.bytes.data(), memory.writable});
}

void Bus::add_place(const Place &place)
{
    all_.push_back(place);
    for (std::uint32_t at = place.base >> megabyte; at <= (place.base + (place.size - 1)) >> megabyte; ++at)
        if (places_[at].bytes == nullptr)
            places_[at] = place;
}

void Bus::add_device(std::uint32_t base, std::uint32_t size, Device &device)
{
    devices_.push_back({base, size, &device});
}

void Bus::add_bit_band(std::uint32_t base, std::uint32_t alias)
{
    bit_bands_.push_back({base, alias});
}

const Bus::Place *Bus::find_place(std::uint32_t address) const
{
    const auto found = std::ranges::find_if(
        all_, [address](const Place &place) { return address - place.base < place.size; });
    return found == all_.end() ? nullptr : &*found;
}

const Bus::Span *Bus::find_device(std::uint32_t address) const
{
    const auto found = std::ranges::find_if(
        devices_, [address](const Span &span) { return address - span.base < span.size; });
    return found == devices_.end() ? nullptr : &*found;
}

const Bus::BitBand *Bus::find_bit_band(std::uint32_t address) const
{
    constexpr std::uint32_t alias_size = 32U << megabyte;
    const auto found = std::ranges::find_if(
        bit_bands_, [address](const BitBand &band) { return address - band.alias < alias_size; });
    return found == bit_bands_.end() ? nullptr : &*found;
}

std::uint8_t *Bus::bytes_at(std::uint32_t address, std::uint32_t &run)
{
    const Place *place = &place_of(address);
    if (address - place->base >= place->size)
        place = find_place(address);
    if (place == nullptr)
        return nullptr;
    run = place->size - (address - place->base);
    return place->bytes + (address - place->base);
}

bool Bus::read_elsewhere(std::uint32_t address, unsigned size, std::uint32_t &value)
{
    value = 0;
    if (const Place *place = find_place(address); place != nullptr) {
        std::memcpy(&value, place->bytes + (address - place->base), size);
        return true;
    }
    if (const Span *span = find_device(address); span != nullptr)
        return span->device->read(address - span->base, size, value);
    const BitBand *band = find_bit_band(address);
    if (band == nullptr)
        return false;
    const std::uint32_t bit = (address - band->alias) >> 2;
    if (!read(band->base + (bit >> 5 << 2), 4, value))
        return false;
    value = value >> (bit & 31) & 1;
    return true;
}

bool Bus::write_elsewhere(std::uint32_t address, unsigned size, std::uint32_t value)
{
    if (const Place *place = find_place(address); place != nullptr) {
        if (!place->writable)
            return program && program(address, size, value);
        std::memcpy(place->bytes + (address - place->base), &value, size);
        return true;
    }
    if (const Span *span = find_device(address); span != nullptr)
        return span->device->write(address - span->base, size, value);
    const BitBand *band = find_bit_band(address);
    if (band == nullptr)
        return false;
    const std::uint32_t bit = (address - band->alias) >> 2;
    const std::uint32_t word_at = band->base + (bit >> 5 << 2);
    const std::uint32_t mask = 1U << (bit & 31);
    std::uint32_t word = 0;
    return read(word_at, 4, word) && write(word_at, 4, (value & 1) != 0 ? word | mask : word & ~mask);
}

} // namespace cortexm
