#include "records/record_json.hpp"

#include <cmath>
#include <stdexcept>

#include "gemm/registry.hpp"

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

double positive(const Json& line, const char* name) {
  const double value = line.at(name).get<double>();
  if (!(value > 0) || !std::isfinite(value)) throw std::runtime_error(std::string(name) + " is not a positive number");
  return value;
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
  if (values.at("operation") != "gemm") throw std::runtime_error("an operation that this version does not know");
  GemmProblem p;
  const auto type = values.at("type").get<std::string>();
  if (type != "f32" && type != "f64") throw std::runtime_error("the type " + type + " is not known");
  p.type = type == "f32" ? DataType::f32 : DataType::f64;
  const auto trans = values.at("trans").get<std::string>();
  if (trans.size() != 2) throw std::runtime_error("trans is not two letters");
  p.trans_a = transpose_of(trans[0]);
  p.trans_b = transpose_of(trans[1]);
  for (const auto& [name, value] : {std::pair{"m", &p.m},
                                    {"n", &p.n},
                                    {"k", &p.k},
                                    {"lda", &p.lda},
                                    {"ldb", &p.ldb},
                                    {"ldc", &p.ldc},
                                    {"offset_alignment", &p.offset_alignment}}) {
    if (!values.at(name).is_number_unsigned() || values.at(name) == 0)
      throw std::runtime_error(std::string(name) + " is not a positive whole number");
    *value = values.at(name).get<std::uint64_t>();
  }
  if (const auto batch = values.find("batch"); batch != values.end())
    p.batch = {batch->at("count").get<std::uint64_t>(), batch->at("stride_a").get<std::uint64_t>(),
               batch->at("stride_b").get<std::uint64_t>(), batch->at("stride_c").get<std::uint64_t>(),
               batch->at("by_offsets").get<bool>()};
  return normalized(p);
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
    if (found == values.end() || !found->is_number_integer() || values.size() != variant.parameters.size())
      throw std::runtime_error(std::string(variant.name) + " now has the parameters " + schema_of(variant));
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
  line["untuned_seconds"] = record.untuned_seconds;
  line["driver"] = record.driver;
  line["library"] = record.library;
  line["date"] = record.date;
  return line;
}

GemmRecord record_from_json(const Json& line) {
  GemmRecord record;
  record.problem = problem_from_json(line);
  record.variant = line.at("variant").get<std::string>();
  record.configuration = configuration_from_json(find_gemm_variant(record.variant), line.at("configuration"));
  record.seconds = positive(line, "seconds");
  record.variation = line.at("variation").get<double>();
  record.timings = line.at("timings").get<unsigned>();
  record.untuned_seconds = positive(line, "untuned_seconds");
  record.driver = line.at("driver").get<std::string>();
  record.library = line.at("library").get<std::string>();
  record.date = line.at("date").get<std::string>();
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
  if (line.at("tilewright_records") != records_version)
    throw std::runtime_error("it is of version " + line.at("tilewright_records").dump() + ", this library reads " +
                             std::to_string(records_version));
  return {{line.at("platform").get<std::string>(), line.at("vendor").get<std::string>(),
           line.at("device").get<std::string>(), line.at("compute_units").get<std::uint64_t>(),
           line.at("local_memory_bytes").get<std::uint64_t>()},
          line.at("family").get<std::string>()};
}

}  // namespace tilewright::detail
