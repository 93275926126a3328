// Kernels on the host's own processor use the caller's matrices where they are: nothing is copied.
#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>
#include <utility>

#include "out_of_core/staging.hpp"
#include "out_of_core/worker_base.hpp"
#include "runtime/device/wait_for_all.hpp"

namespace tilewright::detail {
namespace {

// A tile at work keeps the queue busy while the next one is enqueued.
constexpr std::size_t most_jobs = 2;

// A matrix as buffers of whole rows, that none of them is larger than what the device takes.
class RowBlocks {
 public:
  RowBlocks() = default;
  RowBlocks(const cl::Context& context, cl_mem_flags flags, const StoredMatrix& matrix, std::uint64_t rows,
            const void* data, std::size_t element)
      : rows_(std::max<std::uint64_t>(1, rows)) {
    for (std::uint64_t row = 0; row < matrix.rows; row += rows_) {
      const StoredMatrix block{std::min(rows_, matrix.rows - row), matrix.columns, matrix.ld};
      std::byte* const begin = const_cast<std::byte*>(static_cast<const std::byte*>(data)) + row * matrix.ld * element;
      blocks_.emplace_back(context, flags | CL_MEM_USE_HOST_PTR, block.extent() * element, begin);
    }
  }

  /// Of a rectangle that begins with a block.
  MatrixRef at(const TileRect& rect) const { return {blocks_[rect.row / rows_](), rect.column}; }
  const cl::Buffer& block(std::uint64_t row) const { return blocks_[row / rows_]; }

 private:
  std::uint64_t rows_ = 1;
  std::vector<cl::Buffer> blocks_;
};

class InPlaceWorker : public TileWorkerBase {
 public:
  InPlaceWorker(const TileCall& call, std::shared_ptr<TilePlans> plans, unsigned copy_threads)
      : call_(call), plans_(std::move(plans)), queue_(call.context, call.device), copy_threads_(copy_threads) {
    restart(call);
  }

  void restart(const TileCall& call) override {
    call_ = call;
    const TileSizes& tile = call.schedule.tile;
    const GemmProblem& p = call.form.problem;
    a_ = blocks_of(call.form.a(), p.trans_a == Transpose::no ? tile.m : tile.k, call.operands.a, CL_MEM_READ_ONLY,
                   call.reads_inputs());
    b_ = blocks_of(call.form.b(), p.trans_b == Transpose::no ? tile.k : tile.n, call.operands.b, CL_MEM_READ_ONLY,
                   call.reads_inputs());
    c_ = blocks_of(call.form.c(), tile.m, call.operands.c, CL_MEM_READ_WRITE, true);
    statistics_ = {};
    started_ = 0;
    copier_.emplace(copy_threads_);
  }

  // The caller's memory is let go, too.
  void rest() override {
    a_ = b_ = c_ = {};
    copier_.reset();
  }

  ~InPlaceWorker() override { wait_for_all(queue_()); }

  bool takes_tile() const override { return jobs_.size() < most_jobs; }
  bool idle() const override { return jobs_.empty(); }

  // Kernels write to C itself.
  std::vector<ResultTile> partly_written() const override {
    std::vector<ResultTile> tiles;
    for (const Job& job : jobs_) tiles.push_back(job.tile);
    if (starting_) tiles.push_back(*starting_);
    return tiles;
  }

  void start(const ResultTile& tile) override {
    const TilePlace place = tile_place(call_.schedule, tile.number);
    const GemmProblem& p = call_.form.problem;
    const TileRange m = tile_range(p.m, call_.schedule.tile.m, place.i),
                    n = tile_range(p.n, call_.schedule.tile.n, place.j);
    const TileRect rect{m.begin, n.begin, m.size, n.size};
    starting_ = tile;
    if (call_.reads_c() && call_.c_in() != call_.operands.c) copy_c(rect);
    for (std::uint64_t step = 0; step < call_.steps(); ++step) enqueue_product(m, n, step);
    ++started_;
    // Only what is mapped is sure to be in the host's memory.
    Job job{tile, &c_.block(m.begin), {}, nullptr};
    cl_event mapped = nullptr;
    cl_int status = CL_SUCCESS;
    job.mapped = clEnqueueMapBuffer(queue_(), (*job.block)(), CL_FALSE, CL_MAP_READ, n.begin * element(),
                                    ((m.size - 1) * p.ldc + n.size) * element(), 0, nullptr, &mapped, &status);
    check(status, "clEnqueueMapBuffer");
    job.done = cl::Event(mapped);
    jobs_.push_back(std::move(job));
    starting_.reset();
    check(clFlush(queue_()), "clFlush");
  }

  bool poll() override {
    if (jobs_.empty() || !is_command_complete(jobs_.front().done)) return false;
    const Job& job = jobs_.front();
    check(clEnqueueUnmapMemObject(queue_(), (*job.block)(), job.mapped, 0, nullptr, nullptr),
          "clEnqueueUnmapMemObject");
    finished_.push_back(job.tile);
    jobs_.pop_front();
    return true;
  }

  // All is enqueued at once, and so comes to its end.
  void abandon() override {}

 private:
  struct Job {
    ResultTile tile;
    const cl::Buffer* block;
    cl::Event done;
    void* mapped;
  };

  RowBlocks blocks_of(const StoredMatrix& matrix, std::uint64_t rows, const void* data, cl_mem_flags flags,
                      bool wanted) const {
    return {call_.context, flags, wanted ? matrix : StoredMatrix{}, rows, data, element()};
  }

  std::size_t element() const { return call_.form.element(); }

  void copy_c(const TileRect& rect) {
    const std::uint64_t pitch = call_.form.problem.ldc * element();
    const std::uint64_t offset = rect.row * pitch + rect.column * element();
    copier_->copy({.target = static_cast<std::byte*>(call_.operands.c) + offset,
                   .source = call_.c_in() + offset,
                   .target_pitch = pitch,
                   .source_pitch = pitch,
                   .bytes = rect.columns * element(),
                   .rows = rect.rows});
  }

  void enqueue_product(TileRange m, TileRange n, std::uint64_t step) {
    GemmOperands operands{.alpha = call_.operands.alpha, .beta = step == 0 ? call_.operands.beta : 1.0};
    operands.c = c_.at({m.begin, n.begin, m.size, n.size});
    operands.event = false;
    TileRange k{};
    if (call_.reads_inputs()) {
      k = tile_range(call_.form.problem.k, call_.schedule.tile.k, tile_slab(call_.schedule.tiles_k, started_, step));
      operands.a = a_.at(rect_of_a(call_.form, m, k));
      operands.b = b_.at(rect_of_b(call_.form, k, n));
    }
    plans_->get(m.size, n.size, k.size).enqueue(queue_(), operands);
    statistics_.work += static_cast<double>(m.size) * static_cast<double>(n.size) *
                        static_cast<double>(std::max<std::uint64_t>(1, k.size));
  }

  TileCall call_;
  std::shared_ptr<TilePlans> plans_;
  cl::CommandQueue queue_;
  RowBlocks a_, b_, c_;
  unsigned copy_threads_;
  std::optional<RowCopier> copier_;
  std::deque<Job> jobs_;
  std::optional<ResultTile> starting_;  // where start() failed half-way
  std::uint64_t started_ = 0;
};

}  // namespace

std::unique_ptr<TileWorkerBase> make_in_place_worker(const TileCall& call, std::shared_ptr<TilePlans> plans,
                                                     unsigned copy_threads) {
  return std::make_unique<InPlaceWorker>(call, std::move(plans), copy_threads);
}

}  // namespace tilewright::detail
