// A batch of products in host memory, in pieces of some products each: uploaded, multiplied in one launch, downloaded.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "device_group/group_worker.hpp"
#include "kernels/operands/host_operands.hpp"
#include "kernels/operands/overlap.hpp"
#include "kernels/scalars.hpp"
#include "runtime/device/opencl.hpp"
#include "runtime/device/wait_for_all.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

// The matrices of one operand, as they lie in host memory and, without gaps, on the device.
struct BatchMatrices {
  OperandLabel label;
  StoredMatrix matrix;
  std::uint64_t stride = 0;  // 0: all products use the same
  std::size_t element = 4;

  std::uint64_t elements() const { return matrix.rows * matrix.columns; }
  std::uint64_t count(std::uint64_t products) const { return stride == 0 ? 1 : products; }
  std::uint64_t bytes(std::uint64_t products) const { return count(products) * elements() * element; }
  bool is_empty() const { return elements() == 0; }
};

std::array<BatchMatrices, 3> matrices_of(const GemmProblem& p) {
  const auto made = [&](const OperandLabel& label, Transpose trans, std::uint64_t rows, std::uint64_t columns,
                        std::uint64_t ld, std::uint64_t stride) {
    if ((p.layout == Layout::row_major) != (trans == Transpose::no)) std::swap(rows, columns);
    BatchMatrices all{label, {rows, columns, completed_ld(label, columns, ld)}, stride, size_of(p.type)};
    check_extent(label, all.matrix, p.layout, all.element);
    check_batch_extent(label, all.matrix, stride, p.batch.count, all.element);
    return all;
  };
  return {made({"A", OperandName::a}, p.trans_a, p.m, p.k, p.lda, p.batch.stride_a),
          made({"B", OperandName::b}, p.trans_b, p.k, p.n, p.ldb, p.batch.stride_b),
          made({"C", OperandName::c}, Transpose::no, p.m, p.n, p.ldc, p.batch.stride_c)};
}

// Moves matrices between a buffer and host memory; what lies between them there is not touched.
class Transfers {
 public:
  Transfers(cl_command_queue queue, const BatchMatrices& all, std::byte* host, cl_mem buffer, bool is_upload)
      : queue_(queue), all_(all), host_(host), buffer_(buffer), is_upload_(is_upload) {}

  void enqueue(std::uint64_t products) const {
    const StoredMatrix& m = all_.matrix;
    const std::uint64_t count = all_.count(products), e = all_.element;
    const bool is_dense = m.ld == m.columns || m.rows == 1;
    if (count == 1 || (is_dense && all_.stride == all_.elements())) {
      if (is_dense) return plain(0, count * all_.elements() * e);
      return rectangles(0, 1, 0);
    }
    // OpenCL takes slices that are whole rows apart and do not overlap.
    if (all_.stride % m.ld == 0 && all_.stride >= m.rows * m.ld) return rectangles(0, count, all_.stride * e);
    for (std::uint64_t x = 0; x < count; ++x) rectangles(x, 1, 0);
  }

 private:
  void plain(std::uint64_t offset, std::uint64_t bytes) const {
    if (is_upload_)
      check(clEnqueueWriteBuffer(queue_, buffer_, CL_FALSE, offset, bytes, host_, 0, nullptr, nullptr),
            "clEnqueueWriteBuffer");
    else
      check(clEnqueueReadBuffer(queue_, buffer_, CL_FALSE, offset, bytes, host_, 0, nullptr, nullptr),
            "clEnqueueReadBuffer");
  }

  void rectangles(std::uint64_t first, std::uint64_t count, std::uint64_t host_slice) const {
    const StoredMatrix& m = all_.matrix;
    const std::size_t e = all_.element, row = m.columns * e, zero[] = {0, 0, 0};
    const std::size_t region[] = {row, m.rows, count};
    // The beginning of a matrix may be no whole number of rows after another's.
    std::byte* const host = host_ + first * all_.stride * e;
    const std::size_t begin[] = {0, 0, first};
    if (is_upload_)
      check(clEnqueueWriteBufferRect(queue_, buffer_, CL_FALSE, begin, zero, region, row, row * m.rows, m.ld * e,
                                     host_slice, host, 0, nullptr, nullptr),
            "clEnqueueWriteBufferRect");
    else
      check(clEnqueueReadBufferRect(queue_, buffer_, CL_FALSE, begin, zero, region, row, row * m.rows, m.ld * e,
                                    host_slice, host, 0, nullptr, nullptr),
            "clEnqueueReadBufferRect");
  }

  cl_command_queue queue_;
  const BatchMatrices& all_;
  std::byte* host_;
  cl_mem buffer_;
  bool is_upload_;
};

class BatchParts : public GroupParts {
 public:
  BatchParts(const std::vector<Engine>& engines, const GemmProblem& problem, const HostOperands& operands,
             const DeviceGroupOptions& options)
      : members_(engines),
        problem_(problem),
        operands_(operands),
        options_(options),
        matrices_(matrices_of(problem)),
        speeds_(engines.size()) {
    check_call();
    choose_piece();
    members_.for_each([&](std::size_t device) { speeds_[device] = speed_of(device); });
  }

  const GroupMembers& members() const override { return members_; }
  std::uint64_t count() const override { return (problem_.batch.count - 1) / piece_ + 1; }

  std::vector<double> speeds() const override {
    std::vector<double> result = speeds_;
    for (std::size_t i = 0; i < result.size(); ++i)
      if (!members_.takes_part(i)) result[i] = 0;
    return result;
  }

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
    return std::make_unique<Worker>(*this, members_.engine(device));
  }

 private:
  // Two pieces are in progress at a time: one is uploaded while the other is multiplied.
  class Worker : public GroupWorker {
   public:
    Worker(const BatchParts& parts, const Engine& engine) : parts_(parts), engine_(engine) {
      for (Lane& lane : lanes_) {
        lane.queue = cl::CommandQueue(context(), cl::Device(engine.device(), true));
        for (std::size_t i = 0; i < lane.buffers.size(); ++i)
          if (parts.is_used(i))
            lane.buffers[i] = cl::Buffer(context(), CL_MEM_READ_WRITE, parts.matrices_[i].bytes(parts.piece_));
      }
      plan_of(parts.piece_);
      plan_of(parts.products_of(parts.count() - 1));
    }
    ~Worker() override {
      for (const Lane& lane : lanes_) wait_for_all(lane.queue());
    }

    bool takes_part() const override {
      return std::any_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return !lane.part; });
    }

    void start(std::uint64_t part) override {
      Lane& lane = *std::find_if(lanes_.begin(), lanes_.end(), [](const Lane& one) { return !one.part; });
      lane.part = part;
      translated([&] { enqueue(lane); });
    }

    bool poll() override {
      bool moved = false;
      for (Lane& lane : lanes_) {
        if (!lane.part || !lane.done()) continue;
        cl_int status = CL_COMPLETE;
        check(clGetEventInfo(lane.done(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
              "clGetEventInfo");
        if (status < 0) throw opencl_error(status, "a command of a piece of the batch");
        if (status != CL_COMPLETE) continue;
        finished_.push_back(*std::exchange(lane.part, std::nullopt));
        moved = true;
      }
      return moved;
    }

    std::vector<std::uint64_t> take_finished() override { return std::exchange(finished_, {}); }

    std::vector<std::uint64_t> partly_written() const override {
      std::vector<std::uint64_t> parts;
      for (const Lane& lane : lanes_)
        if (lane.part) parts.push_back(*lane.part);
      return parts;
    }

    TileWorker::Statistics statistics() const override { return statistics_; }

    // A and B have buffers only if the worker was made for a call that reads them.
    bool restart(const HostOperands&) override {
      statistics_ = {};
      return parts_.reads_inputs_ == (lanes_[0].buffers[0]() != nullptr);
    }
    void rest() override {}  // it has neither

   private:
    struct Lane {
      cl::CommandQueue queue;
      std::array<cl::Buffer, 3> buffers;
      std::optional<std::uint64_t> part;
      cl::Event done;
    };

    cl::Context context() const { return cl::Context(engine_.context(), true); }

    const GemmPlan& plan_of(std::uint64_t products) {
      for (const GemmPlan& plan : plans_)
        if (plan.problem().batch.count == products) return plan;
      GemmProblem p = parts_.problem_;
      p.lda = p.ldb = p.ldc = 0;
      p.batch = {.count = products};
      std::uint64_t* const strides[] = {&p.batch.stride_a, &p.batch.stride_b, &p.batch.stride_c};
      for (std::size_t i = 0; i < 3; ++i)
        *strides[i] = parts_.matrices_[i].stride == 0 ? 0 : parts_.matrices_[i].elements();
      if (products == 1) p.batch = {};
      return plans_.emplace_back(engine_, p);
    }

    void enqueue(Lane& lane) {
      const std::uint64_t part = *lane.part, products = parts_.products_of(part);
      for (std::size_t i = 0; i < 3; ++i) {
        const bool is_c = i == 2;
        if (!parts_.is_used(i) || (is_c && !parts_.reads_c_)) continue;
        Transfers(lane.queue(), parts_.matrices_[i], parts_.host(i, part, is_c), lane.buffers[i](), true)
            .enqueue(products);
        statistics_.bytes_up += parts_.matrices_[i].bytes(products);
      }
      plan_of(products).enqueue(lane.queue(), {.alpha = parts_.operands_.alpha,
                                               .a = {lane.buffers[0]()},
                                               .b = {lane.buffers[1]()},
                                               .beta = parts_.operands_.beta,
                                               .c = {lane.buffers[2]()}});
      Transfers(lane.queue(), parts_.matrices_[2], parts_.host(2, part, false), lane.buffers[2](), false)
          .enqueue(products);
      cl_event done = nullptr;
      check(clEnqueueMarkerWithWaitList(lane.queue(), 0, nullptr, &done), "clEnqueueMarkerWithWaitList");
      lane.done = cl::Event(done);
      check(clFlush(lane.queue()), "clFlush");
      statistics_.bytes_down += parts_.matrices_[2].bytes(products);
    }

    const BatchParts& parts_;
    Engine engine_;
    std::vector<GemmPlan> plans_ = reserved();
    std::array<Lane, 2> lanes_;
    std::vector<std::uint64_t> finished_;
    TileWorker::Statistics statistics_;

    static std::vector<GemmPlan> reserved() {
      std::vector<GemmPlan> plans;
      plans.reserve(2);  // references to them stay
      return plans;
    }
  };

  bool is_used(std::size_t operand) const { return operand == 2 || reads_inputs_; }

  // Where the matrices of a part begin in host memory; `read`: as beta is of them.
  std::byte* host(std::size_t operand, std::uint64_t part, bool read) const {
    const void* const c = read && operands_.c_in != nullptr ? operands_.c_in : operands_.c;
    const void* const all[] = {operands_.a, operands_.b, c};
    const std::uint64_t offset = part * piece_ * matrices_[operand].stride * matrices_[operand].element;
    return static_cast<std::byte*>(const_cast<void*>(all[operand])) + offset;
  }

  void check_call() {
    reads_inputs_ = problem_.k > 0 && !rounds_to_zero(problem_.type, operands_.alpha);
    reads_c_ = group_reads_c(problem_, operands_);
    const BatchMatrices& c = matrices_[2];
    if (first_overlap(c.matrix, c.stride, problem_.batch.count))
      throw Error(ErrorCode::overlapping_operands, OperandName::c,
                  "stride_c is " + std::to_string(c.stride) + ", so that matrices C of the batch share elements");
    const void* const pointers[] = {operands_.a, operands_.b, operands_.c};
    const auto host_operand = [&](std::size_t i, const void* data) {
      const BatchMatrices& all = matrices_[i];
      return HostOperand{all.label, all.matrix, BatchOffsets(problem_.batch.count, all.stride), all.element, data};
    };
    std::vector<HostOperand> read;
    for (std::size_t i = 0; i < 2 && reads_inputs_; ++i) read.push_back(host_operand(i, pointers[i]));
    if (reads_c_ && operands_.c_in != nullptr && operands_.c_in != operands_.c) {
      read.push_back(host_operand(2, operands_.c_in));
      read.back().label.name = "c_in";
    }
    const HostOperand written = host_operand(2, operands_.c);
    for (const HostOperand& operand : read) check_pointer(operand);
    check_pointer(written);
    for (const HostOperand& operand : read) check_apart(written, operand);
  }

  // Pieces per second. Speeds that are no speeds, as measured ones may be, count as unknown.
  double speed_of(std::size_t device) const {
    const TransferSpeeds speeds =
        options_.speeds.empty() ? transfer_speeds(members_.engine(device), problem_.type) : options_.speeds[device];
    const double flops = 2 * static_cast<double>(problem_.m) * static_cast<double>(problem_.n) *
                         static_cast<double>(std::max<std::uint64_t>(1, problem_.k)) * static_cast<double>(piece_);
    const auto seconds = [](double amount, double speed) {
      return std::isfinite(speed) && speed > 0 ? amount / speed : 0;
    };
    return 1 / (seconds(flops, std::max(speeds.flops, 1.0)) +
                seconds(static_cast<double>(bytes_of(piece_)), speeds.upload));
  }

  std::uint64_t bytes_of(std::uint64_t products) const {
    std::uint64_t bytes = 0;
    for (const BatchMatrices& all : matrices_) bytes += all.bytes(products);
    return bytes;
  }

  // Some pieces for each device. Two pieces fit on the smallest device. Leaves out devices without room for two
  // products.
  void choose_piece() {
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (!has_room(i, 1))
        members_.leave_out(i, Error(ErrorCode::out_of_memory,
                                    "there is no room for two products of the batch of " + std::to_string(bytes_of(1)) +
                                        " bytes each; do such products one by one, in tiles"));
    members_.require_one();
    constexpr std::uint64_t pieces_for_each = 12;
    piece_ = std::max<std::uint64_t>(1, problem_.batch.count / (pieces_for_each * members_.count()));
    for (std::size_t i = 0; i < members_.size(); ++i)
      while (members_.takes_part(i) && !has_room(i, piece_)) piece_ /= 2;
  }

  bool has_room(std::size_t device, std::uint64_t products) const {
    const DeviceProfile& profile = members_.engine(device).profile();
    const std::uint64_t memory = options_.memory != 0 ? options_.memory : profile.global_memory_bytes / 10 * 9;
    return 2 * bytes_of(products) <= memory &&
           std::all_of(matrices_.begin(), matrices_.end(),
                       [&](const BatchMatrices& all) { return all.bytes(products) <= profile.max_allocation_bytes; });
  }

  GroupMembers members_;
  GemmProblem problem_;
  HostOperands operands_;
  DeviceGroupOptions options_;
  std::array<BatchMatrices, 3> matrices_;
  bool reads_inputs_ = true, reads_c_ = false;
  std::uint64_t piece_ = 1;
  std::vector<double> speeds_;  // pieces per second
};

}  // namespace

bool group_reads_c(const GemmProblem& problem, const HostOperands& operands) {
  return !rounds_to_zero(problem.type, operands.beta);
}

std::unique_ptr<GroupParts> pieces_of_batch(const std::vector<Engine>& engines, const GemmProblem& problem,
                                            const HostOperands& operands, const DeviceGroupOptions& options) {
  return std::make_unique<BatchParts>(engines, problem, operands, options);
}

}  // namespace tilewright::detail
