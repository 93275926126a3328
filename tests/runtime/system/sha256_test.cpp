// SHA-256 of the examples in FIPS 180-4, and of lengths near multiples of its 64-byte blocks. The last block reserves 9
// bytes for a bit and the length.
#include "runtime/system/sha256.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>

namespace tilewright::test {
namespace {

std::string hex_digest(std::string_view bytes) { return detail::to_hex(detail::sha256(bytes)); }

std::string letters(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += static_cast<char>('a' + i % 26);
  return text;
}

}  // namespace

TEST_SUITE("SHA-256") {
  TEST_CASE("the standard's examples") {
    CHECK(hex_digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(hex_digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(hex_digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(hex_digest("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs"
                     "mnopqrstnopqrstu") == "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
    CHECK(hex_digest(std::string(1000000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  }

  TEST_CASE("lengths near block boundaries") {
    const std::pair<std::size_t, const char*> expected[] = {
        {1, "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"},
        {55, "595615dbe4f0f407ae397d08b4c2cb870cb9b0e11937416f950c5160acf9c005"},
        {56, "784f623b787495078e93ff28a25b581df0584055a7e71d8cd90c454716b92f51"},
        {57, "808f0738aa4401bdee842e5a15a7baad5809f976d8eb6f9bd2683cebd2e8d671"},
        {63, "5ca3e1ef5207490eac01a795e5cc94d59582a5118bf9534665c8668d87aa647c"},
        {64, "2fcd5a0d60e4c941381fcc4e00a4bf8be422c3ddfafb93c809e8d1e2bfffae8e"},
        {65, "1b3cd1877ab2f2f19f7be001722554f336cb799df0329de0bb4c118dc6abc06d"},
        {119, "faef67da856d6fd9c8d12f9ed0a4fefd3cf0ce085ab43e2907418d457e3c354b"},
        {120, "c9512b08619c19fbb503c7da6b46ef20301e5f7a7a5f43989182398536f5c5c8"},
        {127, "1b9907986f18ddc2b37e18be502d82d69d6e18bb9dff9e16f2aceea7d88cb933"},
        {128, "6c05be2c4268843ae47e68e611277ce62c02153f2f4d2e1e2a1a4b44f766cf74"},
        {129, "cd6bba8374324cbcc0c296b94f35299c0b9820393116358ac3afaf091a4955a5"},
    };
    for (const auto& known : expected) {
      CAPTURE(known.first);
      CHECK(hex_digest(letters(known.first)) == known.second);
    }
  }

  TEST_CASE("bytes above 127 are not sign-extended") {
    CHECK(hex_digest("\xff\x80") == "85c61621ebd04403f66d96fe300cf10b3844de7358184f1276cb08790fd135f1");
  }
}

}  // namespace tilewright::test
