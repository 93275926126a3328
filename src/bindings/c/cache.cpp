#include "tilewright/c/cache.h"

#include <chrono>
#include <memory>

#include "bindings/c/json_text.hpp"
#include "bindings/c/parts.hpp"
#include "selection/member_count.hpp"
#include "tilewright/cache.hpp"

using namespace tilewright;

namespace {

CacheOptions options_from(const tilewright_cache_options& given) {
  CacheOptions options{.mode = c::from_c(given.mode, CacheMode::automatic),
                       .directory = c::text_or_empty(given.directory)};
  static_assert(detail::member_count<CacheOptions>() == 5);
  options.max_bytes = c::number_or(given.max_bytes, options.max_bytes);
  if (given.load != nullptr)
    options.load = [load = given.load, release = given.release,
                    user = given.user](std::string_view key) -> std::optional<std::string> {
      const void* binary = nullptr;
      std::uint64_t bytes = 0;
      if (load(std::string(key).c_str(), &binary, &bytes, user) == 0 || binary == nullptr) return std::nullopt;
      const auto give_back = [release, user](const void* lent) {
        if (release != nullptr) release(lent, user);
      };
      const std::unique_ptr<const void, decltype(give_back)> kept(binary, give_back);  // also if there is no memory
      return std::string(static_cast<const char*>(binary), bytes);
    };
  if (given.store != nullptr)
    options.store = [store = given.store, user = given.user](std::string_view key, std::string_view binary) {
      store(std::string(key).c_str(), binary.data(), binary.size(), user);
    };
  return options;
}

c::Json to_json(const CacheEntry& entry) {
  const auto last_use = std::chrono::duration_cast<std::chrono::seconds>(entry.last_use.time_since_epoch());
  return {{"path", entry.path},       {"bytes", entry.bytes},       {"last_use", last_use.count()},
          {"problem", entry.problem}, {"program", entry.program},   {"options", entry.options},
          {"device", entry.device},   {"platform", entry.platform}, {"driver", entry.driver},
          {"library", entry.library}};
}

}  // namespace

tilewright_status tilewright_engine_set_cache(const tilewright_engine* engine,
                                              const tilewright_cache_options* options) {
  return c::guarded([&] {
    Engine shared = c::engine_of(engine);  // copies share the setting
    shared.set_cache(options == nullptr ? CacheOptions{} : options_from(*c::Input(options)));
  });
}

tilewright_status tilewright_cache_location(char** text) {
  return c::guarded([&] {
    c::expect_argument(text, "text");
    const CacheLocation location = cache_location();
    *text = c::owned_text(c::Json{{"directory", location.directory}, {"reason", location.reason}});
  });
}

tilewright_status tilewright_cache_list(const char* directory, char** text) {
  return c::guarded([&] {
    c::expect_argument(directory, "directory");
    c::expect_argument(text, "text");
    c::Json entries = c::Json::array();
    for (const CacheEntry& entry : list_cache(directory)) entries.push_back(to_json(entry));
    *text = c::owned_text(entries);
  });
}

tilewright_status tilewright_cache_clear(const char* directory, uint64_t* removed) {
  return c::guarded([&] {
    c::expect_argument(directory, "directory");
    const std::uint64_t count = clear_cache(directory);
    if (removed != nullptr) *removed = count;
  });
}
