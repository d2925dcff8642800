#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "voigt/collision/collision_shape.h"
#include "voigt/collision/contact.h"
#include "voigt/collision/half_space.h"
#include "voigt/collision/narrow_phase.h"
#include "voigt/collision/pair_survey.h"
#include "voigt/collision/sweep.h"
#include "voigt/dynamics/kinematics.h"
#include "voigt/model/model.h"

namespace voigt {

class WorkerPool;

// Finds the contacts of a model: where shapes touch, and where they may within the step to come
// (ContactSettings::acceleration tells how near that is). Elements of a foundation are listed
// however far they are: their springs are part of the model, not something that happens.
//
// Broad phase: half-spaces reach everywhere and are tried with every shape; all other shapes have
// boxes, and those that overlap are tried. Shapes that are fixed to the world are placed and sorted
// once. Narrow phase: narrow_phase.h.
//
// Keeps its memory from call to call; a finder belongs to one model.
class ContactFinder {
 public:
  // Throws InputError where materials of shapes that may meet cannot act together, or where a hull
  // is too flat for contact.
  explicit ContactFinder(const Model& model);

  // Contacts at the poses of `kin`, whose velocities belong to the start of a step of length h,
  // sorted by id. The threads of a pool share the narrow phase; the bits do not depend on them.
  void Find(const Model& model, const Kinematics& kin, double h, WorkerPool* pool = nullptr);

  // The same, bit for bit, of those pairs of shapes alone that contacts with these ids are between;
  // sorted, and ids of anything else are passed over. For who follows a few of many.
  void FindBetween(const Model& model, const Kinematics& kin, double h,
                   const std::vector<std::uint64_t>& ids);
  // Contacts with these ids, as if there were no others: what lies deeper does not tell where they
  // are (LevelManifold).
  void FindOnly(const Model& model, const Kinematics& kin, double h,
                const std::vector<std::uint64_t>& ids);

  // Forgets those that do not touch so far.
  void KeepTouching() {
    std::erase_if(contacts_, [](const Contact& contact) { return contact.phi > 0; });
  }

  const std::vector<Contact>& contacts() const { return contacts_; }

  // True if there is nothing to find in any state.
  bool empty() const { return half_space_pairs_.empty() && bounded_.empty(); }

  // What this version cannot see, for notices.
  const std::vector<UnsupportedPair>& unsupported() const { return unsupported_; }

  // How many pairs of shapes of the last call have contacts whose last digits are not certain.
  int inexact_count() const {
    int sum = 0;
    for (const Narrow& narrow : narrow_) sum += narrow.phase.inexact_count();
    return sum;
  }

 private:
  // A shape and where it is now; item g is shape g of Model::geometry().
  struct Item {
    int body = 0;
    bool is_static = false;  // of the world's piece
    bool is_placed = false;  // nothing but fixed joints of the tree hold it: X_WG is set for good
    Pose X_LG, X_WG;
    double radius = 0;      // of a ball about the origin of G that holds the shape, m
    double turn_speed = 0;  // ‖ω‖ of its body, rad/s
  };
  struct HalfSpacePair {
    int half_space = 0, other = 0;  // items
  };

  // The memory that one thread needs.
  struct Narrow {
    NarrowPhase phase;
    Manifold manifold;
    std::vector<double> gaps;  // of the points of a shape
  };
  using Pair = std::pair<int, int>;

  void AddItems(const Model& model);
  void ListPairs(const Model& model);
  // Where shapes are that stay there, and their boxes.
  void PlaceStatic(const Model& model);
  AxisBox CalcBox(int item) const;
  void Start(const Model& model, const Kinematics& kin, double h, size_t threads);
  void SortContacts();
  void UpdateItems(const Kinematics& kin);
  void UpdateBoxes();
  // The narrow phase for some of the half-spaces' pairs and of those that follow them, the boxes'.
  void FindPart(const std::vector<Pair>& boxes, int first, int end, Narrow* narrow,
                std::vector<Contact>* out) const;
  void FindInParts(const std::vector<Pair>& boxes, WorkerPool* pool);
  void FindOnHalfSpace(const HalfSpacePair& pair, Narrow* narrow, std::vector<Contact>* out) const;
  void FindPoints(double margin, int half_space, int points, Narrow* narrow,
                  std::vector<Contact>* out) const;
  void FindInBoxes(int a, int b, Narrow* narrow, std::vector<Contact>* out) const;
  bool IsAskedFor(std::uint64_t id) const {
    return only_ == nullptr || std::binary_search(only_->begin(), only_->end(), id);
  }
  // What all contacts of items a and b share.
  Contact StartContact(int a, int b) const;
  // Contacts of items a and b: the points that the narrow phase found, a to b.
  void AddContacts(int a, int b, Manifold* manifold, std::vector<Contact>* out) const;

  CollisionFilter filter_;
  std::vector<UnsupportedPair> unsupported_;
  std::vector<CollisionShape> shapes_;  // per item
  std::vector<Item> items_;
  std::vector<HalfSpacePair> half_space_pairs_;
  std::vector<int> bounded_;  // items that are solid and have an end
  double acceleration_ = 0;   // m/s²
  double layer_ = 0;          // ContactSettings::layer

  double h_ = 0;
  double margin_ = 0;                // the largest distance of shapes that is of interest, m
  std::vector<int> moving_;          // items that are not placed for good
  std::vector<int> moving_bounded_;  // the same of bounded_
  std::vector<AxisBox> boxes_;       // of moving_bounded_
  Sweep sweep_;
  std::vector<Narrow> narrow_;               // per thread
  std::vector<std::vector<Contact>> parts_;  // of contacts_, where threads share the work
  std::vector<Contact> contacts_;
  const std::vector<std::uint64_t>* only_ = nullptr;  // of FindOnly
};

}  // namespace voigt
