// Runs a test program and ends it if it hangs, however slow the machine is.
//
// Usage: tilewright_watchdog [--idle SECONDS] [--busy SECONDS] PROGRAM [ARGUMENT]...
//   --idle  end it after this time without output and with almost no CPU time; default: 600
//   --busy  end it after this CPU time without output; default: 3600
//
// Processes that the program starts count as part of it, and end with it. Exit status: the program's; 128 + the
// signal's number if a signal ended it; 124 if it hung; 125 if it could not be started.
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int hung = 124;
constexpr int not_started = 125;
constexpr double min_share = 0.01;  // of a CPU; a process that uses less is idle

volatile std::sig_atomic_t caught_signal = 0;

void on_signal(int signal) { caught_signal = signal; }

struct Process {
  pid_t parent = 0;
  double cpu_seconds = 0;  // the process and its children that have ended
};

// Parses one line of /proc/PID/stat. The name, in parentheses, may contain any characters.
Process parse_stat(const std::string& line) {
  static const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  Process process;
  std::istringstream fields(line.substr(line.rfind(')') + 1));
  std::string skipped;
  fields >> skipped >> process.parent;
  for (int i = 0; i < 9; ++i) fields >> skipped;
  for (int i = 0; i < 4; ++i) {  // utime, stime, cutime, cstime
    double time = 0;
    fields >> time;
    process.cpu_seconds += time / ticks;
  }
  return process;
}

std::map<pid_t, Process> all_processes() {
  std::map<pid_t, Process> processes;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename();
    pid_t id = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), id).ptr != name.data() + name.size()) continue;
    std::string line;
    if (std::getline(std::ifstream(entry.path() / "stat"), line)) processes[id] = parse_stat(line);
  }
  return processes;
}

// The descendants of this process. It is the subreaper, so orphans are included.
std::map<pid_t, Process> descendants() {
  const std::map<pid_t, Process> all = all_processes();
  std::map<pid_t, Process> found;
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto& [id, process] : all)
      if (process.parent == getpid() || found.contains(process.parent)) grown |= found.emplace(id, process).second;
  }
  return found;
}

double cpu_seconds() {
  double sum = 0;
  for (const auto& [id, process] : descendants()) sum += process.cpu_seconds;
  return sum;
}

void end_all(int signal) {
  for (const auto& [id, process] : descendants()) kill(id, signal);
}

class Watch {
 public:
  Watch(double idle, double busy) : idle_(idle), busy_(busy) { saw_output(); }

  void saw_output() {
    start_idle(cpu_seconds());
    cpu_at_output_ = idle_cpu_;
    output_ = idle_start_;
  }

  // Why the program is taken to hang; empty if it is not.
  std::string complaint() {
    const double cpu = cpu_seconds();
    if (cpu < idle_cpu_) idle_cpu_ = cpu;  // the time of an ended process is no longer counted
    if (cpu < cpu_at_output_) cpu_at_output_ = cpu;
    if (cpu - idle_cpu_ >= min_share * idle_) start_idle(cpu);
    if (since(idle_start_) >= idle_)
      return "no output for " + rounded(since(output_)) + " s, and next to no CPU time used for " +
             rounded(since(idle_start_)) + " s";
    if (cpu - cpu_at_output_ >= busy_)
      return "no output while it used " + rounded(cpu - cpu_at_output_) + " s of CPU time";
    return {};
  }

 private:
  using Clock = std::chrono::steady_clock;

  static double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }
  static std::string rounded(double seconds) { return std::to_string(static_cast<long>(seconds + 0.5)); }

  void start_idle(double cpu) {
    idle_start_ = Clock::now();
    idle_cpu_ = cpu;
  }

  double idle_;
  double busy_;
  Clock::time_point output_;
  Clock::time_point idle_start_;
  double idle_cpu_ = 0;
  double cpu_at_output_ = 0;
};

struct Child {
  pid_t id = 0;
  int output = -1;  // standard output and standard error
};

Child start(char** command) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("pipe failed");
  const pid_t watchdog = getpid();
  const pid_t id = fork();
  if (id < 0) throw std::runtime_error("fork failed");
  if (id == 0) {
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != watchdog) _exit(not_started);  // the watchdog ended before prctl took effect
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    execvp(command[0], command);
    std::fprintf(stderr, "watchdog: %s: %s\n", command[0], std::strerror(errno));
    _exit(not_started);
  }
  close(ends[1]);
  return {id, ends[0]};
}

// Copies the program's output for at most a second. Returns false if there was none.
bool copy_output(int& output) {
  pollfd descriptor{output, POLLIN, 0};
  if (poll(&descriptor, output < 0 ? 0 : 1, output < 0 ? 50 : 1000) <= 0) return false;
  std::array<char, 65536> bytes{};
  const ssize_t count = read(output, bytes.data(), bytes.size());
  if (count > 0) {
    std::fwrite(bytes.data(), 1, static_cast<std::size_t>(count), stdout);
    std::fflush(stdout);
    return true;
  }
  if (count == 0) {
    close(output);
    output = -1;
  }
  return false;
}

// Collects the status of every process that has ended. Returns true if the child is one of them.
bool has_ended(pid_t child, int& status) {
  int ended_status = 0;
  bool ended = false;
  for (pid_t id = 0; (id = waitpid(-1, &ended_status, WNOHANG)) > 0;) {
    if (id != child) continue;
    ended = true;
    status = WIFEXITED(ended_status) ? WEXITSTATUS(ended_status) : 128 + WTERMSIG(ended_status);
  }
  return ended;
}

int watch(Child child, double idle, double busy) {
  Watch watch(idle, busy);
  auto next_look = std::chrono::steady_clock::now();
  bool wrote = false;
  for (int status = 0;;) {
    wrote |= copy_output(child.output);
    if (has_ended(child.id, status)) {
      while (child.output >= 0 && copy_output(child.output)) {
      }
      end_all(SIGKILL);
      return status;
    }
    if (caught_signal != 0) {
      end_all(SIGTERM);
      sleep(1);
      end_all(SIGKILL);
      return 128 + caught_signal;
    }
    if (std::chrono::steady_clock::now() < next_look) continue;
    next_look = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    if (wrote) watch.saw_output();
    wrote = false;
    if (const std::string complaint = watch.complaint(); !complaint.empty()) {
      std::printf("\nwatchdog: ended, as it hangs: %s\n", complaint.c_str());
      std::fflush(stdout);
      end_all(SIGTERM);
      sleep(2);
      end_all(SIGKILL);
      return hung;
    }
  }
}

int usage() {
  std::fputs("usage: tilewright_watchdog [--idle SECONDS] [--busy SECONDS] PROGRAM [ARGUMENT]...\n", stderr);
  return not_started;
}

}  // namespace

int main(int argc, char** argv) try {
  double idle = 600;
  double busy = 3600;
  int next = 1;
  for (; next + 1 < argc && std::string_view(argv[next]).starts_with("--"); next += 2) {
    const std::string_view option = argv[next];
    if (option != "--idle" && option != "--busy") return usage();
    (option == "--idle" ? idle : busy) = std::stod(argv[next + 1]);
  }
  if (next >= argc) return usage();

  prctl(PR_SET_CHILD_SUBREAPER, 1);
  struct sigaction action {};
  action.sa_handler = on_signal;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  return watch(start(argv + next), idle, busy);
} catch (const std::exception& error) {
  std::fprintf(stderr, "watchdog: %s\n", error.what());
  return not_started;
}
