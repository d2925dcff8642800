#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "voigt/events/event.h"
#include "voigt/events/held_motion.h"
#include "voigt/formulations/formulation.h"

namespace voigt {

// Decides what closed contacts do from a moment on: press or part, stick or slide; and whether the
// friction of joints sticks. Nothing but (t, q, v) enters into it.
class ContactModes {
 public:
  ContactModes(const FormulationSettings& settings, double reach, double least_hop);

  // The holds of all touches that are closed, then of all guides: φ ≤ reach and a rate of about
  // zero, or so small a bounce that it and all further ones can be summed; rests lists the latter,
  // with the times of their ends. Those that would part at once are not among them. False if there
  // is no solution.
  bool Decide(double t, const VecX& q, const VecX& v, HeldMotion* motion, std::vector<Hold>* holds,
              std::vector<Event>* rests);

  // What a point in a plane has no longer, it does not rub on.
  static void DropOpenGuides(const TouchFinder& finder, std::vector<Hold>* holds);

  // Contacts that yield among the holds of the next Decide that nothing can stop: they creep.
  void SetUnstoppable(std::vector<std::uint64_t> ids) { unstoppable_ = std::move(ids); }

  // Rates below this are zero, m/s or rad/s.
  static constexpr double kNoRate = 1e-8;

 private:
  void ListClosed(const TouchFinder& finder, double creep_speed, std::vector<Hold>* holds);
  void AddSoft(const Touch& touch, double creep_speed, std::vector<Hold>* holds);
  bool MayBegin(double slip, int row_count) const;
  bool DecideBegin(double t, const VecX& q, const VecX& v, HeldMotion* motion,
                   std::vector<Hold>* holds);
  void ListGuides(const TouchFinder& finder, std::vector<Hold>* holds);
  void DropLargeBounces(double t, const VecX& q, const VecX& v, HeldMotion* motion,
                        std::vector<Hold>* holds, std::vector<Event>* rests);
  bool HasSlip(const TouchFinder& finder, const std::vector<Hold>& holds) const;
  bool DecideSlip(double t, const VecX& q, const VecX& v, HeldMotion* motion,
                  std::vector<Hold>* holds);
  bool DecideCreep(double t, const VecX& q, const VecX& v, HeldMotion* motion,
                   std::vector<Hold>* holds);
  void LetCreep(const HeldMotion& motion, const Touch& touch, Hold* hold) const;
  void SetRows(const std::vector<Hold>& holds, TouchFinder* finder);
  void TakeSlip(const TouchFinder& finder, std::vector<Hold>* holds);

  std::unique_ptr<Formulation> formulation_;  // null where `working` decides
  double reach_, least_hop_;
  struct Bounce {
    std::uint64_t id = 0;
    double speed = 0, restitution = 0;
  };
  std::vector<Bounce> bounces_;
  std::vector<std::uint64_t> unstoppable_;
  VecX v_dot_, guess_, normal_;
  Solution solution_;
};

}  // namespace voigt
