#pragma once

namespace voigt::testing {

// A block of 1 kg that presses on its guide with 10 N, at rest at 0, is pulled by a spring of 50
// N/m whose end moves with 0.1 m/s. μ = 0.3 + 0.2 exp(−(v/v_d)²): it slides from 1 s on.
struct DragStop {
  double t = 0, x = 0;  // when and where it stops again, s and m
};

// By Boost.Odeint, to about twelve digits.
DragStop SolveDrag(double drop_speed);

// The same block thrown with v0 and not pulled, until it has the speed v1: ∫ dv/(10 μ(v)), and the
// way ∫ v dv/(10 μ(v)).
DragStop SolveThrow(double drop_speed, double v0, double v1);

}  // namespace voigt::testing
