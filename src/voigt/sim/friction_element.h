#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "voigt/model/model.h"

namespace voigt {

// Whose friction an id is (Transition::id): that of a contact of two shapes, or of a joint or a
// guided point.
struct FrictionElementName {
  int geometry_A = -1, geometry_B = -1;  // −1 where it is no contact
  int feature = 0;                       // which of the points of the two shapes
  int guide = -1;                        // in guides() below; −1 for a contact
  std::string text;                      // "block and floor, point 2", "friction of joint 'pin'"
};

// "block and floor, point 2"
std::string NameContact(std::string_view side_A, std::string_view side_B, int feature);

// A shape by its name, or that of its body: "floor"
std::string NameShape(const Model& model, int g);

// The two shapes of a contact's id: "block and floor"
std::string NamePair(const Model& model, std::uint64_t id);

// Names of the friction of a model.
class FrictionNames {
 public:
  explicit FrictionNames(const Model& model);

  // Of joints and guided points, in the order of their constraints.
  const std::vector<std::string>& guides() const { return guides_; }

  FrictionElementName Find(const Model& model, std::uint64_t id) const;

  // What an id of any row belongs to (RowGroup::id, Event::id), as messages have it: "the contact
  // of block and floor, point 2", "limit of joint 'knee'"; empty if it is none.
  std::string Describe(const Model& model, std::uint64_t id) const;

 private:
  std::vector<std::string> constraints_;
  std::vector<std::string> guides_;
  std::vector<int> guide_of_;  // per constraint, −1 for none
};

}  // namespace voigt
