#include "lu/lu_problem.hpp"

namespace tilewright::detail {

std::string_view to_string(LuTask task) {
  switch (task) {
    case LuTask::getrf:
      return "getrf";
    case LuTask::getrs:
      return "getrs";
    case LuTask::gesv:
      return "gesv";
    case LuTask::getri:
      return "getri";
    case LuTask::det:
      return "det";
  }
  return "unknown";
}

}  // namespace tilewright::detail
