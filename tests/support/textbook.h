#pragma once

#include <Eigen/LU>
#include <algorithm>

#include "alm/reconstructor.h"
#include "linalg/eigen.h"

namespace isthmus::testing {

/// The inexact ALM as textbooks write it: every variable and every multiplier kept, an explicit ns×ns
/// inverse, a full SVD. The naive twin of Reconstructor.
struct TextbookAlm {
  TextbookAlm(const Matrix& source, const Matrix& target, ErrorNorm error_norm, double weight1,
              double weight2)
      : ds(source), dt(target), norm(error_norm), lambda1(weight1), lambda2(weight2) {
    z = zl = zs = y2 = y3 = Matrix::Zero(ds.cols(), dt.cols());
    e = y1 = Matrix::Zero(dt.rows(), dt.cols());
    const Matrix normal =
        ds.transpose() * ds + (lambda2 > 0 ? 2.0 : 1.0) * Matrix::Identity(ds.cols(), ds.cols());
    inverse = normal.inverse();
  }

  void step(double mu) {
    Matrix right = zl - y2 / mu + ds.transpose() * (dt - e + y1 / mu);
    if (lambda2 > 0) right += zs - y3 / mu;
    z = inverse * right;
    const linalg::Svd svd = linalg::thin_svd(z + y2 / mu);
    const Vector shrunk = (svd.values.array() - 1 / mu).max(0);
    zl = svd.u * shrunk.asDiagonal() * svd.v.transpose();
    zs = soft(z + y3 / mu, lambda2 / mu);
    const Matrix residual = dt - ds * z;
    e = norm == ErrorNorm::L1 ? soft(residual + y1 / mu, lambda1 / mu)
                              : shrink_columns(residual + y1 / mu, lambda1 / mu);
    y1 += mu * (residual - e);
    y2 += mu * (z - zl);
    y3 += mu * (z - zs);
  }

  double objective() const {
    const double errors = norm == ErrorNorm::L1 ? e.cwiseAbs().sum() : e.colwise().norm().sum();
    return linalg::thin_svd(zl).values.sum() + lambda2 * zs.cwiseAbs().sum() + lambda1 * errors;
  }

  static Matrix soft(const Matrix& x, double t) {
    return (x.array().sign() * (x.array().abs() - t).max(0)).matrix();
  }
  static Matrix shrink_columns(Matrix x, double t) {
    for (Index j = 0; j < x.cols(); ++j) x.col(j) *= std::max(0.0, 1 - t / std::max(x.col(j).norm(), 1e-300));
    return x;
  }

  Matrix ds, dt;
  ErrorNorm norm;
  double lambda1, lambda2;
  Matrix inverse, z, zl, zs, e, y1, y2, y3;
};

}  // namespace isthmus::testing
