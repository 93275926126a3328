#include "gemm/shape_recorder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "gemm/epilogue.hpp"
#include "gemm/variant.hpp"
#include "runtime/system/descriptor.hpp"
#include "runtime/system/error_text.hpp"
#include "runtime/system/log.hpp"
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

// Whether a file begins with this version's header.
bool has_header(int file) {
  std::string start(header.size(), '\0');
  return pread(file, start.data(), start.size(), 0) == static_cast<ssize_t>(start.size()) && start == header;
}

bool append(const std::string& path, const std::string& row) {
  // O_NONBLOCK: neither opening nor writing a pipe or a terminal may block. A row that finds no room is lost.
  Descriptor file(open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644));
  if (file.get() < 0) return false;
  // One write per line, because several processes may share the file.
  const std::string text = (has_header(file.get()) ? "" : std::string(header)) + row;
  errno = ENOSPC;  // reported if a write is incomplete without an error
  return write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()) && file.close();
}

// Whether the row is new to the file. Rows are remembered until the process ends. The set is never destroyed, because
// plans may be made during exit.
bool is_new(const std::string& path, const std::string& row) {
  static auto& mutex = *new std::mutex;
  static auto& known = *new std::set<std::string>;
  const std::lock_guard lock(mutex);
  return known.insert(path + '\n' + row).second;
}

}  // namespace

void record_shape(const GemmProblem& p) {
  const std::string path = environment_path(shape_file);
  if (path.empty() || p.m == 0 || p.n == 0 || p.k == 0) return;
  const std::string row = row_of(p);
  if (is_new(path, row) && !append(path, row))
    log_once(std::string("shapes of products are not recorded: ") + shape_file + " names " + path +
             ", which cannot be written: " + error_text(errno));
}

}  // namespace tilewright::detail
