// The interface of an operation to selection.
#pragma once

#include <string>
#include <vector>

#include "kernels/variant.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {

template <class Problem>
struct Prediction;

/// An operation's choice without records.
template <class Problem>
struct Untuned {
  const Variant<Problem>* variant = nullptr;
  const char* reason = "";
  /// Whether records have measured this choice; a choice that was never measured has not lost. Null: not checked.
  bool (*is_measured)(const std::vector<Prediction<Problem>>&) = nullptr;
  /// A model of the device made the choice. The model knows the sizes better than records of other problems do.
  bool by_model = false;
};

/// An untuned choice with its configuration, the first that the variant prefers.
template <class Problem>
struct UntunedChoice : Untuned<Problem> {
  ParameterValues values;
};

// In addition to the traits that launches need, Operation<Problem> has
//   static std::span<const Variant<Problem>* const> variants();               from the simplest to the fastest
//   static Problem normalized(const Problem&);                                throws Error
//   static std::string unsupported_type(const Problem&, const DeviceProfile&);  why the device cannot; empty: it can
//   static DataType stored_type(const Problem&);                              optional; Needs::types limits it
//   static UntunedChoice<Problem> untuned(const Problem&, const DeviceProfile&);  throws Error(unsupported_variant)
//   static bool is_trivial(const Problem&);                                   no work that takes time
//   static double work(const Problem&);                                       over all problems of a batch
//   static bool same_kind(const Problem&, const Problem&);                    equal types: times compare
//   static double distance(const Problem&, const Problem&);                   0: the same problem
//   static std::string label(const Problem&);                                 for messages
//   static std::string present_name(const std::string&);                      of a variant; optional, after renames
// Fields<Problem>: see selection/problem_fields.hpp.
// RecordFormat<Problem>, in a separate header because JSON is large, has
//   static nlohmann::ordered_json to_json(const Problem&);                    "operation" first
//   static Problem from_json(const nlohmann::json&);                          throws std::exception
template <class Problem>
struct RecordFormat;

/// How the problem of a public Record is stored: as it is, unless an operation specialises this.
template <class Problem>
struct StoredForm {
  using Type = Problem;
  static const Problem& stored(const Problem& problem) { return problem; }
  static const Problem& loaded(const Problem& problem) { return problem; }
};

/// Whether the library has an operation of this name: the list is src/operation_list.hpp.
bool is_operation(std::string_view name);

/// Returns the variant of a name. Throws Error(unknown_variant).
template <class Problem>
const Variant<Problem>& find_variant(std::string_view name) {
  std::string names;
  for (const Variant<Problem>* const variant : Operation<Problem>::variants()) {
    if (variant->name == name) return *variant;
    names += names.empty() ? "" : ", ";
    names += variant->name;
  }
  throw Error(ErrorCode::unknown_variant,
              "there is no variant '" + std::string(name) + "'; the variants are: " + names);
}

/// Returns the public description of an operation's variants.
template <class Problem>
std::vector<VariantInfo> variant_infos() {
  std::vector<VariantInfo> result;
  for (const Variant<Problem>* const variant : Operation<Problem>::variants()) {
    VariantInfo info{variant->name, variant->summary, parameter_infos(variant->parameters)};
    for (const Strategy& strategy : variant->strategies)
      info.strategies.push_back(configuration_of(variant->parameters, strategy));
    result.push_back(std::move(info));
  }
  return result;
}

}  // namespace tilewright::detail
