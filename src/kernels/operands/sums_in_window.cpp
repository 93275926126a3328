#include "kernels/operands/sums_in_window.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "kernels/operands/sum_of_quotients.hpp"

namespace tilewright::detail {
namespace {

constexpr int max_trials = 1 << 14;  // each with two terms; together they take some milliseconds

using Integer = std::int64_t;

struct Term {
  Integer step;
  Integer most;  // the largest factor
};

Integer floor_div(Integer x, Integer y) { return x / y - (x % y < 0 ? 1 : 0); }
Integer ceil_div(Integer x, Integer y) { return -floor_div(-x, y); }

Integer reach(const Term& term) { return term.step * term.most; }

// Precondition: neither 0 nor reach(x) is in the window.
bool one_in(const Term& x, Integer first, Integer last) {
  const Integer factor = ceil_div(first, x.step);
  return factor <= x.most && factor * x.step <= last;
}

bool two_in(Term x, Term y, Integer first, Integer last) {
  if (x.step < y.step) std::swap(x, y);
  const Integer end = reach(y);
  // The factors of x that leave y a window within its reach. If such a window holds 0 or reach(y), there is a sum.
  const Integer least = std::max<Integer>(0, ceil_div(first - end, x.step));
  const Integer most = std::min(x.most, floor_div(last, x.step));
  if (least > most) return false;
  if (ceil_div(first, x.step) <= most || floor_div(last - end, x.step) >= least) return true;
  // Otherwise all windows lie strictly between 0 and reach(y), and the multiples of y's step in them are counted.
  const auto count = static_cast<std::uint64_t>(most - least + 1);
  const auto quotients = [&](Integer from) {
    return sum_of_quotients(count, static_cast<std::uint64_t>(x.step), static_cast<std::uint64_t>(from - x.step * most),
                            static_cast<std::uint64_t>(y.step));
  };
  return quotients(last) != quotients(first - 1);
}

Integer divisor_of(const std::vector<Term>& terms) {
  Integer divisor = 0;
  for (const Term& term : terms) divisor = std::gcd(divisor, term.step);
  return divisor;
}

bool multiple_in(Integer divisor, Integer first, Integer last) { return ceil_div(first, divisor) * divisor <= last; }

Answer search(std::vector<Term> terms, Integer first, Integer last, int& trials) {
  Integer all = 0;
  for (const Term& term : terms) all += reach(term);
  if (last < 0 || first > all) return Answer::no;
  if (first <= 0 || last >= all) return Answer::yes;
  if (terms.size() == 1) return one_in(terms[0], first, last) ? Answer::yes : Answer::no;
  // Every sum is a multiple of the steps' greatest common divisor. Matrices that interleave in one array have such a
  // divisor: the array's leading dimension, which is longer than the window.
  if (!multiple_in(divisor_of(terms), first, last)) return Answer::no;
  if (--trials < 0) return Answer::unknown;
  if (terms.size() == 2) return two_in(terms[0], terms[1], first, last) ? Answer::yes : Answer::no;

  // Tries every factor of one term: the term with the fewest factors that the others can complete.
  const auto range = [&](const Term& term) {
    return std::pair(std::max<Integer>(0, ceil_div(first - (all - reach(term)), term.step)),
                     std::min(term.most, floor_div(last, term.step)));
  };
  const auto fewest = std::min_element(terms.begin(), terms.end(), [&](const Term& x, const Term& y) {
    return range(x).second - range(x).first < range(y).second - range(y).first;
  });
  const Term tried = *fewest;
  const auto [least, most] = range(tried);
  terms.erase(fewest);
  for (Integer factor = least; factor <= most; ++factor)
    if (const Answer answer = search(terms, first - factor * tried.step, last - factor * tried.step, trials);
        answer != Answer::no)
      return answer;
  return Answer::no;
}

}  // namespace

Answer any_sum_in(std::vector<Multiples> multiples, std::int64_t first, std::int64_t last) {
  std::vector<Term> terms;
  for (const auto& [step, count] : multiples) {
    if (count == 0) return Answer::no;
    if (step > 0 && count > 1) terms.push_back({static_cast<Integer>(step), static_cast<Integer>(count - 1)});
  }
  if (first > last) return Answer::no;
  std::sort(terms.begin(), terms.end(), [](const Term& x, const Term& y) { return x.step < y.step; });
  // Merges terms. If a longer term's multiples continue those of a shorter one without gaps, they extend the shorter
  // one. Steps no longer than the window extend the window.
  for (std::size_t i = 0; i < terms.size(); ++i)
    for (std::size_t j = i + 1; j < terms.size();) {
      const Integer times = terms[j].step / terms[i].step;
      if (terms[j].step % terms[i].step == 0 && times <= terms[i].most + 1) {
        terms[i].most += times * terms[j].most;
        terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(j));
        j = i + 1;
      } else {
        ++j;
      }
    }
  while (!terms.empty() && terms.front().step <= last - first + 1) {
    first -= reach(terms.front());
    terms.erase(terms.begin());
  }
  int trials = max_trials;
  return search(std::move(terms), first, last, trials);
}

}  // namespace tilewright::detail
