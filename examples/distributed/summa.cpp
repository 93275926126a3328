// C = A B on several processes (MPI), each with a device: SUMMA (van de Geijn and Watts, 1997).
//
//   mpiexec -n 4 summa [n] [panel]
//
// The processes form a grid. Each owns one block of A, B and C. The product is a sum over panels: some columns of A
// times the same rows of B. The owners of a panel broadcast it along their row or column of the grid, and every process
// adds the product to its block of C, which stays on its device. While the device computes with one panel, the next one
// is broadcast.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <tilewright/tilewright.hpp>
#include <vector>

using namespace tilewright;

namespace {

// Part number i of n elements in `parts` parts.
struct Range {
  int begin, end;
  int size() const { return end - begin; }
};
Range part(int n, int parts, int i) {
  return {static_cast<int>(std::int64_t{n} * i / parts), static_cast<int>(std::int64_t{n} * (i + 1) / parts)};
}
int owner(int n, int parts, int index) {
  int i = 0;
  while (part(n, parts, i).end <= index) ++i;
  return i;
}

// Small integers, so that the sums are exact.
double element_of_a(int i, int k) { return (i + 2 * k) % 5 - 2; }
double element_of_b(int k, int j) { return (3 * k + j) % 7 - 3; }

struct Grid {
  int rows, columns, row, column;
  MPI_Comm along_row, along_column;
};

Grid make_grid() {
  int ranks = 0, rank = 0, sizes[2] = {0, 0};
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Dims_create(ranks, 2, sizes);
  Grid grid{sizes[0], sizes[1], rank / sizes[1], rank % sizes[1], {}, {}};
  MPI_Comm_split(MPI_COMM_WORLD, grid.row, grid.column, &grid.along_row);
  MPI_Comm_split(MPI_COMM_WORLD, grid.column, grid.row, &grid.along_column);
  return grid;
}

// Processes of one machine share its devices of the best kind.
Device own_device() {
  MPI_Comm machine{};
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  int rank = 0;
  MPI_Comm_rank(machine, &rank);
  MPI_Comm_free(&machine);
  const Device best = pick_device();
  std::vector<Device> equal;
  for (Device& device : list_devices())
    if (device.profile.name == best.profile.name) equal.push_back(std::move(device));
  return equal[static_cast<std::size_t>(rank) % equal.size()];
}

// Panels of at most `width` columns of A and rows of B, each with one owner in a row and in a column of the grid.
std::vector<Range> cut_panels(const Grid& grid, int n, int width) {
  std::vector<Range> panels;
  for (int k = 0; k < n;) {
    const int end = std::min({k + width, part(n, grid.columns, owner(n, grid.columns, k)).end,
                              part(n, grid.rows, owner(n, grid.rows, k)).end});
    panels.push_back({k, end});
    k = end;
  }
  return panels;
}

class Summa {
 public:
  Summa(const Grid& grid, const Device& device, int n, int width)
      : grid_(grid),
        n_(n),
        rows_(part(n, grid.rows, grid.row)),
        columns_(part(n, grid.columns, grid.column)),
        engine_(device),
        queue_(make_queue()),
        panels_(cut_panels(grid, n, width)) {
    for (Slot& slot : slots_) {
      slot.a.resize(static_cast<std::size_t>(rows_.size()) * static_cast<std::size_t>(width));
      slot.b.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(columns_.size()));
      slot.device_a = make_buffer(slot.a.size());
      slot.device_b = make_buffer(slot.b.size());
    }
    c_ = make_buffer(area());
  }
  Summa(const Summa&) = delete;
  Summa& operator=(const Summa&) = delete;
  ~Summa() {
    if (clFinish(queue_) != CL_SUCCESS) std::fprintf(stderr, "summa: the device failed\n");
    for (const Slot& slot : slots_) {
      clReleaseMemObject(slot.device_a);
      clReleaseMemObject(slot.device_b);
    }
    clReleaseMemObject(c_);
    clReleaseCommandQueue(queue_);
  }

  // Returns this process's block of C, stored by rows.
  std::vector<double> multiply() {
    begin_broadcast(0);
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      add_product(i);
      // The slot of panel i + 1 is free when the product of panel i - 1 is done. The product of panel i runs meanwhile.
      if (i > 0) slot(i - 1).product.wait();
      if (i + 1 < panels_.size()) begin_broadcast(i + 1);
    }
    std::vector<double> c(area());
    check(clEnqueueReadBuffer(queue_, c_, CL_TRUE, 0, c.size() * sizeof(double), c.data(), 0, nullptr, nullptr));
    return c;
  }

  // Returns the number of wrong elements.
  long wrong(const std::vector<double>& c) const {
    long count = 0;
    for (int i = rows_.begin; i < rows_.end; ++i)
      for (int j = columns_.begin; j < columns_.end; ++j) {
        double sum = 0;
        for (int k = 0; k < n_; ++k) sum += element_of_a(i, k) * element_of_b(k, j);
        const auto place = static_cast<std::size_t>(i - rows_.begin) * static_cast<std::size_t>(columns_.size());
        if (c[place + static_cast<std::size_t>(j - columns_.begin)] != sum) ++count;
      }
    return count;
  }

 private:
  // One of two panels that are in use at the same time.
  struct Slot {
    std::vector<double> a, b;
    cl_mem device_a = nullptr, device_b = nullptr;
    std::array<MPI_Request, 2> broadcasts{};
    Event product{};
  };

  static void check(cl_int status) {
    if (status != CL_SUCCESS) throw Error(ErrorCode::opencl_failure, opencl_status_name(status), status);
  }

  cl_command_queue make_queue() const {
    cl_int status = CL_SUCCESS;
    cl_command_queue queue = clCreateCommandQueue(engine_.context(), engine_.device(), 0, &status);
    check(status);
    return queue;
  }

  cl_mem make_buffer(std::size_t elements) const {
    cl_int status = CL_SUCCESS;
    cl_mem buffer = clCreateBuffer(engine_.context(), CL_MEM_READ_WRITE,
                                   std::max<std::size_t>(1, elements) * sizeof(double), nullptr, &status);
    check(status);
    return buffer;
  }

  std::size_t area() const {
    return static_cast<std::size_t>(rows_.size()) * static_cast<std::size_t>(columns_.size());
  }

  Slot& slot(std::size_t panel) { return slots_[panel % slots_.size()]; }

  // The owners fill in their elements, where a program would copy them from its blocks of A and B.
  void begin_broadcast(std::size_t number) {
    const Range panel = panels_[number];
    Slot& into = slot(number);
    const int root_of_a = owner(n_, grid_.columns, panel.begin), root_of_b = owner(n_, grid_.rows, panel.begin);
    std::size_t next = 0;
    if (grid_.column == root_of_a)
      for (int i = rows_.begin; i < rows_.end; ++i)
        for (int k = panel.begin; k < panel.end; ++k) into.a[next++] = element_of_a(i, k);
    next = 0;
    if (grid_.row == root_of_b)
      for (int k = panel.begin; k < panel.end; ++k)
        for (int j = columns_.begin; j < columns_.end; ++j) into.b[next++] = element_of_b(k, j);
    MPI_Ibcast(into.a.data(), rows_.size() * panel.size(), MPI_DOUBLE, root_of_a, grid_.along_row, &into.broadcasts[0]);
    MPI_Ibcast(into.b.data(), panel.size() * columns_.size(), MPI_DOUBLE, root_of_b, grid_.along_column,
               &into.broadcasts[1]);
  }

  void add_product(std::size_t number) {
    Slot& from = slot(number);
    MPI_Waitall(2, from.broadcasts.data(), MPI_STATUSES_IGNORE);
    const auto m = static_cast<std::uint64_t>(rows_.size()), n = static_cast<std::uint64_t>(columns_.size()),
               k = static_cast<std::uint64_t>(panels_[number].size());
    if (area() > 0) {
      check(clEnqueueWriteBuffer(queue_, from.device_a, CL_FALSE, 0, m * k * sizeof(double), from.a.data(), 0, nullptr,
                                 nullptr));
      check(clEnqueueWriteBuffer(queue_, from.device_b, CL_FALSE, 0, k * n * sizeof(double), from.b.data(), 0, nullptr,
                                 nullptr));
    }
    from.product = gemm(engine_, queue_, {.type = DataType::f64, .m = m, .n = n, .k = k},
                        {.a = {from.device_a}, .b = {from.device_b}, .beta = number == 0 ? 0 : 1, .c = {c_}});
    check(clFlush(queue_));
  }

  Grid grid_;
  int n_;
  Range rows_, columns_;  // of this process's block of C
  Engine engine_;
  cl_command_queue queue_;
  std::vector<Range> panels_;
  std::array<Slot, 2> slots_;
  cl_mem c_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) try {
  MPI_Init(&argc, &argv);
  const int n = argc > 1 ? std::atoi(argv[1]) : 500, width = argc > 2 ? std::atoi(argv[2]) : 64;
  if (n <= 0 || width <= 0) {
    std::fprintf(stderr, "usage: summa [n] [panel], both at least 1\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const Grid grid = make_grid();
  long wrong = 0, all = 0;
  {
    Summa summa(grid, own_device(), n, std::min(n, width));
    const double began = MPI_Wtime();
    const std::vector<double> c = summa.multiply();
    const double seconds = MPI_Wtime() - began;
    if (grid.row == 0 && grid.column == 0)
      std::printf("%d x %d processes, n = %d: %.3f s with compiling\n", grid.rows, grid.columns, n, seconds);
    wrong = summa.wrong(c);
  }
  MPI_Allreduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (grid.row == 0 && grid.column == 0) std::printf("%ld wrong elements\n", all);
  MPI_Finalize();
  return all == 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "summa: %s\n", error.what());
  MPI_Abort(MPI_COMM_WORLD, 1);
  return 1;
}
