#pragma once

#include <cstdint>
#include <vector>

#include "voigt/collision/contact.h"
#include "voigt/model/model.h"
#include "voigt/model/state.h"
#include "voigt/model/stiction.h"
#include "voigt/problem/solution.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt {

// Contacts with more friction at rest than in motion, μ_s > μ, in time steps, by the rule that
// friction of joints has there (reaction_passes.h). A contact that stuck in the last step may be
// held by up to μ_s N. Where that does not hold it, it slides from this step on, with μ N: the step
// is solved again. One that slides has μ N and sticks once that holds it. μ is that of its slip at
// the start of the step where friction drops over a speed.
//
// State::modes has them behind those of friction from reactions: one for each of State::contacts.
// Contacts that nobody remembers stick if they are at rest.
class ContactStiction {
 public:
  explicit ContactStiction(const Model& model);

  bool any() const { return has_static_; }

  // Before a step is solved: μ_s for those that stuck. `element_count`: of friction from reactions.
  void Start(const Model& model, const std::vector<Contact>& contacts, const State& state,
             size_t element_count, VelocityProblem* problem);
  // What State::modes said of friction from reactions.
  const std::vector<int>& element_modes() const { return element_modes_; }

  // Whether some that were to stick slide; they have μ from here on.
  bool LetSlip(const Solution& solution, VelocityProblem* problem);

  // What contacts do from here on, once all else of the state is known.
  void Finish(const Model& model, const VelocityProblem& problem, const Solution& solution,
              State* state);

  // What changed in the last step, of those with μ_s > μ: one that presses no more is open.
  struct Change {
    std::uint64_t id = 0;
    Stiction from = Stiction::kOpen, to = Stiction::kOpen;
  };
  const std::vector<Change>& changes() const { return changes_; }

 private:
  struct Element {
    std::uint64_t id = 0;
    int group = 0;
    double mu = 0;  // of sliding, at the speed at which the step begins
    bool sticks = false;
  };
  struct Before {
    std::uint64_t id = 0;
    Stiction mode = Stiction::kStick;
  };
  // Whether friction is where its limit may be, and the surfaces slip.
  static bool Slides(const VelocityProblem& problem, const Solution& solution, int group);

  bool has_static_ = false;
  std::vector<Element> elements_;  // by id
  std::vector<int> element_modes_;
  std::vector<Before> before_;  // by id: what pressed when the step began
  std::vector<Change> changes_;
};

}  // namespace voigt
