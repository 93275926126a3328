// What is chosen for a problem, and why; on made-up device profiles, so that no device is needed.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "support/expect_error.hpp"
#include "support/profiles.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::test {
namespace {

const GemmProblem some_problem{.m = 100, .n = 200, .k = 300};
const GemmProblem double_problem{.type = DataType::f64, .m = 100, .n = 200, .k = 300};

}  // namespace

TEST_SUITE("selector") {
  TEST_CASE("the ladder is complete, in order, and explains itself") {
    std::vector<std::string> names;
    for (const GemmVariantInfo& variant : gemm_variants()) {
      CAPTURE(variant.name);
      names.push_back(variant.name);
      CHECK_FALSE(variant.summary.empty());
      CHECK_FALSE(variant.parameters.empty());
      std::set<std::string> parameters;
      for (const GemmParameter& parameter : variant.parameters) {
        CAPTURE(parameter.name);
        CHECK(parameters.insert(parameter.name).second);
        CHECK_FALSE(parameter.meaning.empty());
        CHECK_FALSE(parameter.values.empty());
      }
      for (const Configuration& strategy : variant.strategies)
        for (const auto& [name, value] : strategy) CHECK(parameters.count(name) == 1);
    }
    const std::vector<std::string> ladder = {"naive",       "row_per_item",   "private_row",      "local_column",
                                             "local_tile",  "register_strip", "register_blocked", "image_tile",
                                             "packed_panel"};
    CHECK(names == ladder);
  }

  TEST_CASE("an explanation has a word on every variant and chooses one that is supported") {
    for (const DeviceProfile& device : {typical_gpu(), typical_cpu(), smallest_device()}) {
      CAPTURE(device.name);
      const GemmExplanation explanation = explain_gemm(device, some_problem);
      CHECK_FALSE(explanation.reason.empty());
      CHECK_FALSE(explanation.configuration.empty());
      CHECK(explanation.candidates.size() == gemm_variants().size());
      int chosen = 0;
      for (const GemmCandidate& candidate : explanation.candidates) {
        CAPTURE(candidate.variant);
        CHECK_FALSE(candidate.reason.empty());
        CHECK(candidate.supported == gemm_support(device, candidate.variant, some_problem).supported);
        if (candidate.variant != explanation.variant) continue;
        ++chosen;
        CHECK(candidate.supported);
        CHECK(candidate.configuration == explanation.configuration);
      }
      CHECK(chosen == 1);
    }
  }

  TEST_CASE("what an explanation names can be forced, whole and in part") {
    for (const DeviceProfile& device : {typical_gpu(), typical_cpu(), smallest_device()})
      for (const GemmCandidate& candidate : explain_gemm(device, some_problem).candidates) {
        CAPTURE(device.name);
        CAPTURE(candidate.variant);
        if (!candidate.supported) {
          expect_error(ErrorCode::unsupported_variant, [&] {
            explain_gemm(device, some_problem, {candidate.variant, {}});
          });
          continue;
        }
        const auto forced = explain_gemm(device, some_problem, {candidate.variant, candidate.configuration});
        CHECK(forced.variant == candidate.variant);
        CHECK(forced.configuration == candidate.configuration);
        const Configuration::Entry first = *candidate.configuration.begin();
        const auto in_part = explain_gemm(device, some_problem, {candidate.variant, {first}});
        CHECK(in_part.configuration[first.first] == first.second);
      }
  }

  TEST_CASE("CPUs and GPUs are served differently") {
    CHECK(explain_gemm(typical_gpu(), some_problem).configuration !=
          explain_gemm(typical_cpu(), some_problem).configuration);
  }

  TEST_CASE("every strategy is valid where its variant is") {
    for (const GemmVariantInfo& variant : gemm_variants())
      for (const Configuration& strategy : variant.strategies) {
        CAPTURE(variant.name);
        const auto explanation = explain_gemm(typical_gpu(), some_problem, {variant.name, strategy});
        for (const auto& [name, value] : strategy) CHECK(explanation.configuration[name] == value);
      }
  }

  TEST_CASE("double precision needs a device that has it") {
    DeviceProfile device = typical_gpu();
    device.fp64 = false;
    device.native_vector_width_f64 = 0;
    device.extensions.clear();
    const auto message = expect_error(ErrorCode::unsupported_type, [&] { explain_gemm(device, double_problem); });
    CHECK(mentions(message, device.name));
    for (const GemmVariantInfo& variant : gemm_variants()) {
      CAPTURE(variant.name);
      const GemmSupport support = gemm_support(device, variant.name, double_problem);
      CHECK_FALSE(support.supported);
      CHECK_FALSE(support.reason.empty());
      CHECK(gemm_support(device, variant.name, some_problem).supported);
      expect_error(ErrorCode::unsupported_type, [&] { explain_gemm(device, double_problem, {variant.name, {}}); });
    }
    CHECK_NOTHROW(explain_gemm(typical_gpu(), double_problem));
  }

  TEST_CASE("image_tile needs images that are large enough, and single precision") {
    DeviceProfile device = typical_gpu();
    CHECK(gemm_support(device, "image_tile", some_problem).supported);
    CHECK_FALSE(gemm_support(device, "image_tile", double_problem).supported);
    GemmProblem deep = some_problem;
    deep.k = device.image2d_max_height;
    CHECK(gemm_support(device, "image_tile", deep).supported);
    deep.k += 1;
    CHECK_FALSE(gemm_support(device, "image_tile", deep).supported);
    GemmProblem wide = some_problem;
    wide.n = 4 * device.image2d_max_width + 1;
    CHECK_FALSE(gemm_support(device, "image_tile", wide).supported);
    device.images = false;
    const GemmSupport support = gemm_support(device, "image_tile", some_problem);
    CHECK_FALSE(support.supported);
    CHECK(mentions(support.reason, "image"));
    CHECK(explain_gemm(device, some_problem).variant != "image_tile");
  }

  TEST_CASE("supported variants keep the device's limits") {
    for (const std::size_t group : {std::size_t{1}, std::size_t{16}, std::size_t{128}}) {
      DeviceProfile device = typical_gpu();
      device.max_work_group_size = group;
      device.max_work_item_sizes = {group, group, group};
      device.local_memory_bytes = 1 << 10;
      for (const GemmVariantInfo& variant : gemm_variants()) {
        CAPTURE(variant.name);
        const GemmSupport support = gemm_support(device, variant.name, some_problem);
        CHECK(support.supported == support.reason.empty());
        if (support.supported) CHECK_NOTHROW(explain_gemm(device, some_problem, {variant.name, {}}));
      }
      CHECK(gemm_support(device, "naive", some_problem).supported);
    }
  }
}

}  // namespace tilewright::test
