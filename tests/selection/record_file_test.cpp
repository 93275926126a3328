#include "selection/record_file.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "gemm/selector.hpp"
#include "selection/made_up.hpp"
#include "support/expect_error.hpp"
#include "support/profiles.hpp"
#include "tilewright/gemm_choice.hpp"
#include "tilewright/gemm_problem.hpp"
#include "tilewright/log.hpp"

namespace tilewright::test {
namespace {

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_SUITE("records") {
  TEST_CASE_FIXTURE(RecordPlace, "stored records are read again, and a record of the same problem is replaced") {
    const Record<GemmProblem> records[] = {some_record(64), some_record(128)};
    store_records<GemmProblem>(device, records);
    Record<GemmProblem> faster = some_record(64);
    faster.seconds = 1e-6;
    store_records<GemmProblem>(device, {&faster, 1});
    const Records<GemmProblem> set = load_records<GemmProblem>(device);
    CHECK(set.problems.empty());
    REQUIRE(set.records.size() == 2);
    CHECK(set.records.front().same_device);
    CHECK(set.records.front().source == records_file(device)->string());
    const Record<GemmProblem>& first = set.records.front();
    CHECK(first.problem == records[1].problem);
    CHECK(first.variant == "naive");
    CHECK(first.configuration == records[1].configuration);
    CHECK(first.seconds == records[1].seconds);
    CHECK(first.untuned_seconds == records[1].untuned_seconds);
    CHECK(first.driver == "1.2");
    CHECK(set.records.back().seconds == 1e-6);
  }

  TEST_CASE_FIXTURE(RecordPlace, "records of different types are kept apart, for every type of the variant") {
    std::vector<Record<GemmProblem>> records;
    for (const DataType type :
         {DataType::f16, DataType::bf16, DataType::f32, DataType::f64, DataType::i8, DataType::u8}) {
      records.push_back(some_record(64));
      records.back().problem.type = type;
      if (detail::default_type_of_c(type) == accumulator_of(type)) continue;
      records.push_back(records.back());
      records.back().problem.type_c = accumulator_of(type);
    }
    store_records<GemmProblem>(device, records);
    const Records<GemmProblem> set = load_records<GemmProblem>(device);
    CHECK(set.problems.empty());
    REQUIRE(set.records.size() == records.size());
    for (std::size_t i = 0; i < records.size(); ++i) CHECK(set.records[i].problem == records[i].problem);
  }

  TEST_CASE_FIXTURE(RecordPlace, "a bad line is reported and skipped, and the other lines count") {
    const Record<GemmProblem> records[] = {some_record(64), some_record(128)};
    store_records<GemmProblem>(device, records);
    const auto file = *records_file(device);
    std::string text = content_of(file);
    const std::string line = text.substr(text.rfind('{', text.size() - 2));
    for (const std::string& bad : {std::string("not json"), std::string("{}"), line.substr(0, line.size() / 2) + '\n'})
      text += bad + '\n';
    const auto damaged = [&](const std::string& from, const std::string& to) {
      std::string changed = content_of(file).substr(content_of(file).rfind("{\"operation"));
      const auto at = changed.find(from);
      REQUIRE(at != std::string::npos);
      return changed.replace(at, from.size(), to);
    };
    text += damaged("\"naive\"", "\"no_such_variant\"");
    text += damaged("\"wg_m\":8", "\"wg_x\":8");
    text += damaged("\"wg_m\":8", "\"wg_m\":100000");
    text += damaged("\"seconds\":", "\"seconds\":-");
    text += damaged("\"m\":128", "\"m\":0");
    text += damaged("\"type\":\"f32\"", "\"type\":\"f99\"");
    std::ofstream(file) << text;
    const Records<GemmProblem> set = load_records<GemmProblem>(device);
    CHECK(set.records.size() == 2);
    CHECK(set.problems.size() == 9);
  }

  TEST_CASE_FIXTURE(RecordPlace, "a record with a variant's old name counts, until one with the new name replaces it") {
    Record<GemmProblem> record = some_record(64);
    const auto untuned = explain_gemm(device, record.problem, {"group_reduction", {}});
    record.variant = untuned.variant;
    record.configuration = untuned.configuration;
    store_records<GemmProblem>(device, {&record, 1});
    const std::string name = "group_reduction";
    std::string text = content_of(file());
    text.replace(text.find(name), name.size(), "skinny");
    std::ofstream(file(), std::ios::trunc) << text;
    const Records<GemmProblem> set = load_records<GemmProblem>(device);
    REQUIRE(set.records.size() == 1);
    CHECK(set.records.front().variant == name);
    store_records<GemmProblem>(device, {&record, 1});
    CHECK(load_records<GemmProblem>(device).records.size() == 1);
    CHECK(content_of(file()).find("skinny") == std::string::npos);
  }

  TEST_CASE_FIXTURE(RecordPlace, "lines with hostile numbers are reported, and their values are never used") {
    Record<GemmProblem> record = some_record(64);
    record.problem.batch = {.count = 4, .stride_a = 4096, .stride_b = 4096, .stride_c = 4096};
    store_records<GemmProblem>(device, {&record, 1});
    const std::string whole = content();
    const std::string header = whole.substr(0, whole.find('\n') + 1);
    const std::string line = whole.substr(header.size());
    const auto with = [&](const std::string& name, const std::string& value) {
      std::string changed = line;
      const auto at = changed.find('"' + name + "\":");
      REQUIRE(at != std::string::npos);
      const auto begin = at + name.size() + 3;
      return changed.replace(begin, changed.find_first_of(",}", begin) - begin, value);
    };
    std::vector<std::string> hostile;
    for (const char* name : {"m", "n", "k", "lda", "ldb", "ldc", "offset_alignment", "count", "timings"})
      for (const char* value : {"-1", "1e308", "1.5", "64.0", "null", "true", "\"64\"", "[64]", "{}", "1e999",
                                "18446744073709551615", "18446744073709551616", "-9223372036854775808"})
        hostile.push_back(with(name, value));
    for (const char* name : {"m", "n", "k", "lda", "ldb", "ldc", "offset_alignment", "count"})
      hostile.push_back(with(name, "0"));
    for (const char* name : {"seconds", "untuned_seconds"})
      for (const char* value : {"0", "-1", "1e308", "1e-320", "-0.0", "1e999", "null", "\"1\"", "[]"})
        hostile.push_back(with(name, value));
    for (const char* value : {"-1", "1e308", "-1e-9", "null"}) hostile.push_back(with("variation", value));
    for (const char* name : {"stride_a", "stride_b", "stride_c"})
      for (const char* value : {"-1", "1.5", "1e308", "18446744073709551615"}) hostile.push_back(with(name, value));
    for (const char* value : {"1e308", "-1", "9223372036854775808", "18446744073709551615", "8.0", "1125899906842624"})
      hostile.push_back(with("wg_m", value));
    hostile.push_back(with("by_offsets", "1"));
    hostile.push_back(with("offset_alignment", "3"));
    hostile.push_back(with("date", '"' + std::string(5000, 'x') + '"'));
    hostile.push_back(with("configuration", "7"));
    hostile.push_back(with("configuration", "[1,2"));
    hostile.push_back(with("variant", "\"\\u001b[2J\""));
    hostile.push_back(std::string(60000, '[') + '\n');
    hostile.push_back("{\"m\":" + std::string(30000, '[') + std::string(30000, ']') + "}\n");
    hostile.push_back(std::string(100000, 'x') + '\n');
    std::ofstream(file(), std::ios::trunc) << header;
    for (const std::string& bad : hostile) {
      CAPTURE(bad.substr(0, 500));
      std::ofstream(file(), std::ios::trunc) << header << bad;
      const Records<GemmProblem> set = load_records<GemmProblem>(device);
      CHECK(set.records.empty());
      REQUIRE(set.problems.size() == 1);
      CHECK(set.problems[0].size() < 1000);
      CHECK(set.problems[0].find('\x1b') == std::string::npos);
    }
    // Sizes that fit 64 bits but no device, for every variant; the matrices C of all products interleave.
    const std::string large = std::to_string(std::uint64_t{1} << 40U);
    const auto sized = [&](const std::string& m, const std::string& n, const std::string& k, const std::string& batch) {
      return R"({"operation":"gemm","type":"f32","trans":"NN","m":)" + m + R"(,"n":)" + n + R"(,"k":)" + k +
             R"(,"lda":)" + k + R"(,"ldb":)" + n + R"(,"ldc":)" + n + R"(,"offset_alignment":16,"batch":)" + batch +
             ',';
    };
    const std::string one = R"({"count":1,"stride_a":0,"stride_b":0,"stride_c":0,"by_offsets":false})";
    const std::string many = R"({"count":2147483648,"stride_a":0,"stride_b":0,"stride_c":0,"by_offsets":true})";
    const std::string woven = R"({"count":1048575,"stride_a":1,"stride_b":1,"stride_c":1,"by_offsets":false})";
    std::size_t read = 0;
    for (const std::string& begin :
         {sized(large, "1", "1", one), sized("1", large, "1", one), sized("1", "1", large, one),
          sized("1048576", "1048576", "1048576", one), sized("1", "1", "1", many), sized("32768", "32768", "1", many),
          sized("1", "1", "2147483648", many), sized("1", "1048576", "1", woven), sized("4096", "1048576", "1", woven)})
      for (const VariantInfo& variant : gemm_variants()) {
        const DeviceProfile able = typical_nvidia_gpu();
        Configuration untuned;
        try {
          untuned = explain_gemm(able, {.m = 64, .n = 64, .k = 64}, {variant.name, {}}).configuration;
        } catch (const Error&) {
          continue;  // not for single precision
        }
        std::ofstream(*records_file(able), std::ios::trunc)
            << detail::header_line(able) << '\n'
            << begin << R"("variant":")" << variant.name << R"(","configuration":)" << detail::to_json(untuned).dump()
            << ',' << line.substr(line.find("\"seconds\""));
        const detail::GemmRecordBook book(load_records<GemmProblem>(able), able);
        read += book.set().records.size();
        for (const GemmProblem& problem :
             {GemmProblem{.m = 4096, .n = 4096, .k = 4096}, GemmProblem{.m = 1, .n = 1, .k = 1}})
          for (const auto& prediction : book.predict(detail::normalized(problem), able))
            CHECK(std::isfinite(prediction.seconds));
      }
    CHECK(read > 10);
    std::string all = header;
    for (const std::string& bad : hostile) all += bad;
    std::ofstream(file(), std::ios::trunc) << all << line;
    const Records<GemmProblem> set = load_records<GemmProblem>(device);
    CHECK(set.records.size() == 1);
    CHECK(set.problems.size() < 30);  // and a count of the others
    std::ofstream(file(), std::ios::trunc) << std::string(60000, '[') << '\n' << line;
    CHECK(load_records<GemmProblem>(device).problems.size() == 1);
  }

  TEST_CASE_FIXTURE(RecordPlace, "an invalid TILEWRIGHT_RECORDS is reported once") {
    std::vector<std::string> messages;
    set_log_callback([&](std::string_view message) { messages.emplace_back(message); });
    {
      const ScopedEnvironment wrong("TILEWRIGHT_RECORDS", "bogus");
      static_cast<void>(load_records<GemmProblem>(device));
      static_cast<void>(load_records<GemmProblem>(device));
    }
    for (const char* known : {"on", "off", ""}) {
      const ScopedEnvironment right("TILEWRIGHT_RECORDS", known);
      static_cast<void>(load_records<GemmProblem>(device));
    }
    set_log_callback({});
    REQUIRE(messages.size() == 1);
    CHECK(mentions(messages[0], "'bogus'"));
  }

  TEST_CASE_FIXTURE(RecordPlace, "any damaged byte causes neither an exception nor an invalid record") {
    const Record<GemmProblem> record = some_record(64);
    store_records<GemmProblem>(device, {&record, 1});
    const auto file = *records_file(device);
    const std::string whole = content_of(file);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ 0x15);
      std::ofstream(file, std::ios::trunc) << damaged;
      for (const Record<GemmProblem>& read : load_records<GemmProblem>(device).records) CHECK(read.seconds > 0);
      std::ofstream(file, std::ios::trunc) << whole.substr(0, i);
      CHECK(load_records<GemmProblem>(device).records.size() <= 1);
    }
  }

  TEST_CASE_FIXTURE(RecordPlace, "a broken file is set aside when new records are stored") {
    const Record<GemmProblem> record = some_record(64);
    store_records<GemmProblem>(device, {&record, 1});
    const auto file = *records_file(device);
    std::ofstream(file, std::ios::trunc) << "garbage";
    CHECK(load_records<GemmProblem>(device).records.empty());
    CHECK(load_records<GemmProblem>(device).problems.size() == 1);
    store_records<GemmProblem>(device, {&record, 1});
    CHECK(load_records<GemmProblem>(device).records.size() == 1);
    CHECK(content_of(file.string() + ".broken") == "garbage");
  }

  TEST_CASE_FIXTURE(RecordPlace, "records of another driver are kept, records of another device are not read") {
    const Record<GemmProblem> record = some_record(64);
    store_records<GemmProblem>(device, {&record, 1});
    DeviceProfile updated = device;
    updated.driver_version = "9.9";
    CHECK(load_records<GemmProblem>(updated).records.size() == 1);
    DeviceProfile other = device;
    other.name = "Another GPU";
    CHECK(load_records<GemmProblem>(other).records.empty());
    CHECK(records_file(other) != records_file(device));
    expect_error(ErrorCode::invalid_records, [&] { return read_records<GemmProblem>(*records_file(device), other); });
  }

  TEST_CASE_FIXTURE(RecordPlace, "exported records can be imported") {
    const Record<GemmProblem> record = some_record(64);
    const std::string file = place.file("export.jsonl");
    write_records<GemmProblem>(file, device, {&record, 1});
    CHECK(read_records<GemmProblem>(file, device).records.size() == 1);
    expect_error(ErrorCode::invalid_records, [&] { return read_records<GemmProblem>(place.file("none"), device); });
    expect_error(ErrorCode::invalid_records, [&] {
      write_records<GemmProblem>("/nonexistent/file", device, {&record, 1});
    });
  }

  TEST_CASE_FIXTURE(RecordPlace, "records can be disabled, and a missing directory has its own error") {
    const Record<GemmProblem> record = some_record(64);
    store_records<GemmProblem>(device, {&record, 1});
    {
      const ScopedEnvironment off("TILEWRIGHT_RECORDS", "off");
      CHECK(load_records<GemmProblem>(device).records.empty());
    }
    const ScopedEnvironment none("TILEWRIGHT_DATA_DIR", std::nullopt);
    const ScopedEnvironment no_xdg("XDG_DATA_HOME", std::nullopt);
    const ScopedEnvironment no_home("HOME", std::nullopt);
    CHECK_FALSE(records_file(device).has_value());
    CHECK(load_records<GemmProblem>(device).records.empty());
    expect_error(ErrorCode::invalid_records, [&] { store_records<GemmProblem>(device, {&record, 1}); });
  }

  TEST_CASE("a family is the architecture of a GPU or the vector width of a CPU") {
    DeviceProfile device = some_gpu();
    CHECK(detail::device_family(device) == "NVIDIA-arch_9");
    device.type = DeviceType::cpu;
    device.vendor = Vendor::pocl;
    device.native_vector_width_f32 = 8;
    CHECK(detail::device_family(device) == "PoCL-cpu-256-bit");
    device.vendor = Vendor::oclgrind;
    CHECK(detail::device_family(device).empty());
  }
}

}  // namespace tilewright::test
