// Gaussian process regression.
#pragma once

#include <cstddef>
#include <vector>

namespace tilewright::tuning {

/// Regression by a Gaussian process after Rasmussen and Williams, "Gaussian Processes for Machine Learning" (2006),
/// algorithm 2.1. The kernel is Matérn 5/2 with one relevance per coordinate. Mean and variance of the values are taken
/// from the data.
///
/// Designed for some hundred points in some ten coordinates between 0 and 1, and for finding the minimum. Values more
/// than `cap` above the minimum count as `cap` above it, so that very bad points do not distort the model near the
/// minimum. At least one value must be finite.
class GaussianProcess {
 public:
  using Point = std::vector<double>;

  struct Prediction {
    double mean;
    double deviation;
  };

  GaussianProcess(std::size_t coordinates, double cap) : cap_(cap), relevance_(coordinates, 1.0) {}

  std::size_t size() const { return points_.size(); }
  const std::vector<double>& relevance() const { return relevance_; }

  /// Adds a point, in time quadratic in the number of points.
  void add(Point point, double value);

  /// Keeps the points with the least values, and the fitted hyperparameters.
  void forget_all_but(std::size_t count);

  /// Fits relevances and noise by one round of coordinate-wise steps that make the data more likely. Takes cubic time.
  void fit();

  std::vector<Prediction> predict(const std::vector<Point>& points) const;

 private:
  double covariance(const Point& left, const Point& right) const;
  void append_row(std::size_t row);
  void factorize();
  void solve();
  double log_posterior();
  bool try_scaling(double& hyperparameter, double factor, double& best);

  double cap_;
  std::vector<double> relevance_;  ///< inverse length scales
  double noise_ = 1e-2;            ///< variance of the noise relative to that of the values
  std::vector<Point> points_;
  std::vector<double> values_;
  std::vector<std::vector<double>> cholesky_;  ///< lower triangle, by row
  std::vector<double> whitened_;               ///< L^-1 (values - mean)
  double mean_ = 0;
  double variance_ = 1;
};

}  // namespace tilewright::tuning
