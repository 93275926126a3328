// Computes tiles through pinned memory. Uploads of slabs, products, and downloads of tiles each have an in-order queue;
// events connect them.
#include <algorithm>
#include <array>
#include <deque>
#include <list>
#include <optional>
#include <utility>

#include "out_of_core/shared_chunks.hpp"
#include "out_of_core/slab_slots.hpp"
#include "out_of_core/staging.hpp"
#include "out_of_core/tile_memory.hpp"
#include "out_of_core/tile_plans.hpp"
#include "out_of_core/worker_base.hpp"
#include "runtime/device/wait_for_all.hpp"
#include "tilewright/gemm_operands.hpp"

namespace tilewright::detail {
namespace {

using Chunk = StagingChunks::Chunk;

// A matrix in host memory.
struct HostMatrix {
  const std::byte* data = nullptr;
  std::uint64_t ld = 0;

  const std::byte* at(std::uint64_t row, std::uint64_t column, std::size_t element) const {
    return data + (row * ld + column) * element;
  }
};

// Device memory for a slab or a tile of C.
struct Slot {
  cl::Buffer buffer;
  cl::Event ready{};  ///< of its upload
  cl::Event used{};   ///< of the last product that reads or writes it
};

// Slabs of A or of B on the device.
class SlabPool {
 public:
  SlabPool(const cl::Context& context, std::uint64_t count, std::uint64_t bytes) : places(count) {
    for (std::uint64_t i = 0; i < count; ++i) slots.push_back({cl::Buffer(context, CL_MEM_READ_ONLY, bytes)});
  }

  SlabSlots places;
  std::vector<Slot> slots;
};

// A rectangle that is being uploaded, in chunks of whole rows.
struct Upload {
  HostMatrix source;
  TileRect rect;
  Slot* slot = nullptr;
  bool is_shared = false;  ///< whether shared pinned memory may be used
  std::uint64_t rows_done = 0;
  cl::Event last{};  ///< of the last chunk

  bool is_active() const { return slot != nullptr; }
};

// A tile in progress.
struct Job {
  ResultTile tile;
  TilePlace place;
  TileRange m, n;
  Slot* c = nullptr;
  std::uint64_t step = 0;  ///< products enqueued
  bool has_c = false;      ///< whether C is uploaded or not read
  bool has_slabs = false;  ///< whether the step's slabs have slots
  std::array<Upload, 2> uploads{};
  std::array<Slot*, 2> slabs{};
  std::array<std::size_t, 2> places{};
  Upload c_upload{};
  std::uint64_t rows_read = 0, rows_copied = 0;  ///< rows of C whose download is enqueued, and that are in C
};

// Rows of a tile that are being downloaded.
struct Piece {
  Job* job;
  Chunk* chunk;
  std::uint64_t row, rows;
};

// The events of incomplete commands. Throws Error if one failed: on some drivers, commands that wait for it never end.
std::vector<cl_event> waits_of(std::initializer_list<const cl::Event*> events) {
  std::vector<cl_event> waits;
  for (const cl::Event* const event : events)
    if (!is_command_complete(*event)) waits.push_back((*event)());
  return waits;
}

class StagedWorker : public TileWorkerBase {
 public:
  StagedWorker(const TileCall& call, std::shared_ptr<TilePlans> plans, unsigned copy_threads)
      : call_(call),
        plans_(std::move(plans)),
        up_(call.context, call.device),
        compute_(call.context, call.device),
        down_(call.context, call.device),
        slabs_{SlabPool(call.context, call.schedule.slots_a, tile_bytes(call.form, call.schedule).a),
               SlabPool(call.context, call.schedule.slots_b, tile_bytes(call.form, call.schedule).b)},
        chunks_up_(call.context, up_, call.schedule.chunks_up, call.schedule.chunk_bytes),
        chunks_down_(call.context, down_, call.schedule.chunks_down, call.schedule.chunk_bytes),
        copy_threads_(copy_threads),
        shared_(call.shared, call.schedule.chunks_up) {
    const std::uint64_t bytes = tile_bytes(call.form, call.schedule).c;
    for (std::uint64_t i = 0; i < call.schedule.slots_c; ++i)
      tiles_.push_back({cl::Buffer(call.context, CL_MEM_READ_WRITE, bytes)});
    for (Slot& tile : tiles_) free_tiles_.push_back(&tile);
    restart(call);
  }

  void restart(const TileCall& call) override {
    shared_.release_all();
    call_ = call;
    for (SlabPool& pool : slabs_) pool.places = SlabSlots(pool.slots.size());
    statistics_ = {};
    copier_.emplace(copy_threads_);
  }

  void rest() override {
    shared_.release_all();
    copier_.reset();
  }

  ~StagedWorker() override { finish_all(); }

  bool takes_tile() const override { return !free_tiles_.empty(); }
  bool idle() const override { return jobs_.empty() && abandoned_.empty(); }

  void add_partly_written(std::vector<ResultTile>& tiles) const override {
    if (!jobs_.empty() && jobs_.front().rows_copied > 0) tiles.push_back(jobs_.front().tile);
  }

  // Rows are copied to C by the host, one whole chunk after another.
  std::optional<std::uint64_t> rows_written() const override { return jobs_.empty() ? 0 : jobs_.front().rows_copied; }

  void start(const ResultTile& tile) override {
    Job& job = jobs_.emplace_back();
    job.tile = tile;
    job.place = tile_place(call_.schedule, tile.number);
    job.m = tile_range(call_.form.problem.m, call_.schedule.tile.m, job.place.i);
    job.n = tile_range(call_.form.problem.n, call_.schedule.tile.n, job.place.j);
    job.c = free_tiles_.back();
    free_tiles_.pop_back();
    job.has_c = !call_.reads_c();
    if (!job.has_c)
      job.c_upload = {
          {call_.c_in(), call_.form.problem.ldc}, {job.m.begin, job.n.begin, job.m.size, job.n.size}, job.c};
  }

  bool poll() override {
    shared_.release_ended();
    const bool copied = copy_to_c();
    const bool read = enqueue_reads();
    const bool uploaded = advance();
    const bool released = release_abandoned();
    statistics_.bytes_copied = copier_->bytes();
    return copied || read || uploaded || released;
  }

  // Commands of abandoned tiles that are already enqueued still run.
  void abandon() override {
    for (auto job = jobs_.begin(); job != jobs_.end();) {
      if (job->step == call_.steps()) {
        ++job;
        continue;
      }
      for (std::size_t i = 0; i < job->uploads.size(); ++i)
        if (job->has_slabs && job->uploads[i].is_active()) slabs_[i].places.forget(job->places[i]);
      free_tiles_.push_back(job->c);
      job = jobs_.erase(job);
    }
    abandoned_ = {last_upload_, last_product_};
  }

  void settle() noexcept override {
    // This also submits a download whose flush failed.
    finish_all();
    try {
      abandon();
      abandoned_.clear();  // these commands are complete or have failed
      while (!jobs_.empty()) {
        if (poll()) continue;
        finish_all();
        if (!poll()) break;  // the device is lost, and its commands never end
      }
    } catch (...) {
      finish_all();  // the first failure is reported, not this one
    }
  }

 private:
  void finish_all() noexcept {
    for (const cl::CommandQueue* const queue : {&up_, &compute_, &down_}) wait_for_all((*queue)());
  }

  bool release_abandoned() {
    if (abandoned_.empty() || !is_command_complete(abandoned_.back())) return false;
    abandoned_.pop_back();
    return true;
  }

  std::size_t element() const { return call_.form.element(); }

  // Enqueues the next command of the first tile whose products are not all enqueued.
  bool advance() {
    const auto job = std::find_if(jobs_.begin(), jobs_.end(), [&](const Job& j) { return j.step < call_.steps(); });
    if (job == jobs_.end()) return false;
    if (!job->has_c) {
      if (!advance(job->c_upload)) return false;
      job->has_c = !job->c_upload.is_active();
      return true;
    }
    if (call_.reads_inputs()) {
      if (!job->has_slabs) find_slabs(*job);
      for (Upload& upload : job->uploads)
        if (upload.is_active()) return advance(upload);
    }
    enqueue_product(*job);
    return true;
  }

  void find_slabs(Job& job) {
    const std::uint64_t l = tile_slab(call_.schedule.tiles_k, job.tile.number, job.step);
    const GemmProblem& p = call_.form.problem;
    const TileRange k = tile_range(p.k, call_.schedule.tile.k, l);
    const std::array rects{rect_of_a(call_.form, job.m, k), rect_of_b(call_.form, k, job.n)};
    const std::array lines{job.place.i, job.place.j};
    const std::array matrices{HostMatrix{static_cast<const std::byte*>(call_.operands.a), p.lda},
                              HostMatrix{static_cast<const std::byte*>(call_.operands.b), p.ldb}};
    for (std::size_t i = 0; i < slabs_.size(); ++i) {
      const SlabSlots::Place place = slabs_[i].places.take(lines[i] * call_.schedule.tiles_k + l);
      Slot& slot = slabs_[i].slots[place.slot];
      job.places[i] = place.slot;
      job.slabs[i] = &slot;
      job.uploads[i] = place.is_there ? Upload{} : Upload{matrices[i], rects[i], &slot, true};
    }
    job.has_slabs = true;
  }

  // As many rows of an upload as a chunk holds, from row `first` on.
  RowCopier::Rows rows_of(const Upload& upload, std::uint64_t first) const {
    const std::uint64_t pitch = tile_pitch(upload.rect.columns) * element();
    return {.source = upload.source.at(upload.rect.row + first, upload.rect.column, element()),
            .target_pitch = pitch,
            .source_pitch = upload.source.ld * element(),
            .bytes = upload.rect.columns * element(),
            .rows = std::min(chunks_up_.bytes() / pitch, upload.rect.rows - first)};
  }

  // Copies as many rows as a chunk holds and enqueues their upload. Returns false if no chunk is free.
  bool advance(Upload& upload) {
    const RowCopier::Rows part = rows_of(upload, upload.rows_done);
    const std::uint64_t pitch = part.target_pitch, rows = part.rows;
    const PinnedRows pinned = copy_to_pinned(part, upload.is_shared);
    if (pinned.data == nullptr) return upload.is_shared && copy_ahead(upload);
    const std::uint64_t bytes = (rows - 1) * pitch + upload.rect.columns * element();
    // Each upload waits for the one before, so that the last one fails if any does.
    const std::vector<cl_event> waits = waits_of({upload.rows_done == 0 ? &upload.slot->used : &upload.last});
    cl_event written = nullptr;
    check(clEnqueueWriteBuffer(up_(), upload.slot->buffer(), CL_FALSE, upload.rows_done * pitch, bytes, pinned.data,
                               static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(), &written),
          "clEnqueueWriteBuffer");
    *pinned.command = upload.last = last_upload_ = cl::Event(written);
    check(clFlush(up_()), "clFlush");
    statistics_.bytes_up += bytes;
    upload.rows_done += rows;
    if (upload.rows_done == upload.rect.rows) {
      upload.slot->ready = upload.last;
      upload.slot = nullptr;
    }
    return true;
  }

  // While another worker copies the rows that this one needs next, copies rows that both will need.
  bool copy_ahead(const Upload& upload) {
    constexpr std::uint64_t most = 4;
    std::uint64_t first = upload.rows_done;
    for (std::uint64_t chunk = 0; chunk < most; ++chunk) {
      first += rows_of(upload, first).rows;
      if (first == upload.rect.rows) return false;
      if (shared_.prefetch(rows_of(upload, first), *copier_)) return true;
    }
    return false;
  }

  PinnedRows copy_to_pinned(RowCopier::Rows rows, bool is_shared) {
    PinnedRows pinned;
    if (is_shared && shared_.find(rows, *copier_, pinned)) return pinned;
    Chunk* const chunk = chunks_up_.find_free();
    if (chunk == nullptr) return {};
    rows.target = chunk->data;
    copier_->copy(rows);
    return {chunk->data, &chunk->command};
  }

  void enqueue_product(Job& job) {
    const bool is_first = job.step == 0;
    GemmOperands operands{.alpha = call_.operands.alpha, .beta = is_first ? call_.operands.beta : Scalar(1)};
    operands.c = {job.c->buffer()};
    // The queue is in order, but a product must also fail if the one before it did.
    std::vector<cl_event> waits;
    if (!is_first || call_.reads_c()) waits = waits_of({is_first ? &job.c->ready : &job.c->used});
    if (call_.reads_inputs()) {
      operands.a = {job.slabs[0]->buffer()};
      operands.b = {job.slabs[1]->buffer()};
      for (const cl_event upload : waits_of({&job.slabs[0]->ready, &job.slabs[1]->ready})) waits.push_back(upload);
    }
    const TileSizes sizes = product_sizes(call_, job.m, job.n, job.tile.number, job.step);
    job.c->used = last_product_ = plans_->enqueue(sizes, compute_, operands, waits);
    if (call_.reads_inputs())
      for (Slot* const slab : job.slabs) slab->used = job.c->used;
    check(clFlush(compute_()), "clFlush");
    statistics_.work += product_work(call_, sizes);
    ++job.step;
    job.has_slabs = false;
  }

  // Enqueues downloads of the tiles whose last product is enqueued.
  bool enqueue_reads() {
    bool enqueued = false;
    for (Job& job : jobs_) {
      if (job.step < call_.steps()) break;
      const std::uint64_t pitch = tile_pitch(job.n.size) * element();
      while (job.rows_read < job.m.size) {
        Chunk* const chunk = chunks_down_.find_free();
        if (chunk == nullptr) return enqueued;
        const std::uint64_t rows = std::min(chunks_down_.bytes() / pitch, job.m.size - job.rows_read);
        const std::uint64_t bytes = (rows - 1) * pitch + job.n.size * element();
        const std::vector<cl_event> waits = waits_of({&job.c->used});
        cl_event read = nullptr;
        check(clEnqueueReadBuffer(down_(), job.c->buffer(), CL_FALSE, job.rows_read * pitch, bytes, chunk->data,
                                  static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(), &read),
              "clEnqueueReadBuffer");
        chunk->command = cl::Event(read);
        pieces_.push_back({&job, chunk, job.rows_read, rows});
        chunk->is_taken = true;
        job.rows_read += rows;
        statistics_.bytes_down += bytes;
        enqueued = true;
        check(clFlush(down_()), "clFlush");
      }
    }
    return enqueued;
  }

  // Copies the first downloaded rows to C.
  bool copy_to_c() {
    if (pieces_.empty() || !is_command_complete(pieces_.front().chunk->command)) return false;
    finished_.reserve(finished_.size() + 1);  // may throw, which must not happen after rows were copied
    const Piece piece = pieces_.front();
    pieces_.pop_front();
    Job& job = *piece.job;
    const std::uint64_t ldc = call_.form.problem.ldc;
    std::byte* const c = static_cast<std::byte*>(call_.operands.c);
    copier_->copy({.target = c + ((job.m.begin + piece.row) * ldc + job.n.begin) * element(),
                   .source = piece.chunk->data,
                   .target_pitch = ldc * element(),
                   .source_pitch = tile_pitch(job.n.size) * element(),
                   .bytes = job.n.size * element(),
                   .rows = piece.rows,
                   .is_streamed = true});
    piece.chunk->is_taken = false;
    job.rows_copied += piece.rows;
    if (job.rows_copied == job.m.size) {
      finished_.push_back(job.tile);
      free_tiles_.push_back(job.c);
      jobs_.pop_front();  // tiles finish in the order of their start
    }
    return true;
  }

  TileCall call_;
  std::shared_ptr<TilePlans> plans_;
  cl::CommandQueue up_, compute_, down_;
  std::array<SlabPool, 2> slabs_;
  std::vector<Slot> tiles_;
  std::vector<Slot*> free_tiles_;
  StagingChunks chunks_up_, chunks_down_;
  unsigned copy_threads_;
  std::optional<RowCopier> copier_;
  std::list<Job> jobs_;  // in order of start
  std::deque<Piece> pieces_;
  SharedReads shared_;
  cl::Event last_upload_, last_product_;
  std::vector<cl::Event> abandoned_;  // the last commands of abandoned tiles
};

}  // namespace

std::unique_ptr<TileWorkerBase> make_staged_worker(const TileCall& call, std::shared_ptr<TilePlans> plans,
                                                   unsigned copy_threads) {
  return std::make_unique<StagedWorker>(call, std::move(plans), copy_threads);
}

}  // namespace tilewright::detail
