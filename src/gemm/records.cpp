// The public records of gemm.
#include "tilewright/records.hpp"

#include "gemm/problem_json.hpp"
#include "gemm/variant.hpp"
#include "selection/load_records.hpp"
#include "selection/record_store.hpp"

namespace tilewright {

RecordSet load_records(const DeviceProfile& device) { return detail::load<GemmProblem>(device); }

RecordSet read_records(const std::filesystem::path& file, const DeviceProfile& device) {
  return detail::read<GemmProblem>(file, device);
}

void update_records(const DeviceProfile& device, std::span<const GemmRecord> gone, std::span<const GemmRecord> added) {
  detail::update(device, gone, added);
}

void store_records(const DeviceProfile& device, std::span<const GemmRecord> records) {
  update_records(device, {}, records);
}

void write_records(const std::filesystem::path& file, const DeviceProfile& device,
                   std::span<const GemmRecord> records) {
  detail::write_text(file, detail::records_text(device, records));
}

}  // namespace tilewright
