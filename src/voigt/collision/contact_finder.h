#pragma once

#include <vector>

#include "voigt/collision/contact.h"
#include "voigt/collision/half_space.h"
#include "voigt/collision/pair_survey.h"
#include "voigt/collision/sweep.h"
#include "voigt/dynamics/kinematics.h"
#include "voigt/model/model.h"

namespace voigt {

// Finds the contacts of a model: where shapes touch, and where they may within the step to come
// (ContactSettings::acceleration tells how near that is). Elements of a foundation are listed
// however far they are: their springs are part of the model, not something that happens.
//
// Keeps its memory from call to call; a finder belongs to one model.
class ContactFinder {
 public:
  // Throws InputError where materials of shapes that may meet cannot act together.
  explicit ContactFinder(const Model& model);

  // Contacts at the poses of `kin`, whose velocities belong to the start of a step of length h,
  // sorted by id.
  void Find(const Model& model, const Kinematics& kin, double h);

  const std::vector<Contact>& contacts() const { return contacts_; }

  // True if there is nothing to find in any state.
  bool empty() const { return half_space_pairs_.empty() && spheres_.empty(); }

  // What this version cannot see, for notices.
  const std::vector<UnsupportedPair>& unsupported() const { return unsupported_; }

 private:
  // A shape and where it is now; item g is shape g of Model::geometry().
  struct Item {
    int geometry = 0, body = 0;
    Pose X_LG, X_WG;
    double radius = 0;  // of a sphere
    double reach = 0;   // of contact points, from the origin
    bool is_foundation = false;
    std::vector<Vec3> points = {};  // of contact points and foundations, in G
  };
  struct HalfSpacePair {
    int half_space = 0, other = 0;  // items
  };

  void UpdateItems(const Kinematics& kin);
  void FindOnHalfSpace(const HalfSpacePair& pair);
  void FindPoints(double margin, const Plane& plane, const Item& half_space, const Item& item);
  void FindSpherePairs();
  void AddContact(const Item& first, const Item& second, int feature, double radius,
                  const ContactPoint& point);

  CollisionFilter filter_;
  std::vector<UnsupportedPair> unsupported_;
  std::vector<Item> items_;
  std::vector<HalfSpacePair> half_space_pairs_;
  std::vector<int> spheres_;  // items
  double acceleration_ = 0;   // m/s²

  double h_ = 0, margin_ = 0;
  std::vector<AxisBox> boxes_;  // of the spheres
  Sweep sweep_;
  std::vector<Contact> contacts_;
};

}  // namespace voigt
