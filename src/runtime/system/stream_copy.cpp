#include "runtime/system/stream_copy.hpp"

#include <cstdint>
#include <cstring>

#if defined(__x86_64__) || defined(_M_X64)
#include <emmintrin.h>
#define TILEWRIGHT_STREAMS 1
#endif

namespace tilewright::detail {

#ifdef TILEWRIGHT_STREAMS

void stream_copy(void* target, const void* source, std::size_t bytes) {
  constexpr std::size_t line = 64, least = 16384;  // for less, the fence costs more than the stores save
  auto* to = static_cast<std::byte*>(target);
  const auto* from = static_cast<const std::byte*>(source);
  if (bytes < least) {
    std::memcpy(to, from, bytes);
    return;
  }
  // Lines of the target are written whole: a part of a line would be read and merged.
  const std::size_t head = (line - reinterpret_cast<std::uintptr_t>(to) % line) % line;
  std::memcpy(to, from, head);
  to += head;
  from += head;
  bytes -= head;
  for (; bytes >= line; bytes -= line, to += line, from += line) {
    __m128i part[4];
    for (int i = 0; i < 4; ++i) part[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from) + i);
    for (int i = 0; i < 4; ++i) _mm_stream_si128(reinterpret_cast<__m128i*>(to) + i, part[i]);
  }
  _mm_sfence();  // other threads and devices read the target after ordinary stores only
  std::memcpy(to, from, bytes);
}

#else

void stream_copy(void* target, const void* source, std::size_t bytes) { std::memcpy(target, source, bytes); }

#endif

}  // namespace tilewright::detail
