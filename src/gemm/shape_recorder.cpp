#include "gemm/shape_recorder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "gemm/epilogue.hpp"
#include "gemm/variant.hpp"
#include "runtime/system/user_directory.hpp"

namespace tilewright::detail {
namespace {

std::string row_of(const GemmProblem& p) {
  return std::to_string(p.m) + ',' + std::to_string(p.n) + ',' + std::to_string(p.k) + ',' + letter_of(p.trans_a) +
         ',' + letter_of(p.trans_b) + ',' + std::string(to_string(p.type)) + ',' +
         (p.type_c ? std::string(to_string(*p.type_c)) : "") + ',' + std::string(to_string(p.accuracy)) + ',' +
         std::to_string(p.batch.count) + ',' + to_string(p.epilogue) + '\n';
}

constexpr std::string_view header = "m,n,k,trans_a,trans_b,type,type_c,accuracy,batch,epilogue\n";

// Whether a file begins with the header; one of another version does not.
bool has_header(int file) {
  std::string start(header.size(), '\0');
  return pread(file, start.data(), start.size(), 0) == static_cast<ssize_t>(start.size()) && start == header;
}

void append(const std::string& path, const std::string& row) {
  const int file = open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return;
  // One write a line: several processes may share the file.
  const std::string text = (has_header(file) ? "" : std::string(header)) + row;
  [[maybe_unused]] const auto written = write(file, text.data(), text.size());
  close(file);
}

}  // namespace

void record_shape(const GemmProblem& p) {
  const std::string path = trusted_environment("TILEWRIGHT_RECORD_SHAPES");
  if (path.empty() || p.m == 0 || p.n == 0 || p.k == 0) return;
  // Never destroyed: plans may be made while the process ends.
  static auto& mutex = *new std::mutex;
  static auto& known = *new std::set<std::string>;
  const std::string row = row_of(p);
  const std::lock_guard lock(mutex);
  if (known.insert(path + '\n' + row).second) append(path, row);
}

}  // namespace tilewright::detail
