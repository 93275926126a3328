#include "records/record_key.hpp"

namespace tilewright::detail {

std::string key_of(const GemmProblem& p) {
  std::string key;
  for (const std::uint64_t value :
       {static_cast<std::uint64_t>(p.type), static_cast<std::uint64_t>(p.layout), static_cast<std::uint64_t>(p.trans_a),
        static_cast<std::uint64_t>(p.trans_b), p.m, p.n, p.k, p.lda, p.ldb, p.ldc, p.offset_alignment, p.batch.count,
        p.batch.stride_a, p.batch.stride_b, p.batch.stride_c, std::uint64_t{p.batch.by_offsets}})
    key += std::to_string(value) + ' ';
  return key;
}

std::string key_of(const GemmRecord& record) {
  return key_of(record.problem) + record.variant + ' ' + to_string(record.configuration);
}

double work_of(const GemmProblem& p) {
  return static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k) *
         static_cast<double>(p.batch.count);
}

}  // namespace tilewright::detail
