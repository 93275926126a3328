// The strategies, each in the file of its name. They propose the seeds first, in order.
#pragma once

#include "tuning/search/search.hpp"

namespace tilewright::tuning {

std::unique_ptr<Search> make_guided_search(Space space, std::vector<Configuration> seeds, std::uint64_t random_seed);
std::unique_ptr<Search> make_greedy_search(Space space, std::vector<Configuration> seeds, std::uint64_t random_seed);
std::unique_ptr<Search> make_random_search(Space space, std::vector<Configuration> seeds, std::uint64_t random_seed);
std::unique_ptr<Search> make_full_search(Space space, std::vector<Configuration> seeds, std::uint64_t random_seed);

}  // namespace tilewright::tuning
