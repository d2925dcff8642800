#include "voigt/problem/row_law.h"

#include <algorithm>

#include "voigt/base/check.h"

namespace voigt {

void SetSpring(const Compliance& compliance, double h, Row* row) {
  const double K = compliance.stiffness, B = compliance.damping;
  VOIGT_DCHECK(h > 0 && !compliance.is_absent());
  if (K == 0) return SetVelocityRow(0, B, h, row);
  row->c = 1 / K;
  row->tau = compliance.is_rigid() ? 0 : B / K;
  // c/(h(h + τ)), without the small and large numbers of its parts.
  row->R = compliance.is_rigid() ? 0 : 1 / (h * (h * K + B));
  row->v_hat = -row->phi / (h + row->tau);
  row->v_hat_slope = -1 / (h + row->tau);
}

void SetStabilization(double s, double h, Row* row) {
  // s = 0 is a time without end; so long a one keeps numbers finite.
  row->tau = h * (1 / std::max(s, 1e-30) - 1);
  row->v_hat = -s * row->phi / h;
  row->v_hat_slope = -s / h;
}

UnilateralSpring::UnilateralSpring(const Compliance& compliance, double h, double recovery_speed,
                                   double stabilization)
    : h_(h),
      slope_apart_(-1 / h),
      recovery_speed_(recovery_speed),
      is_rigid_(compliance.is_rigid()) {
  Row row;
  SetSpring(compliance, h, &row);
  if (is_rigid_ && stabilization < 1) SetStabilization(stabilization, h, &row);
  c_ = row.c;
  tau_ = row.tau;
  R_ = row.R;
  slope_ = row.v_hat_slope;
}

void SetUnilateralSpring(const Compliance& compliance, double h, double recovery_speed, Row* row,
                         double stabilization) {
  UnilateralSpring(compliance, h, recovery_speed, stabilization).Set(row);
}

void SetVelocityRow(double target, double damping, double h, Row* row) {
  VOIGT_DCHECK(h > 0 && damping > 0);
  row->c = 0;
  row->tau = 0;
  row->R = 1 / (h * damping);
  row->v_hat = target;
  row->v_hat_slope = 0;
}

}  // namespace voigt
