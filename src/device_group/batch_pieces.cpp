// Multiplies a batch in host memory in pieces of several products: each is uploaded, multiplied and downloaded. GPUs
// read and write pinned memory, because drivers copy to and from other memory with one thread.
#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "device_group/batch_matrices.hpp"
#include "device_group/group_worker.hpp"
#include "device_group/useful_devices.hpp"
#include "kernels/operands/host_operands.hpp"
#include "kernels/operands/overlap.hpp"
#include "kernels/scalars.hpp"
#include "out_of_core/schedule.hpp"
#include "out_of_core/staging.hpp"
#include "out_of_core/tile_memory.hpp"
#include "out_of_core/tile_plans.hpp"
#include "runtime/device/wait_for_all.hpp"
#include "tilewright/error.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::detail {
namespace {

class BatchParts : public GroupParts {
 public:
  BatchParts(const std::vector<Engine>& engines, const GemmProblem& problem, const HostOperands& operands,
             const DeviceGroupOptions& options, const std::vector<bool>& wanted)
      : members_(engines),
        problem_(problem),
        operands_(operands),
        options_(options),
        matrices_(batch_matrices(problem)),
        speeds_(engines.size()),
        is_staged_(engines.size()) {
    check_call();
    choose_piece();
    members_.for_each([&](std::size_t device) {
      speeds_[device] = group_speeds(members_.engine(device), problem_.type, options_, device);
    });
    choose_devices(wanted);
  }

  const GroupMembers& members() const override { return members_; }
  std::uint64_t count() const override { return (problem_.batch.count - 1) / piece_ + 1; }

  std::vector<double> speeds() const override {
    std::vector<double> result;
    for (std::size_t i = 0; i < speeds_.size(); ++i) result.push_back(choice_.used[i] ? speed_of(i) : 0);
    return result;
  }
  std::vector<bool> reserve() const override {
    std::vector<bool> result;
    for (std::size_t i = 0; i < speeds_.size(); ++i) result.push_back(!choice_.used[i] && members_.takes_part(i));
    return result;
  }
  std::string why_reserve(std::size_t device) const override { return choice_.reasons[device]; }
  const std::vector<DeviceSet>& sets() const override { return choice_.sets; }

  std::uint64_t products_of(std::uint64_t part) const { return std::min(piece_, problem_.batch.count - part * piece_); }
  double work_of(std::uint64_t part) const override {
    return static_cast<double>(products_of(part)) / static_cast<double>(problem_.batch.count);
  }
  std::string place_of(std::uint64_t part) const override {
    const std::uint64_t first = part * piece_;
    return "C number " + std::to_string(first) + " to " + std::to_string(first + products_of(part) - 1) +
           " of the batch";
  }
  void restart(const HostOperands& operands) override {
    operands_ = operands;
    check_call();
  }

  std::unique_ptr<GroupWorker> make_worker(std::size_t device) const override {
    return std::make_unique<Worker>(*this, device);
  }

 private:
  // Two pieces are in progress at a time: one is uploaded while the other is multiplied.
  class Worker : public GroupWorker {
   public:
    Worker(const BatchParts& parts, std::size_t device)
        : parts_(parts), engine_(parts.members_.engine(device)), is_staged_(parts.is_staged_[device]) {
      for (Lane& lane : lanes_) {
        lane.queue = cl::CommandQueue(context(), cl::Device(engine_.device(), true));
        for (std::size_t i = 0; i < lane.buffers.size(); ++i)
          if (parts.is_used(i))
            lane.buffers[i] = cl::Buffer(context(), CL_MEM_READ_WRITE, parts.matrices_[i].bytes(parts.piece_));
        if (!is_staged_) continue;
        lane.memory = std::make_unique<StagingChunks>(context(), lane.queue, 1, parts.pinned_bytes(parts.piece_));
        lane.pinned = lane.memory->find_free()->data;
      }
      copier_.emplace(is_staged_ ? parts.options_.copy_threads : 1);
      plan_of(parts.piece_);
      plan_of(parts.products_of(parts.count() - 1));
    }
    ~Worker() override { wait_for_lanes(); }

    bool can_start() const override {
      return std::any_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return !lane.part; });
    }

    void start(std::uint64_t part) override {
      Lane& lane = *std::find_if(lanes_.begin(), lanes_.end(), [](const Lane& one) { return !one.part; });
      lane.part = part;
      lane.commands = {};
      lane.is_enqueued = false;
      finish_on_throw([&] { enqueue(lane); });
    }

    bool poll() override {
      bool moved = false;
      finish_on_throw([&] {
        for (Lane& lane : lanes_) moved |= finish_if_complete(lane);
      });
      return moved;
    }

    std::vector<std::uint64_t> take_finished() override { return std::exchange(finished_, {}); }

    std::vector<std::uint64_t> partly_written() const override {
      std::vector<std::uint64_t> parts;
      if (is_staged_) return parts;  // pieces are copied to C when all their commands are complete
      for (const Lane& lane : lanes_)
        if (lane.part && lane.commands.may_have_written()) parts.push_back(*lane.part);
      return parts;
    }

    TileStatistics statistics() const override { return statistics_; }

    // A and B have buffers only if the worker was made for a call that reads them.
    bool restart(const HostOperands&) override {
      statistics_ = {};
      copier_.emplace(is_staged_ ? parts_.options_.copy_threads : 1);
      return parts_.reads_inputs_ == (lanes_[0].buffers[0]() != nullptr);
    }
    void rest() override { copier_.reset(); }  // the parts hold the operands

   private:
    struct Lane {
      cl::CommandQueue queue;
      std::array<cl::Buffer, 3> buffers;
      std::unique_ptr<StagingChunks> memory;
      std::byte* pinned = nullptr;  // A, B and C of a piece without gaps; null: commands use the matrices themselves
      std::optional<std::uint64_t> part;
      PieceCommands commands;
      bool is_enqueued = false;  // whether all commands of the part are enqueued
    };

    cl::Context context() const { return cl::Context(engine_.context(), true); }

    void wait_for_lanes() noexcept {
      for (const Lane& lane : lanes_) wait_for_all(lane.queue());
    }

    bool finish_if_complete(Lane& lane) {
      if (!lane.part || !lane.commands.are_complete() || !lane.is_enqueued) return false;
      if (is_staged_) {
        const std::uint64_t part = *lane.part;
        copy_out(*copier_, parts_.matrices_[2], parts_.products_of(part), pinned(lane, 2), parts_.host(2, part, false));
        statistics_.bytes_copied = copier_->bytes();
      }
      finished_.push_back(*std::exchange(lane.part, std::nullopt));
      return true;
    }

    // If function() throws, waits for all commands and finishes the parts that did not fail.
    template <class Function>
    void finish_on_throw(const Function& function) {
      try {
        function();
      } catch (...) {
        wait_for_lanes();
        for (Lane& lane : lanes_) finish_after_failure(lane);
        throw;
      }
    }

    void finish_after_failure(Lane& lane) noexcept try { finish_if_complete(lane); } catch (...) {
      // The first failure is reported, not this one.
    }

    const GemmPlan& plan_of(std::uint64_t products) {
      for (const GemmPlan& plan : plans_)
        if (plan.problem().batch.count == products) return plan;
      return plans_.emplace_back(engine_, parts_.problem_of(products));
    }

    void enqueue(Lane& lane) {
      const std::uint64_t part = *lane.part, products = parts_.products_of(part);
      const BatchMatrices& c = parts_.matrices_[2];
      for (std::size_t i = 0; i < 3; ++i) {
        const bool is_c = i == 2;
        if (!parts_.is_used(i) || (is_c && !parts_.reads_c_)) continue;
        const std::byte* source = parts_.host(i, part, is_c);
        if (is_staged_) {
          copy_in(*copier_, parts_.matrices_[i], products, source, pinned(lane, i));
          source = pinned(lane, i);
        }
        enqueue_uploads(lane.commands, lane.queue(), on_host(i), products, source, lane.buffers[i]());
        statistics_.bytes_up += parts_.matrices_[i].bytes(products);
      }
      const GemmOperands operands{.alpha = parts_.operands_.alpha,
                                  .a = {lane.buffers[0]()},
                                  .b = {lane.buffers[1]()},
                                  .beta = parts_.operands_.beta,
                                  .c = {lane.buffers[2]()}};
      lane.commands.add([&](std::span<const cl_event> waits) {
        return enqueue_product(plan_of(products), lane.queue(), operands, waits);
      });
      std::byte* const target = is_staged_ ? pinned(lane, 2) : parts_.host(2, part, false);
      enqueue_downloads(lane.commands, lane.queue(), on_host(2), products, target, lane.buffers[2]());
      check(clFlush(lane.queue()), "clFlush");
      statistics_.bytes_down += c.bytes(products);
      lane.is_enqueued = true;
    }

    // Matrices as the commands find them in host memory.
    BatchMatrices on_host(std::size_t operand) const {
      return is_staged_ ? without_gaps(parts_.matrices_[operand]) : parts_.matrices_[operand];
    }

    std::byte* pinned(const Lane& lane, std::size_t operand) const {
      std::byte* data = lane.pinned;
      for (std::size_t i = 0; i < operand; ++i) data += in_lines(parts_.matrices_[i].bytes(parts_.piece_));
      return data;
    }

    const BatchParts& parts_;
    Engine engine_;
    bool is_staged_;
    std::optional<RowCopier> copier_;
    std::deque<GemmPlan> plans_;  // references to plans stay valid
    std::array<Lane, 2> lanes_;
    std::vector<std::uint64_t> finished_;
    TileStatistics statistics_;
  };

  GemmProblem problem_of(std::uint64_t products) const { return problem_without_gaps(problem_, matrices_, products); }

  bool is_used(std::size_t operand) const { return operand == 2 || reads_inputs_; }

  // The first matrix of a part in host memory. `is_read`: of the matrix that beta scales, not of C.
  std::byte* host(std::size_t operand, std::uint64_t part, bool is_read) const {
    const void* const c = is_read && operands_.c_in != nullptr ? operands_.c_in : operands_.c;
    const void* const all[] = {operands_.a, operands_.b, c};
    const std::uint64_t offset = part * piece_ * matrices_[operand].stride * matrices_[operand].element;
    return static_cast<std::byte*>(const_cast<void*>(all[operand])) + offset;
  }

  void check_call() {
    reads_inputs_ = problem_.k > 0 && !rounds_to_zero(problem_.type, operands_.alpha);
    reads_c_ = group_reads_c(problem_, operands_);
    check_batch_operands(problem_, matrices_, operands_, reads_inputs_, reads_c_);
  }

  // Pieces per second. An unknown speed of the link counts as free.
  double speed_of(std::size_t device) const {
    const TransferSpeeds& speeds = speeds_[device];
    const double upload = speeds.upload > 0 ? static_cast<double>(bytes_of(piece_)) / speeds.upload : 0;
    return 1 / (flops_of(piece_) / std::max(speeds.flops, 1.0) + upload);
  }

  double flops_of(std::uint64_t products) const {
    return 2 * static_cast<double>(problem_.m) * static_cast<double>(problem_.n) *
           static_cast<double>(std::max<std::uint64_t>(1, problem_.k)) * static_cast<double>(products);
  }

  // Without other wishes, all devices are used: each has its own pieces, so that more devices do not copy more.
  void choose_devices(const std::vector<bool>& wanted) {
    std::vector<PlannedDevice> devices;
    double host_copy = 0;
    for (std::size_t i = 0; i < speeds_.size(); ++i) {
      const TransferSpeeds& speeds = speeds_[i];
      const double flops = members_.takes_part(i) ? std::max(speeds.flops, 1.0) : 0;
      devices.push_back({flops, is_staged_[i], speeds.upload, speeds.download});
      host_copy = std::max(host_copy, speeds.host_copy);
    }
    std::vector<bool> used = members_.taking_part_of(wanted);
    if (used.empty()) used = members_.taking_part_of(std::vector<bool>(members_.size(), true));
    choice_ = choice_of_devices(
        devices, used, flops_of(problem_.batch.count), [&](const std::vector<bool>& set) { return copies_of(set); },
        [&](std::size_t staged) { return group_copy_rate(options_, host_copy, staged); });
  }

  // Returns the copies of a call that uses only some devices.
  GroupCopies copies_of(const std::vector<bool>& used) const {
    double all = 0;
    for (std::size_t i = 0; i < used.size(); ++i) all += used[i] ? speed_of(i) : 0;
    const double down = static_cast<double>(matrices_[2].bytes(piece_));
    const double up = static_cast<double>(bytes_of(piece_)) - (reads_c_ ? 0 : down);
    GroupCopies copies;
    for (std::size_t i = 0; i < used.size(); ++i) {
      const double pieces = used[i] ? static_cast<double>(count()) * speed_of(i) / all : 0;
      copies.devices.push_back({pieces * up, pieces * down});
      if (is_staged_[i]) copies.in_host += pieces * (up + down);
    }
    return copies;
  }

  std::uint64_t bytes_of(std::uint64_t products) const { return bytes_of_all(matrices_, products); }

  // Chooses the products per piece: several pieces for each device, and two pieces fit on the smallest device. Leaves
  // out devices without room for two products.
  void choose_piece() {
    members_.for_each([&](std::size_t device) {
      if (const std::string why = why_no_room(device, 1); !why.empty())
        throw Error(ErrorCode::out_of_memory, "there is no room for two products of the batch: " + why +
                                                  "; call gemm() for single products, which are cut into tiles");
    });
    constexpr std::uint64_t pieces_for_each = 12;
    piece_ = std::max<std::uint64_t>(1, problem_.batch.count / (pieces_for_each * members_.count()));
    while (piece_ > 1 && !has_room_everywhere()) piece_ /= 2;
    choose_staging();
  }

  // GPUs stage pieces that are small enough for pinned memory. Each piece copies matrices that all products share
  // again, so pieces are larger with such matrices, and are not staged if that does not suffice.
  void choose_staging() {
    constexpr std::uint64_t preferred = 32 << 20, most = 256 << 20;
    const std::uint64_t shared = bytes_shared(matrices_), own = std::max<std::uint64_t>(1, bytes_of(1) - shared);
    if (shared > most || own > most - shared) return;
    const std::uint64_t target = std::clamp(5 * shared, preferred, most);
    const std::uint64_t piece = std::min(piece_, std::max<std::uint64_t>(1, (target - shared) / own));
    if (piece < piece_ && piece * own < 2 * shared) return;
    members_.for_each([&](std::size_t device) {
      const Engine& engine = members_.engine(device);
      is_staged_[device] = tile_transfer(engine.profile(), options_.transfer) == TileTransfer::staged &&
                           pinned_bytes(piece) <= engine.profile().max_allocation_bytes &&
                           why_no_room(device, piece, 2 * pinned_bytes(piece)).empty();
      if (is_staged_[device]) piece_ = piece;
    });
  }

  // Bytes of pinned memory for the operands of a piece.
  std::uint64_t pinned_bytes(std::uint64_t products) const {
    std::uint64_t bytes = 0;
    for (const BatchMatrices& all : matrices_) bytes += in_lines(all.bytes(products));
    return bytes;
  }

  bool has_room_everywhere() {
    bool has_room = true;
    members_.for_each([&](std::size_t device) { has_room = has_room && why_no_room(device, piece_).empty(); });
    return has_room;
  }

  // Why a device has no room for two pieces and the workspace of their plans; empty if it has.
  std::string why_no_room(std::size_t device, std::uint64_t products, std::uint64_t pinned = 0) const {
    const Engine& engine = members_.engine(device);
    for (const BatchMatrices& all : matrices_)
      if (const std::uint64_t bytes = all.bytes(products); bytes > engine.profile().max_allocation_bytes)
        return std::string(all.label.name) + " takes " + std::to_string(bytes) +
               " bytes, but the device allocates at most " + std::to_string(engine.profile().max_allocation_bytes) +
               " at once";
    const std::uint64_t memory = options_.memory != 0 ? options_.memory : engine.profile().global_memory_bytes / 10 * 9;
    const std::uint64_t buffers = 2 * bytes_of(products) + pinned;
    const std::uint64_t needed = buffers > memory ? buffers : buffers + workspace_of(engine, products);
    if (needed <= memory) return {};
    return "they take " + std::to_string(needed) + " bytes, but the call may allocate " + std::to_string(memory);
  }

  std::uint64_t workspace_of(const Engine& engine, std::uint64_t products) const {
    GemmMemory memory = gemm_memory(engine, problem_of(products));
    if (const std::uint64_t last = problem_.batch.count % products; last != 0)
      memory = memory_together(memory, gemm_memory(engine, problem_of(last)));
    return memory.shared + memory.zeros + memory.own;
  }

  GroupMembers members_;
  GemmProblem problem_;
  HostOperands operands_;
  DeviceGroupOptions options_;
  std::array<BatchMatrices, 3> matrices_;
  bool reads_inputs_ = true, reads_c_ = false;
  std::uint64_t piece_ = 1;  // products
  std::vector<TransferSpeeds> speeds_;
  std::vector<bool> is_staged_;
  DeviceChoice choice_;
};

}  // namespace

bool group_reads_c(const GemmProblem& problem, const HostOperands& operands) {
  return !rounds_to_zero(problem.type, operands.beta);
}

std::unique_ptr<GroupParts> pieces_of_batch(const std::vector<Engine>& engines, const GemmProblem& problem,
                                            const HostOperands& operands, const DeviceGroupOptions& options,
                                            const std::vector<bool>& wanted) {
  return std::make_unique<BatchParts>(engines, problem, operands, options, wanted);
}

}  // namespace tilewright::detail
