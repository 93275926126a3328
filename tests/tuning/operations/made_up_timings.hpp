// Timings of products that the model of time predicts exactly, but for noise.
#pragma once

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "gemm/core_problem.hpp"
#include "gemm/problem.hpp"
#include "gemm/selector.hpp"
#include "gemm/variant.hpp"
#include "support/profiles.hpp"
#include "tuning/operations/gemm_time_fit.hpp"

namespace tilewright::test {

inline DeviceProfile hopper_with(const detail::WaveConstants& constants) {
  DeviceProfile device = typical_hopper();
  device.clock_mhz = 1980;
  device.wave_constants = std::make_shared<detail::WaveConstants>(constants);
  return device;
}

/// The library's constants times powers of `factor` between 1 / factor and factor.
inline detail::WaveConstants changed(double factor, unsigned seed) {
  detail::WaveConstants constants;
  std::mt19937 random(seed);
  for_each_constant(constants, [&](const std::string&, double& constant) {
    constant *= std::pow(factor, 2 * (static_cast<double>(random()) / 4294967296.0) - 1);
  });
  return constants;
}

/// Timings of the configurations that variants prefer for products of all kinds, on a device with these constants. Each
/// is wrong by up to `noise`.
inline std::vector<tuning::TimedProduct> made_up_timings(const DeviceProfile& device, double noise) {
  std::vector<tuning::TimedProduct> result;
  std::mt19937 random(7);
  const auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0; };
  const auto size = [&](double least, double most) {
    return static_cast<std::uint64_t>(least * std::pow(most / least, uniform()));
  };
  for (const DataType type : {DataType::f16, DataType::f32, DataType::f64})
    for (int kind = 0; kind < 48; ++kind) {
      GemmProblem problem{.type = type, .m = size(64, 6000), .n = size(64, 6000), .k = size(64, 6000)};
      if (kind % 6 == 1) problem.n = size(1, 8);
      if (kind % 6 == 2) problem.k = size(4000, 60000);
      if (kind % 6 == 3) problem.m = size(9, 64);
      if (kind % 6 == 4) problem.trans_a = Transpose::yes;
      if (kind % 6 == 5) problem.trans_b = Transpose::yes;
      if (kind % 2 == 0) problem.n = (problem.n + 7) / 8 * 8, problem.k = (problem.k + 7) / 8 * 8;
      problem = detail::core_problem(detail::normalized(problem));
      for (const detail::GemmVariant* const variant : detail::Operation<GemmProblem>::variants()) {
        if (!why_unsupported(*variant, detail::CoreProduct(problem), device).empty()) continue;
        for (const detail::ParameterValues& values : variant->preferences(problem, device)) {
          const double cycles = variant->execution(values, problem, device).cycles;
          if (cycles == 0) continue;
          result.push_back({problem,
                            {variant->name, detail::configuration_of(*variant, values)},
                            cycles / 1980e6 * (1 + noise * (2 * uniform() - 1))});
        }
      }
    }
  return result;
}

}  // namespace tilewright::test
