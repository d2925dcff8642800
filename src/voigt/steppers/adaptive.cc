#include "voigt/steppers/adaptive.h"

#include <algorithm>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <functional>
#include <vector>

#include "voigt/steppers/driving_functions.h"
#include "voigt/steppers/integrate.h"

namespace voigt {
namespace odeint = boost::numeric::odeint;

// The integrated vector is [q; v; work].
struct AdaptiveIntegrator::Implementation {
  using Vector = std::vector<double>;
  using Method = odeint::runge_kutta_fehlberg78<Vector>;

  Implementation(const Model& model, const Settings& settings)
      : equations(model),
        driving(model),
        stepper(odeint::make_controlled(settings.absolute_tolerance, settings.relative_tolerance,
                                        Method())),
        q(model.nq()),
        v(model.nv()),
        q_dot(model.nq()),
        v_dot(model.nv()),
        y(model.nq() + model.nv() + 1),
        y_before(y) {}

  void operator()(const Vector& y_in, Vector& y_dot, double t) {
    const int nq = static_cast<int>(q.size()), nv = static_cast<int>(v.size());
    q = Eigen::Map<const VecX>(y_in.data(), nq);
    v = Eigen::Map<const VecX>(y_in.data() + nq, nv);
    CalcPositionRates(equations.model(), q, v, &q_dot);
    equations.CalcAcceleration(t == t_begin ? driving.CalcStart(t) : t, q, v, &v_dot);
    std::copy_n(q_dot.data(), nq, y_dot.begin());
    std::copy_n(v_dot.data(), nv, y_dot.begin() + nq);
    y_dot.back() = equations.power();
  }

  bool IsFinite() const {
    return std::all_of(y.begin(), y.end(), [](double x) { return std::isfinite(x); });
  }

  EquationsOfMotion equations;
  DrivingFunctions driving;
  odeint::result_of::make_controlled<Method>::type stepper;
  VecX q, v, q_dot, v_dot;
  double work = 0, t_begin = 0;
  Vector y, y_before;
};

AdaptiveIntegrator::AdaptiveIntegrator(const Model& model, const Settings& settings)
    : implementation_(std::make_unique<Implementation>(model, settings)) {}

AdaptiveIntegrator::AdaptiveIntegrator(AdaptiveIntegrator&&) noexcept = default;
AdaptiveIntegrator::~AdaptiveIntegrator() = default;

bool AdaptiveIntegrator::AdvanceTo(double t_end, State* state) {
  Implementation& own = *implementation_;
  const Model& model = own.equations.model();
  const int nq = model.nq(), nv = model.nv();
  std::copy_n(state->q.data(), nq, own.y.begin());
  std::copy_n(state->v.data(), nv, own.y.begin() + nq);
  own.y.back() = own.work;
  own.equations.SetInputs(state->inputs, state->activation);

  double t = state->t;
  const auto store = [&] {
    state->q = Eigen::Map<const VecX>(own.y.data(), nq);
    state->v = Eigen::Map<const VecX>(own.y.data() + nq, nv);
    state->t = t;
    own.work = own.y.back();
    NormalizePositions(model, &state->q);
  };
  double h_allowed = t_end - t;  // by accuracy
  while (t < t_end) {
    // The last step is cut to end at t_end, or just before another piece of a function of time.
    const double t_kink = own.driving.FindPieceEnd(t, std::min(t_end, t + h_allowed));
    const double t_last = std::min(t_kink, t_end);
    const double left = (t_kink <= t_end ? own.driving.CalcEnd(t_kink) : t_end) - t;
    if (!(t + left > t)) {
      t = t_last;
      store();
      continue;
    }
    const bool last = h_allowed >= left;
    double h = last ? left : h_allowed;
    if (!(t + h > t)) return false;
    const double missed = own.driving.CalcMissed(t, h);
    if (missed > 1) {
      h_allowed = FollowingStep(h, missed);
      continue;
    }
    own.y_before = own.y;
    own.t_begin = t;
    const double t_before = t, h_tried = h;
    if (own.stepper.try_step(std::ref(own), own.y, t, h) != odeint::success) {
      h_allowed = h;  // the controller's proposal
      continue;
    }
    if (!own.IsFinite()) {
      // The error control does not see NaN. A step that ran into it is repeated shorter.
      own.y = own.y_before;
      t = t_before;
      h_allowed = 0.1 * h_tried;
      continue;
    }
    if (last) t = t_last;
    h_allowed = std::min(h, FollowingStep(h_tried, missed));
    store();
  }
  return true;
}

double AdaptiveIntegrator::work() const { return implementation_->work; }

}  // namespace voigt
