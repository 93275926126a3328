// What selection asks of an operation.
#pragma once

#include <string>
#include <vector>

#include "kernels/variant.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {

template <class Problem>
struct Prediction;

/// What an operation may do without records.
template <class Problem>
struct Untuned {
  const Variant<Problem>* variant = nullptr;
  const char* reason = "";
  /// Whether records say anything of this choice. What was never measured has not lost. Null: that is not asked.
  bool (*is_measured)(const std::vector<Prediction<Problem>>&) = nullptr;
  /// A model of the device chose it, which knows the sizes better than records of others do.
  bool by_model = false;
};

/// What it does, as the variant prefers it.
template <class Problem>
struct UntunedChoice : Untuned<Problem> {
  Configuration configuration;
};

// Beside what launches need, Operation<Problem> has
//   static std::span<const Variant<Problem>* const> variants();               from the simplest to the fastest
//   static Problem normalized(const Problem&);                                throws Error
//   static std::string unsupported_type(const Problem&, const DeviceProfile&);  why the device cannot; empty: it can
//   static DataType stored_type(const Problem&);                              may be missing; Variant::types limits it
//   static UntunedChoice<Problem> untuned(const Problem&, const DeviceProfile&);  throws Error(unsupported_variant)
//   static bool is_trivial(const Problem&);                                   nothing to compute that takes time
//   static double work(const Problem&);                                       of all problems of a batch
//   static bool same_kind(const Problem&, const Problem&);                    whether times compare: the types
//   static double distance(const Problem&, const Problem&);                   0: the same problem
//   static std::string key(const Problem&);                                   tells problems apart
//   static std::string label(const Problem&);                                 for messages
//   static std::size_t hash(const Problem&);
//   static std::string present_name(const std::string&);                      of a variant; only where one was renamed
// and, in a header of its own, as JSON is large, RecordFormat<Problem> has
//   static nlohmann::ordered_json to_json(const Problem&);                    "operation" first
//   static Problem from_json(const nlohmann::json&);                          throws std::exception
template <class Problem>
struct RecordFormat;

/// Whether the library has an operation of this name: the table is src/operations.cpp.
bool is_operation(std::string_view name);

/// The variant of a name. Throws Error(unknown_variant).
template <class Problem>
const Variant<Problem>& find_variant(std::string_view name) {
  std::string names;
  for (const Variant<Problem>* const variant : Operation<Problem>::variants()) {
    if (variant->name == name) return *variant;
    names += names.empty() ? "" : ", ";
    names += variant->name;
  }
  throw Error(ErrorCode::unknown_variant, "there is no variant '" + std::string(name) + "'; there are: " + names);
}

/// What a program may know of an operation's variants.
template <class Problem>
std::vector<VariantInfo> variant_infos() {
  std::vector<VariantInfo> result;
  for (const Variant<Problem>* const variant : Operation<Problem>::variants())
    result.push_back({variant->name, variant->summary, variant->parameters, variant->strategies});
  return result;
}

}  // namespace tilewright::detail
