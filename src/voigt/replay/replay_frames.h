#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "voigt/audit/audit.h"
#include "voigt/dynamics/kinematics.h"
#include "voigt/model/model.h"
#include "voigt/replay/constraint_gaps.h"
#include "voigt/sim/contact_report.h"
#include "voigt/sim/energy.h"
#include "voigt/sim/force_report.h"

namespace voigt {

// What a replay shows of one moment.
struct ReplayMoment {
  double t = 0;
  VecX q, v;
  Energy energy;
  double work = 0;             // of loads, dampers and drives since the start, J
  double constraint_work = 0;  // of constraints and contacts since the start, J
  Audit audit;                 // of the step that ended here
  std::vector<ContactReport> contacts;
  VecX acceleration, drive_force;        // per rate, as in ForceReport
  std::vector<double> constraint_force;  // per row of ListConstraintRows
};

// A line that the page can plot: one number per frame.
struct ReplaySeries {
  std::string name, unit;
  // "energy", "residual", "constraint", "coordinate", "rate", "acceleration", "force of drives" or
  // "force of constraints".
  std::string group;
};

// The moments of a run as the page keeps them: flat, and with the digits that eyes need.
class ReplayFrames {
 public:
  explicit ReplayFrames(const Model& model);

  void Add(const ReplayMoment& moment);

  // Leaves out every second frame.
  void ThinOut();

  int count() const { return static_cast<int>(t.size()); }
  // Bytes that a page needs for them before compression.
  size_t size() const;

  std::vector<double> t;
  std::vector<float> poses;  // per frame and body without the world: p, quaternion w x y z
  std::vector<ReplaySeries> series;
  std::vector<float> values;  // per frame and series
  // Per frame and constraint between bodies: point, opening, turn (constraint_gaps.h).
  static constexpr int kGapNumbers = 7;
  std::vector<float> gaps;
  const std::vector<std::string>& held() const { return gaps_of_.names(); }

  // Contacts that carry force, those of frame f from contact_start[f] to contact_start[f + 1].
  struct ContactPoint {
    float point[3], normal[3], force[3];  // world; the force on body B, N
    float depth, pressure, area;          // m; Pa, NaN where there is none; m²
    std::uint8_t state;                   // ContactState
    std::uint32_t bodies[2];
  };
  std::vector<std::uint32_t> contact_start;
  std::vector<ContactPoint> contacts;

 private:
  void NameSeries();
  void NameMotions();
  void AddMotions(const ReplayMoment& moment);
  void AddPoses(const ReplayMoment& moment);
  void AddValues(const ReplayMoment& moment);
  void AddContact(const ContactReport& contact);

  const Model* model_;
  std::vector<char> is_driven_;  // per rate
  Kinematics kin_;
  ConstraintGaps gaps_of_;
};

}  // namespace voigt
