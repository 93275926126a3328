// Pinned memory that several workers share.
#include "out_of_core/shared_chunks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "support/device_under_test.hpp"

namespace tilewright::test {
namespace {

using detail::PinnedRows;
using detail::RowCopier;
using detail::SharedChunks;
using detail::SharedReads;
using State = SharedChunks::Use::State;

constexpr std::uint64_t chunk_bytes = 4096, row_bytes = 64;

// Rows of bytes with their own numbers.
struct Source {
  Source() : bytes(std::size_t{64} * row_bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7 % 251);
  }
  RowCopier::Rows rows(std::uint64_t first, std::uint64_t count) const {
    return {.source = bytes.data() + first * row_bytes,
            .target_pitch = row_bytes,
            .source_pitch = row_bytes,
            .bytes = row_bytes,
            .rows = count};
  }
  bool equals(const std::byte* data, std::uint64_t first, std::uint64_t count) const {
    return std::equal(data, data + count * row_bytes, bytes.data() + first * row_bytes);
  }

  std::vector<std::byte> bytes;
};

std::shared_ptr<SharedChunks> chunks_of(const Engine& engine, unsigned count) {
  return std::make_shared<SharedChunks>(cl::Context(engine.context(), true), cl::Device(engine.device(), true), count,
                                        chunk_bytes);
}

}  // namespace

TEST_SUITE("shared chunks") {
  TEST_CASE("the first worker copies a part, others find it") {
    const Engine engine(device_under_test());
    const auto chunks = chunks_of(engine, 2);
    const Source source;
    const SharedChunks::Use first = chunks->take(source.rows(0, 8));
    CHECK(first.state == State::fill);
    CHECK(chunks->take(source.rows(0, 8)).state == State::wait);
    CHECK(chunks->take(source.rows(8, 8)).state == State::fill);
    CHECK(chunks->take(source.rows(16, 8)).state == State::none);  // both chunks are in use
    chunks->filled(first.chunk);
    const SharedChunks::Use second = chunks->take(source.rows(0, 8));
    CHECK(second.state == State::ready);
    CHECK(second.data == first.data);
    // A chunk is replaced when nobody reads it any more.
    chunks->release(first.chunk);
    CHECK(chunks->take(source.rows(16, 8)).state == State::none);
    chunks->release(second.chunk);
    CHECK(chunks->take(source.rows(16, 8)).state == State::fill);
    CHECK(chunks->take(source.rows(0, 1000)).state == State::none);  // larger than a chunk
  }

  TEST_CASE("parts are forgotten before another call, in which matrices may have changed") {
    const Engine engine(device_under_test());
    const auto chunks = chunks_of(engine, 2);
    Source source;
    RowCopier copier(1);
    for (int call = 0; call < 3; ++call) {
      for (std::byte& byte : source.bytes) byte ^= std::byte{1};
      chunks->forget();
      SharedReads reads(chunks, 4), others(chunks, 4);
      PinnedRows found, again;
      REQUIRE(reads.find(source.rows(3, 5), copier, found));
      REQUIRE(others.find(source.rows(3, 5), copier, again));
      CHECK(found.data == again.data);
      CHECK(source.equals(found.data, 3, 5));
    }
  }

  TEST_CASE("a worker reads a limited number of chunks at a time") {
    const Engine engine(device_under_test());
    const auto chunks = chunks_of(engine, 4);
    const Source source;
    RowCopier copier(1);
    SharedReads reads(chunks, 2);
    PinnedRows found;
    for (std::uint64_t row = 0; row < 2; ++row) {
      CHECK(reads.find(source.rows(row, 1), copier, found));
      CHECK(found.data != nullptr);
    }
    CHECK(reads.find(source.rows(2, 1), copier, found));
    CHECK(found.data == nullptr);
    reads.release_ended();
    CHECK(reads.find(source.rows(2, 1), copier, found));
    CHECK(found.data != nullptr);
    SharedReads none(nullptr, 2);
    CHECK_FALSE(none.find(source.rows(0, 1), copier, found));
  }

  TEST_CASE("rows that are copied for later stay until they are used") {
    const Engine engine(device_under_test());
    const auto chunks = chunks_of(engine, 2);
    const Source source;
    RowCopier copier(1);
    SharedReads reads(chunks, 4), others(chunks, 4);
    CHECK(reads.prefetch(source.rows(0, 8), copier));
    CHECK_FALSE(others.prefetch(source.rows(0, 8), copier));  // is there
    CHECK(others.prefetch(source.rows(8, 8), copier));
    CHECK_FALSE(reads.prefetch(source.rows(16, 8), copier));
    PinnedRows found;
    REQUIRE(others.find(source.rows(8, 8), copier, found));
    CHECK(source.equals(found.data, 8, 8));
    others.release_ended();
    CHECK(reads.prefetch(source.rows(16, 8), copier));
    CHECK(chunks->take(source.rows(0, 8)).state == State::ready);
    // A part that is needed now may replace one that was copied for later.
    CHECK(chunks->take(source.rows(24, 8)).state == State::fill);
  }

  TEST_CASE("little memory: none is shared") {
    const Engine engine(device_under_test());
    CHECK(detail::make_shared_chunks(engine, chunk_bytes, 1, 3 * chunk_bytes) == nullptr);
    CHECK(detail::make_shared_chunks(engine, 0, 1, chunk_bytes) == nullptr);
    CHECK(detail::make_shared_chunks(engine, chunk_bytes, 1, 100 * chunk_bytes) != nullptr);
  }

  TEST_CASE("large operands have more chunks") {
    const Engine engine(device_under_test());
    const Source source;
    const auto count = [&](double chunks_of_operands) {
      const auto chunks = detail::make_shared_chunks(
          engine, chunk_bytes, chunks_of_operands * static_cast<double>(chunk_bytes), 1000 * chunk_bytes);
      std::uint64_t taken = 0;
      while (chunks->take(source.rows(taken % 64, 1 + taken / 64)).state == State::fill) ++taken;
      return taken;
    };
    CHECK(count(1) == 32);
    CHECK(count(16 * 40) == 40);
    CHECK(count(1e6) == 128);
  }

  TEST_CASE("threads that read the same parts in different orders") {
    const Engine engine(device_under_test());
    const auto chunks = chunks_of(engine, 5);
    const Source source;
    std::vector<std::thread> threads;
    std::vector<unsigned> wrong(4);
    for (unsigned thread = 0; thread < wrong.size(); ++thread)
      threads.emplace_back([&, thread] {
        RowCopier copier(1);
        SharedReads reads(chunks, 2);
        for (std::uint64_t i = 0; i < 2000; ++i) {
          const std::uint64_t row = (i * (thread + 1)) % 13 * 4;
          PinnedRows found;
          if (reads.find(source.rows(row, 4), copier, found) && found.data != nullptr &&
              !source.equals(found.data, row, 4))
            ++wrong[thread];
          reads.release_ended();
        }
      });
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == std::vector<unsigned>(wrong.size()));
  }
}

}  // namespace tilewright::test
