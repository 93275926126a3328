#include "tuning/search/gaussian_process.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tilewright::tuning {

void GaussianProcess::add(Point point, double value) {
  points_.push_back(std::move(point));
  values_.push_back(value);
  append_row(points_.size() - 1);
  solve();
}

void GaussianProcess::forget_all_but(std::size_t count) {
  std::vector<std::size_t> order(points_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto left, auto right) { return values_[left] < values_[right]; });
  order.resize(std::min(order.size(), count));
  const auto points = std::move(points_);
  const auto values = std::move(values_);
  points_.clear();
  values_.clear();
  for (const std::size_t kept : order) {
    points_.push_back(points[kept]);
    values_.push_back(values[kept]);
  }
  factorize();
}

double GaussianProcess::covariance(const Point& left, const Point& right) const {
  double squared = 0;
  for (std::size_t i = 0; i < relevance_.size(); ++i) {
    const double difference = relevance_[i] * (left[i] - right[i]);
    squared += difference * difference;
  }
  const double distance = std::sqrt(5 * squared);
  return (1 + distance + distance * distance / 3) * std::exp(-distance);
}

// Appends one row of the Cholesky factor of the covariance matrix; needs the rows before it.
void GaussianProcess::append_row(std::size_t row) {
  std::vector<double> entries(row + 1);
  double diagonal = 1 + noise_;
  for (std::size_t column = 0; column < row; ++column) {
    const auto& other = cholesky_[column];
    const double dot = std::inner_product(other.begin(), other.end() - 1, entries.begin(), 0.0);
    entries[column] = (covariance(points_[row], points_[column]) - dot) / other[column];
    diagonal -= entries[column] * entries[column];
  }
  entries[row] = std::sqrt(std::max(diagonal, 1e-12));
  cholesky_.push_back(std::move(entries));
}

void GaussianProcess::factorize() {
  cholesky_.clear();
  for (std::size_t row = 0; row < points_.size(); ++row) append_row(row);
  solve();
}

void GaussianProcess::solve() {
  const auto count = static_cast<double>(values_.size());
  const double most = *std::min_element(values_.begin(), values_.end()) + cap_;
  mean_ = 0;
  for (const double value : values_) mean_ += std::min(value, most) / count;
  whitened_.clear();
  variance_ = 0;
  for (std::size_t row = 0; row < values_.size(); ++row) {
    const auto& entries = cholesky_[row];
    const double dot = std::inner_product(whitened_.begin(), whitened_.end(), entries.begin(), 0.0);
    whitened_.push_back((std::min(values_[row], most) - mean_ - dot) / entries[row]);
    variance_ += whitened_.back() * whitened_.back() / count;
  }
  variance_ = std::max(variance_, 1e-12);
}

// Returns the logarithm of the posterior of the hyperparameters, with the variance at its most likely value. Priors:
// relevances around 1, noise around 1 %.
double GaussianProcess::log_posterior() {
  factorize();
  double result = -0.5 * static_cast<double>(values_.size()) * std::log(variance_);
  for (std::size_t row = 0; row < cholesky_.size(); ++row) result -= std::log(cholesky_[row][row]);
  for (const double relevance : relevance_) result -= 0.5 * std::pow(std::log(relevance), 2);
  return result - 0.5 * std::pow(std::log(noise_ / 1e-2) / 2, 2);
}

bool GaussianProcess::try_scaling(double& hyperparameter, double factor, double& best) {
  const double before = hyperparameter;
  hyperparameter *= factor;
  if (const double now = log_posterior(); now > best) {
    best = now;
    return true;
  }
  hyperparameter = before;
  return false;
}

void GaussianProcess::fit() {
  double best = log_posterior();
  const auto improve = [&](double& hyperparameter, double factor) {
    if (!try_scaling(hyperparameter, factor, best)) try_scaling(hyperparameter, 1 / factor, best);
  };
  for (double& relevance : relevance_) improve(relevance, 1.5);
  improve(noise_, 3);
  factorize();
}

// Handles all points together, so that the inner loops run along them.
std::vector<GaussianProcess::Prediction> GaussianProcess::predict(const std::vector<Point>& points) const {
  const std::size_t count = points.size();
  std::vector<double> mean(count, mean_);
  std::vector<double> explained(count, 0.0);
  std::vector<std::vector<double>> whitened;
  for (std::size_t row = 0; row < points_.size(); ++row) {
    const auto& entries = cholesky_[row];
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = covariance(points_[row], points[i]);
    for (std::size_t column = 0; column < row; ++column)
      for (std::size_t i = 0; i < count; ++i) values[i] -= entries[column] * whitened[column][i];
    for (std::size_t i = 0; i < count; ++i) {
      values[i] /= entries[row];
      mean[i] += values[i] * whitened_[row];
      explained[i] += values[i] * values[i];
    }
    whitened.push_back(std::move(values));
  }
  std::vector<Prediction> result(count);
  for (std::size_t i = 0; i < count; ++i)
    result[i] = {mean[i], std::sqrt(variance_ * std::max(1 - explained[i], 1e-12))};
  return result;
}

}  // namespace tilewright::tuning
