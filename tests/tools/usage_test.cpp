// The exit status of every command for command lines that no device and no file could make right, and for others.
#include <doctest/doctest.h>

#include <string>

#include "tune_place.hpp"

namespace tilewright::test {

TEST_SUITE("usage") {
  TEST_CASE("a wrong value of an option is wrong usage in every command") {
    for (const char* const line : {
             "bench --shape 9x8x7 --variant nonsense",
             "bench --shape 9x8x7 5x5x5 --variant nonsense --json",
             "bench --shape 9x8x7 --variant naive --configuration x=1",
             "bench --shape 9x8x7 --variant naive --configuration x",
             "bench --shape 9x8x7 --configuration nonsense=1",
             "bench --shape 9x8x7 --algorithm strassen --variant nonsense",
             "bench --shape 9x8x7 --algorithm nonsense",
             "bench --shape 9x8x7 --trans QQ",
             "bench --shape 9x8x7 --epilogue nonsense",
             "bench --shape 9x8x7 --batch 0",
             "bench --shape 9x8x7 --runs 0",
             "bench --shape 9x8x7 --type f99",
             "bench --shape 9x8x7 --against nonsense",
             "bench --shape 9x8",
             "bench --op getrf --shape 50 --variant nonsense",
             "bench --op getrf --shape 50 --uplo sideways",
             "bench --op syrk --shape 50 --variant nonsense",
             "bench --op gemv --shape 50x50 --variant nonsense",
             "bench --op ger --shape 50x50 --variant nonsense",
             "bench --op symv --shape 50 --variant nonsense",
             "bench --op transpose --shape 50x50 --variant nonsense",
             "bench --op vector --shape 10 --name nonsense",
             "ladder --variant nonsense",
             "ladder --op transpose --variant nonsense",
             "ladder --op gemv",
             "ladder --shape 3x3",
             "check --variant nonsense",
             "check --op gemv --variant nonsense",
             "check --op nonsense",
             "explain --shape 3x3x3 --variant nonsense",
             "explain --shape 3x3x3 --configuration nonsense=1",
             "explain --op transpose --shape 3x3 --variant nonsense",
             "explain --shape 3x3x3 --memory x",
             "tune --shape 3x3",
             "tune --budget x",
             "tune --op nonsense",
             "regret --shape 3x3",
             "regret --op nonsense",
             "fit-times timings.jsonl --only nonsense",
             "fit-times timings.jsonl --disturb 0",
             "records nonsense",
             "records import",
             "cache nonsense",
             "devices nonsense",
             "help nonsense",
             "run --blas nonsense -- true",
             "multiply a.npy b.npy -o c.npy --variant nonsense",
             "multiply a.npy b.npy -o c.npy --symmetric up",
             "multiply a.npy b.npy -o c.npy --memory x",
             "transpose a.npy -o b.npy --variant nonsense",
             "solve a.npy b.npy -o x.npy --type f99",
             "inverse a.npy -o x.npy --type f99",
             "lstsq a.npy b.npy -o x.npy --type f99",
         }) {
      CAPTURE(line);
      const CommandResult result = run_words(line);
      CHECK(result.status == 2);
      CHECK(result.errors.find("--help") != std::string::npos);
    }
  }

  TEST_CASE("what a device or a file lacks is a failure") {
    for (const char* const line :
         {"bench --shape 9x8x7 --device nonsense", "bench --shapes /nonexistent", "ladder --device nonsense",
          "bench --shape 9x8x7 --variant register_blocked --configuration tile_m=3", "records list --device nonsense",
          "tune --shapes /nonexistent", "fit-times /nonexistent", "transpose /nonexistent.npy -o b.npy"}) {
      CAPTURE(line);
      CHECK(run_words(line).status == 1);
    }
  }
}

}  // namespace tilewright::test
