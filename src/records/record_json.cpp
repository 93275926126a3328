#include "records/record_json.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

#include "gemm/registry.hpp"
#include "records/json_line.hpp"
#include "records/record_key.hpp"

namespace tilewright::detail {
namespace {

using Json = nlohmann::json;

std::string schema_of(const GemmVariant& variant) {
  std::string schema;
  for (const GemmParameter& parameter : variant.parameters) schema += (schema.empty() ? "" : " ") + parameter.name;
  return schema;
}

Transpose transpose_of(char letter) {
  if (letter != 'N' && letter != 'T') throw std::runtime_error("a transpose is N or T");
  return letter == 'T' ? Transpose::yes : Transpose::no;
}

// No device holds a matrix of more rows, columns or products, does more multiply-adds in one call, or takes more or
// less time for it. Within these bounds no arithmetic on a problem or its times overflows.
constexpr std::uint64_t largest_size = std::uint64_t{1} << 40U;
constexpr std::uint64_t largest_stride = std::uint64_t{1} << 60U;
constexpr std::uint64_t largest_count = std::uint64_t{1} << 31U;
constexpr double most_work = 0x1p62;
constexpr double least_seconds = 1e-9;
constexpr double most_seconds = 1e7;
constexpr double most_variation = 1e6;
constexpr std::uint64_t most_timings = 1000000000;

// The batch of a problem that is normalized but for that. Whether its matrices of C share elements is not asked, which
// takes long for some: nothing is enqueued here.
void read_batch(GemmProblem& p, const Json& values) {
  GemmBatch& batch = p.batch;
  batch.count = whole_number(values, "count", 1, largest_count);
  batch.by_offsets = truth(values, "by_offsets");
  std::uint64_t strides = 0;
  for (const auto& [name, value] :
       {std::pair{"stride_a", &batch.stride_a}, {"stride_b", &batch.stride_b}, {"stride_c", &batch.stride_c}}) {
    *value = whole_number(values, name, 0, largest_stride / batch.count);
    if (batch.by_offsets || batch.count == 1) *value = 0;
    strides |= *value;
  }
  if (strides != 0) p.offset_alignment = std::min(p.offset_alignment, std::uint64_t{1} << std::countr_zero(strides));
}

}  // namespace

std::string transposes_of(const GemmProblem& problem) {
  const auto letter = [](Transpose transpose) { return transpose == Transpose::yes ? 'T' : 'N'; };
  return {letter(problem.trans_a), letter(problem.trans_b)};
}

nlohmann::ordered_json to_json(const GemmProblem& p) {
  nlohmann::ordered_json values{{"operation", "gemm"},
                                {"type", to_string(p.type)},
                                {"trans", transposes_of(p)},
                                {"m", p.m},
                                {"n", p.n},
                                {"k", p.k},
                                {"lda", p.lda},
                                {"ldb", p.ldb},
                                {"ldc", p.ldc},
                                {"offset_alignment", p.offset_alignment}};
  if (is_batched(p))
    values["batch"] = {{"count", p.batch.count},
                       {"stride_a", p.batch.stride_a},
                       {"stride_b", p.batch.stride_b},
                       {"stride_c", p.batch.stride_c},
                       {"by_offsets", p.batch.by_offsets}};
  return values;
}

GemmProblem problem_from_json(const Json& values) {
  if (text(values, "operation") != "gemm") throw std::runtime_error("an operation that this version does not know");
  GemmProblem p;
  const std::string type = text(values, "type");
  if (type != "f32" && type != "f64") throw std::runtime_error("the type " + type + " is not known");
  p.type = type == "f32" ? DataType::f32 : DataType::f64;
  const std::string trans = text(values, "trans");
  if (trans.size() != 2) throw std::runtime_error("trans is not two letters");
  p.trans_a = transpose_of(trans[0]);
  p.trans_b = transpose_of(trans[1]);
  for (const auto& [name, value] : {std::pair{"m", &p.m},
                                    {"n", &p.n},
                                    {"k", &p.k},
                                    {"lda", &p.lda},
                                    {"ldb", &p.ldb},
                                    {"ldc", &p.ldc},
                                    {"offset_alignment", &p.offset_alignment}})
    *value = whole_number(values, name, 1, largest_size);
  p = normalized(p);
  if (const auto batch = values.find("batch"); batch != values.end()) read_batch(p, *batch);
  if (!(work_of(p) <= most_work)) throw std::runtime_error("it is more work than any device does");
  return p;
}

nlohmann::ordered_json to_json(const Configuration& configuration) {
  nlohmann::ordered_json values = nlohmann::ordered_json::object();
  for (const auto& [name, value] : configuration) values[name] = value;
  return values;
}

Configuration configuration_from_json(const GemmVariant& variant, const Json& values) {
  Configuration configuration;
  for (const GemmParameter& parameter : variant.parameters) {
    const auto found = values.find(parameter.name);
    if (found == values.end() || values.size() != variant.parameters.size())
      throw std::runtime_error(std::string(variant.name) + " now has the parameters " + schema_of(variant));
    constexpr std::int64_t most = std::int64_t{1} << 31U;  // what a configuration may hold in the end is asked later
    if (!found->is_number_integer() || (found->is_number_unsigned() && found->get<std::uint64_t>() > most) ||
        found->get<std::int64_t>() < -most)
      throw std::runtime_error(parameter.name + " is not a whole number that a parameter can have");
    configuration.set(parameter.name, found->get<std::int64_t>());
  }
  return configuration;
}

nlohmann::ordered_json to_json(const GemmRecord& record) {
  nlohmann::ordered_json line = to_json(record.problem);
  line["variant"] = record.variant;
  line["configuration"] = to_json(record.configuration);
  line["seconds"] = record.seconds;
  line["variation"] = record.variation;
  line["timings"] = record.timings;
  if (record.variation > noisy_variation) line["noisy"] = true;  // for who reads the file
  line["untuned_seconds"] = record.untuned_seconds;
  line["driver"] = record.driver;
  line["library"] = record.library;
  line["date"] = record.date;
  if (!record.same_device) line["same_device"] = false;
  return line;
}

GemmRecord record_from_json(const Json& line) {
  GemmRecord record;
  record.problem = problem_from_json(line);
  record.variant = text(line, "variant");
  record.configuration = configuration_from_json(find_gemm_variant(record.variant), field(line, "configuration"));
  record.seconds = number(line, "seconds", least_seconds, most_seconds);
  record.variation = number(line, "variation", 0, most_variation);
  record.timings = static_cast<unsigned>(whole_number(line, "timings", 0, most_timings));
  record.untuned_seconds = number(line, "untuned_seconds", least_seconds, most_seconds);
  record.driver = text(line, "driver");
  record.library = text(line, "library");
  record.date = text(line, "date");
  if (line.contains("same_device")) record.same_device = truth(line, "same_device");
  return record;
}

nlohmann::ordered_json header_json(const DeviceIdentity& identity, const std::string& family) {
  return {{"tilewright_records", records_version},
          {"platform", identity.platform},
          {"vendor", identity.vendor},
          {"device", identity.device},
          {"compute_units", identity.compute_units},
          {"local_memory_bytes", identity.local_memory_bytes},
          {"family", family}};
}

RecordsHeader header_from_json(const Json& line) {
  const Json& found = field(line, "tilewright_records");
  if (found != records_version)
    throw OtherVersion("it is of version " + printable(found.dump()) + ", this library reads and writes " +
                       std::to_string(records_version));
  constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
  const auto word = [&](const char* name) { return text(line, name, longest_json_line); };  // as long as drivers like
  return {{word("platform"), word("vendor"), word("device"), whole_number(line, "compute_units", 0, any),
           whole_number(line, "local_memory_bytes", 0, any)},
          word("family")};
}

}  // namespace tilewright::detail
