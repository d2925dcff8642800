#include "voigt/steppers/runge_kutta4.h"

#include "voigt/steppers/integrate.h"

namespace voigt {

RungeKutta4::RungeKutta4(const Model& model)
    : equations_(model), q_(VecX::Zero(model.nq())), v_(VecX::Zero(model.nv())) {
  for (Rates* k : {&k1_, &k2_, &k3_, &k4_}) {
    k->q_dot.setZero(model.nq());
    k->v_dot.setZero(model.nv());
  }
}

void RungeKutta4::CalcRates(double t, const VecX& q, const VecX& v, Rates* rates) {
  CalcPositionRates(equations_.model(), q, v, &rates->q_dot);
  equations_.CalcAcceleration(t, q, v, &rates->v_dot);
  rates->power = equations_.power();
}

double RungeKutta4::Step(double h, State* state) {
  equations_.SetInputs(state->inputs, state->activation);
  CalcRates(state->t, state->q, state->v, &k1_);
  q_ = state->q + 0.5 * h * k1_.q_dot;
  v_ = state->v + 0.5 * h * k1_.v_dot;
  CalcRates(state->t + 0.5 * h, q_, v_, &k2_);
  q_ = state->q + 0.5 * h * k2_.q_dot;
  v_ = state->v + 0.5 * h * k2_.v_dot;
  CalcRates(state->t + 0.5 * h, q_, v_, &k3_);
  q_ = state->q + h * k3_.q_dot;
  v_ = state->v + h * k3_.v_dot;
  CalcRates(state->t + h, q_, v_, &k4_);

  state->q += h / 6 * (k1_.q_dot + 2 * k2_.q_dot + 2 * k3_.q_dot + k4_.q_dot);
  state->v += h / 6 * (k1_.v_dot + 2 * k2_.v_dot + 2 * k3_.v_dot + k4_.v_dot);
  state->t += h;
  // The quaternions' lengths are off by O(h⁵): scaling them back keeps the order.
  NormalizePositions(equations_.model(), &state->q);
  return h / 6 * (k1_.power + 2 * k2_.power + 2 * k3_.power + k4_.power);
}

}  // namespace voigt
