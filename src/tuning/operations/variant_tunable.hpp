// The part of the tuner's interface that all operations with variants share.
// `P` is an operation's normalized problem, which has Operation<P> and RecordFormat<P>.
#pragma once

#include <memory>

#include "selection/load_records.hpp"
#include "selection/record_store.hpp"
#include "selection/selections.hpp"
#include "tuning/operations/variant_seeds.hpp"
#include "tuning/operations/variant_space.hpp"
#include "tuning/tunable/operation.hpp"

namespace tilewright::tuning {

template <class P>
class VariantTunable : public Tunable {
 public:
  explicit VariantTunable(const P& normalized) : problem_(normalized) {}

  const P& problem() const { return problem_; }

  std::string_view operation() const override { return detail::Operation<P>::name; }
  nlohmann::ordered_json to_json() const override { return detail::RecordFormat<P>::to_json(problem_); }

  std::vector<std::string> variants(const DeviceProfile& device) const override {
    std::vector<std::string> names;
    for (const detail::Variant<P>* variant : detail::Operation<P>::variants())
      if (detail::why_unsupported(*variant, problem_, device).empty()) names.emplace_back(variant->name);
    return names;
  }

  Space space(std::string_view variant, const DeviceProfile& device) const override {
    return variant_space(detail::find_variant<P>(variant), problem_, device);
  }

  std::vector<Configuration> seeds(std::string_view variant, const DeviceProfile& device) const override {
    return variant_seeds(detail::find_variant<P>(variant), problem_, device);
  }

  bool allows(const Choice& choice, const DeviceProfile& device) const override {
    const detail::Variant<P>& variant = detail::find_variant<P>(choice.variant);
    return detail::violation(variant, detail::values_of(variant, choice.configuration), problem_, device).empty();
  }

  Choice untuned(const DeviceProfile& device) const override {
    const detail::Selection<P> selection = detail::select<P>(device, {}, problem_, {});
    return {selection.variant->name, selection.configuration()};
  }

 private:
  P problem_;
};

/// Returns the concrete problem of the interface. Throws std::bad_cast if it belongs to another operation.
template <class P>
const P& problem_of(const Problem& problem) {
  return dynamic_cast<const VariantTunable<P>&>(*problem).problem();
}

/// Returns a record with its problem converted by `convert`.
template <class From, class Convert>
auto with_problem(const Record<From>& record, const Convert& convert) {
  return Record<decltype(convert(record.problem))>{
      convert(record.problem), record.variant,         record.configuration, record.seconds, record.variation,
      record.timings,          record.untuned_seconds, record.driver,        record.library, record.date,
      record.same_device,      record.only_own,        record.source};
}

template <class P>
Record<P> record_of(const ProblemRecord& record) {
  return with_problem(record, [](const Problem& problem) -> P { return problem_of<P>(problem); });
}

/// A row of the table of operations; `T` is the VariantTunable of P.
template <class P, class T>
struct VariantOperation {
  static Problem problem(const P& normalized) { return Problem(std::make_shared<const T>(normalized)); }

  static ProblemRecords records(Records<P> found) {
    ProblemRecords result{{}, std::move(found.problems)};
    for (const Record<P>& record : found.records) result.records.push_back(with_problem(record, problem));
    return result;
  }

  static void update_records(const DeviceProfile& device, std::span<const ProblemRecord> gone,
                             std::span<const ProblemRecord> added) {
    std::vector<Record<P>> lists[2];
    for (const ProblemRecord& record : gone) lists[0].push_back(record_of<P>(record));
    for (const ProblemRecord& record : added) lists[1].push_back(record_of<P>(record));
    detail::update<P>(device, lists[0], lists[1]);
  }

  static detail::CrossValidation<Problem> cross_validate(std::span<const ProblemRecord> records,
                                                         const DeviceProfile& device) {
    std::vector<Record<P>> typed;
    for (const ProblemRecord& record : records) typed.push_back(record_of<P>(record));
    const detail::CrossValidation<P> found = detail::cross_validate(std::move(typed), device);
    detail::CrossValidation<Problem> result{{}, found.judged, found.log_gain};
    for (const P& only : found.only_own) result.only_own.push_back(problem(only));
    return result;
  }

  static Chooser chooser(const DeviceProfile& device) {
    const auto book = std::make_shared<const detail::RecordBook<P>>(detail::open_record_book<P>(device));
    return [device, book](const Problem& problem) -> Explanation {
      const detail::Selection<P> selection = detail::select<P>(device, *book, problem_of<P>(problem), {});
      return {selection.variant->name, selection.configuration(), selection.reason, {}};
    };
  }

  static constexpr Operation row(std::vector<Problem> (*preset)(std::string_view, DataType, const DeviceProfile&)) {
    return {
        .name = detail::Operation<P>::name,
        .variants = detail::variant_infos<P>,
        .preset = preset,
        .problem_from_json =
            [](const nlohmann::json& values) { return problem(detail::RecordFormat<P>::from_json(values)); },
        .configuration_from_json =
            [](std::string_view variant, const nlohmann::json& values) {
              return detail::configuration_from_json(variant, detail::find_variant<P>(variant).parameters, values);
            },
        .load_records = [](const DeviceProfile& device) { return records(detail::load<P>(device)); },
        .load_stored_records = [](const DeviceProfile& device) { return records(detail::load_stored<P>(device)); },
        .read_records = [](const std::filesystem::path& file,
                           const DeviceProfile& device) { return records(detail::read<P>(file, device)); },
        .update_records = update_records,
        .cross_validate = cross_validate,
        .record_to_json = [](const ProblemRecord& record) { return detail::to_json(record_of<P>(record)); },
        .chooser = chooser,
    };
  }
};

}  // namespace tilewright::tuning
