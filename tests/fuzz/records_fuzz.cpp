// Fuzzes files of tuning records and the selector that uses them.
#include <cmath>
#include <cstdint>
#include <string>

#include "fuzz/input_file.hpp"
#include "gemm/problem.hpp"
#include "gemm/selector.hpp"
#include "selection/records_header.hpp"
#include "spmm/selector.hpp"
#include "support/profiles.hpp"
#include "tilewright/error.hpp"
#include "tilewright/records.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tilewright;
  static const DeviceProfile device = test::typical_gpu();
  static const std::string header = detail::header_line(device) + '\n';
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  for (const std::string& text : {bytes, header + bytes}) {
    const fuzz::InputFile file(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    try {
      const detail::GemmRecordBook book(read_records<GemmProblem>(file.path(), device), device);
      for (const DataType type : {DataType::f32, DataType::f64}) {
        const GemmProblem problem = detail::normalized({.type = type, .m = 100, .n = 200, .k = 300});
        for (const auto& prediction : book.predict(problem, device)) fuzz::require(!std::isnan(prediction.seconds));
        fuzz::require(!std::isnan(book.gain(problem)));
      }
      const detail::RecordBook<detail::SpmmCore> sparse(detail::read<detail::SpmmCore>(file.path(), device), device);
      const detail::SpmmCore core = detail::tuned_core(
          DataType::f32, 8, {.rows = 90, .columns = 70, .nonzeros = 500, .longest = 9, .mean = 500. / 90});
      for (const auto& prediction : sparse.predict(core, device)) fuzz::require(!std::isnan(prediction.seconds));
      fuzz::require(!std::isnan(sparse.gain(core)));
    } catch (const Error&) {
    }
  }
  return 0;
}
