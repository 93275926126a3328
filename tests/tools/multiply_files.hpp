// Matrices in files for tests of `tilewright multiply`.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "files/npy.hpp"
#include "kernels/host_type.hpp"
#include "npy_bytes.hpp"
#include "run_command.hpp"
#include "temporary_directory.hpp"

namespace tilewright::test {

/// A = [1 2 3; 4 5 6], B = [1 0; 2 1; 0 3]: A B = [5 11; 14 23].
class MultiplyFiles {
 public:
  MultiplyFiles() {
    directory.write("a.npy", npy_matrix<float>(2, 3, {1, 2, 3, 4, 5, 6}));
    directory.write("b.npy", npy_matrix<float>(3, 2, {1, 0, 2, 1, 0, 3}));
    directory.write("a_t.npy", npy_matrix<float>(3, 2, {1, 4, 2, 5, 3, 6}));
    directory.write("a_fortran.npy", npy_matrix<float>(2, 3, {1, 4, 2, 5, 3, 6}, true, 2));
    directory.write("b_fortran_t.npy", npy_matrix<float>(2, 3, {1, 0, 2, 1, 0, 3}, true, 3));
    directory.write("b_f8.npy", npy_matrix<double>(3, 2, {1, 0, 2, 1, 0, 3}));
    directory.write("c.npy", npy_matrix<float>(2, 2, {10, 20, 30, 40}));
    directory.write("c_fortran.npy", npy_matrix<float>(2, 2, {10, 30, 20, 40}, true));
  }

  CommandResult multiply(const std::string& a, const std::string& b, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"multiply", directory.file(a), directory.file(b), "-o", output()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command(arguments);
  }

  template <class T>
  void check_output(const std::vector<T>& expected) const {
    const bool is_number = detail::element_type(detail::HostType<T>::type).numpy_number;
    const tool::NpyMatrix matrix =
        tool::read_npy(output(), is_number ? tool::NpyElements::numbers : tool::NpyElements::numbers_and_bits);
    CHECK(matrix.header.type == detail::HostType<T>::type);
    CHECK_FALSE(matrix.header.fortran_order);
    CHECK(tool::elements_as<T>(matrix) == expected);
  }

  /// Checks that a call was refused with a message and created no file.
  void check_refused(const CommandResult& result, const std::string& expected, int status = 1) const {
    CAPTURE(result.errors);
    CHECK(result.status == status);
    CHECK(result.errors.rfind("tilewright: ", 0) == 0);
    CHECK(result.errors.substr(0, result.errors.find('\n')).find(expected) != std::string::npos);
    CHECK(directory.files() == 8);
  }

  std::string output() const { return directory.file("out.npy"); }

  TemporaryDirectory directory;
  std::vector<float> product{5, 11, 14, 23};
};

}  // namespace tilewright::test
