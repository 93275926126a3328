// Computes tiles on the host's processor, whose kernels use the caller's matrices in place.
#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "out_of_core/host_blocks.hpp"
#include "out_of_core/staging.hpp"
#include "out_of_core/tile_plans.hpp"
#include "out_of_core/worker_base.hpp"
#include "runtime/device/wait_for_all.hpp"
#include "tilewright/gemm_operands.hpp"

namespace tilewright::detail {
namespace {

// One tile keeps the queue busy while the next one is enqueued.
constexpr std::size_t max_jobs = TileWorkerBase::max_partly_written;

class InPlaceWorker : public TileWorkerBase {
 public:
  InPlaceWorker(const TileCall& call, std::shared_ptr<TilePlans> plans, unsigned copy_threads)
      : call_(call), plans_(std::move(plans)), queue_(call.context, call.device), copy_threads_(copy_threads) {
    restart(call);
  }

  void restart(const TileCall& call) override {
    HostBlocks blocks(call);
    aligned_plans_ = blocks.are_aligned() ? plans_.get() : &plans_->unaligned();
    blocks_ = std::move(blocks);
    call_ = call;
    statistics_ = {};
    copier_.emplace(copy_threads_);
  }

  void rest() override {
    wait_for_all(queue_());  // the last tiles are unmapped, and the caller may free the matrices
    blocks_ = {};
    copier_.reset();
  }

  ~InPlaceWorker() override { wait_for_all(queue_()); }

  bool takes_tile() const override { return jobs_.size() < max_jobs; }
  bool idle() const override { return jobs_.empty(); }

  void add_partly_written(std::vector<ResultTile>& tiles) const override {
    for (const Job& job : jobs_)
      if (job.is_touched) tiles.push_back(job.tile);
  }

  void start(const ResultTile& tile) override {
    const TilePlace place = tile_place(call_.schedule, tile.number);
    const GemmProblem& p = call_.form.problem;
    const TileRange m = tile_range(p.m, call_.schedule.tile.m, place.i),
                    n = tile_range(p.n, call_.schedule.tile.n, place.j);
    Job& job = jobs_.emplace_back(Job{.tile = tile, .rect = {m.begin, n.begin, m.size, n.size}});
    if (call_.reads_c() && call_.c_in() != call_.operands.c) copy_c(job);
    for (std::uint64_t step = 0; step < call_.steps(); ++step) enqueue_product(job, m, n, step);
    map(job, CL_FALSE);
    check(clFlush(queue_()), "clFlush");
  }

  bool poll() override {
    if (jobs_.empty() || jobs_.front().mapped == nullptr || !is_command_complete(jobs_.front().done)) return false;
    finished_.push_back(jobs_.front().tile);
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    check(unmap(job), "clEnqueueUnmapMemObject");
    return true;
  }

  // A failed tile ends the wait, too; poll() reports it.
  bool wait() const noexcept override {
    if (jobs_.empty() || jobs_.front().mapped == nullptr) return false;
    const cl_int status = clWaitForEvents(1, &jobs_.front().done());
    return status == CL_SUCCESS || status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  }

  // Tiles are enqueued as a whole, so every started tile gets finished.
  void abandon() override {}

  void settle() noexcept override {
    wait_for_all(queue_());
    for (auto job = jobs_.begin(); job != jobs_.end();)
      if (can_finish(*job)) {
        unmap(*job);
        job = jobs_.erase(job);
      } else {
        ++job;
      }
  }

 private:
  struct Job {
    ResultTile tile;
    TileRect rect{};      ///< the tile in the form's C
    cl::Event product{};  ///< of the last product
    cl::Event done{};     ///< of the mapping
    void* mapped = nullptr;
    std::uint64_t steps = 0;  ///< products enqueued
    bool is_touched = false;  ///< whether C may hold a part of the tile
  };

  std::size_t element() const { return call_.form.element(); }

  void copy_c(Job& job) {
    const std::uint64_t pitch = call_.form.problem.ldc * element();
    const std::uint64_t offset = job.rect.row * pitch + job.rect.column * element();
    job.is_touched = true;
    copier_->copy({.target = static_cast<std::byte*>(call_.operands.c) + offset,
                   .source = call_.c_in() + offset,
                   .target_pitch = pitch,
                   .source_pitch = pitch,
                   .bytes = job.rect.columns * element(),
                   .rows = job.rect.rows});
  }

  void enqueue_product(Job& job, TileRange m, TileRange n, std::uint64_t step) {
    GemmOperands operands{.alpha = call_.operands.alpha, .beta = step == 0 ? call_.operands.beta : Scalar(1)};
    operands.c = blocks_.at(HostBlocks::c, job.rect);
    if (call_.reads_inputs()) {
      const TileRange k = tile_range(call_.form.problem.k, call_.schedule.tile.k,
                                     tile_slab(call_.schedule.tiles_k, job.tile.number, step));
      operands.a = blocks_.at(HostBlocks::a, rect_of_a(call_.form, m, k));
      operands.b = blocks_.at(HostBlocks::b, rect_of_b(call_.form, k, n));
    }
    const TileSizes sizes = product_sizes(call_, m, n, job.tile.number, step);
    // The queue is in order, but a product must also fail if the one before it did.
    const cl_event before = job.product();
    try {
      job.product = aligned_plans_->enqueue(sizes, queue_, operands, {&before, before != nullptr ? 1U : 0U});
    } catch (const PartlyEnqueued&) {
      job.is_touched = true;
      throw;
    }
    job.is_touched = true;
    ++job.steps;
    statistics_.work += product_work(call_, sizes);
  }

  // The host sees the results of kernels only in mapped memory.
  void map(Job& job, cl_bool blocking) {
    const MatrixRef c = blocks_.at(HostBlocks::c, job.rect);
    const std::uint64_t extent = StoredMatrix{job.rect.rows, job.rect.columns, call_.form.problem.ldc}.extent();
    // On some drivers, a command that waits for an already failed one never ends.
    const bool is_done = is_command_complete(job.product);
    const cl_event product = job.product();
    cl_event mapped = nullptr;
    cl_int status = CL_SUCCESS;
    void* const data =
        clEnqueueMapBuffer(queue_(), c.buffer, blocking, CL_MAP_READ, c.offset * element(), extent * element(),
                           is_done ? 0 : 1, is_done ? nullptr : &product, &mapped, &status);
    check(status, "clEnqueueMapBuffer");
    job.done = cl::Event(mapped);
    job.mapped = data;
  }

  cl_int unmap(const Job& job) const noexcept {
    return clEnqueueUnmapMemObject(queue_(), blocks_.at(HostBlocks::c, job.rect).buffer, job.mapped, 0, nullptr,
                                   nullptr);
  }

  // Whether the tile is complete in C, or can be completed now. No command is running.
  bool can_finish(Job& job) noexcept try {
    if (job.steps < call_.steps()) return false;
    if (job.mapped == nullptr) map(job, CL_TRUE);
    if (!is_command_complete(job.done)) return false;
    finished_.push_back(job.tile);
    return true;
  } catch (...) {
    return false;  // the first failure is reported, not this one
  }

  TileCall call_;
  std::shared_ptr<TilePlans> plans_;
  TilePlans* aligned_plans_ = nullptr;  // plans that suit the alignment of the call's matrices
  cl::CommandQueue queue_;
  HostBlocks blocks_;
  unsigned copy_threads_;
  std::optional<RowCopier> copier_;
  std::deque<Job> jobs_;
};

}  // namespace

std::unique_ptr<TileWorkerBase> make_in_place_worker(const TileCall& call, std::shared_ptr<TilePlans> plans,
                                                     unsigned copy_threads) {
  return std::make_unique<InPlaceWorker>(call, std::move(plans), copy_threads);
}

}  // namespace tilewright::detail
