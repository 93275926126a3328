// Prints the index of the device under test, which is valid whatever an OpenCL library says about the device, and its
// type: "0:1 cpu" or "0:0 other".
#include <exception>
#include <iostream>

#include "tilewright/device.hpp"

int main() try {
  const tilewright::Device device = tilewright::pick_device();
  std::cout << device.index() << ' ' << (device.profile.type == tilewright::DeviceType::cpu ? "cpu" : "other") << '\n';
} catch (const std::exception& error) {
  std::cerr << "error: " << error.what() << '\n';
  return 1;
}
