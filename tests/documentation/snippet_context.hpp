// Headers and objects that the documentation's snippets use without declaring them.
#pragma once

#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tilewright/tilewright.hpp>
#include <vector>

extern tilewright::Engine engine;
extern cl_command_queue queue;
extern cl_mem a;
extern cl_mem b;
extern cl_mem c;
extern cl_mem bias;
extern cl_mem pivots;
extern cl_mem info;
extern cl_mem tau;
extern cl_mem offsets;
extern cl_mem columns;
extern cl_mem values;
std::optional<std::string> from_my_storage(std::string_view key);
void to_my_storage(std::string_view key, std::string_view binary);
