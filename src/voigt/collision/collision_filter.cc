#include "voigt/collision/collision_filter.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

#include "voigt/math/disjoint_sets.h"

namespace voigt {
namespace {

std::uint64_t MakeKey(int a, int b) {
  return std::uint64_t(std::min(a, b)) << 32 | std::uint64_t(std::max(a, b));
}

// Calls visit(joint) for all joints, those of the tree and the loops.
template <typename Visit>
void ForEachJoint(const Model& model, Visit visit) {
  for (int b = 1; b < model.nb(); ++b) visit(model.joint(b));
  for (const Joint& loop : model.loops()) visit(loop);
}

// The piece of every body: its first body.
std::vector<int> FindPieces(const Model& model) {
  DisjointSets welded(model.nb());
  ForEachJoint(model, [&](const Joint& joint) {
    if (joint.type == JointType::kFixed) welded.Unite(joint.parent, joint.child);
  });
  std::vector<int> piece(model.nb());
  for (int b = 0; b < model.nb(); ++b) piece[b] = welded.Find(b);
  return piece;
}

// Pairs of pieces that joints connect, each as a key. Massless links without shapes, of which
// chains of joints at one place are made, do not part what they connect.
std::vector<std::uint64_t> ListNeighbors(const Model& model, const std::vector<int>& piece) {
  std::vector<char> is_link(model.nb(), 1);
  for (int b = 0; b < model.nb(); ++b) {
    const Body& body = model.body(b);
    if (b == 0 || body.mass.mass > 0 || body.geometry_count > 0) is_link[piece[b]] = 0;
  }
  // Links that hang together are one; what is joined to it is joined to each other.
  DisjointSets clusters(model.nb());
  const auto connects = [&](const Joint& joint) {
    return joint.type != JointType::kFree && !joint.bodies_touch && piece[joint.parent] != 0 &&
           piece[joint.child] != 0;
  };
  ForEachJoint(model, [&](const Joint& joint) {
    const int a = piece[joint.parent], b = piece[joint.child];
    if (connects(joint) && is_link[a] && is_link[b]) clusters.Unite(a, b);
  });
  std::vector<std::uint64_t> out;
  std::map<int, std::vector<int>> joined;  // to the links of a cluster
  ForEachJoint(model, [&](const Joint& joint) {
    const int a = piece[joint.parent], b = piece[joint.child];
    if (!connects(joint) || (is_link[a] && is_link[b])) return;
    if (is_link[a]) {
      joined[clusters.Find(a)].push_back(b);
    } else if (is_link[b]) {
      joined[clusters.Find(b)].push_back(a);
    } else {
      out.push_back(MakeKey(a, b));
    }
  });
  for (const auto& [root, pieces] : joined) {
    for (int a : pieces) {
      for (int b : pieces) {
        if (a < b) out.push_back(MakeKey(a, b));
      }
    }
  }
  return out;
}

// Bits for the names of groups, in the order in which they are asked for.
class GroupBits {
 public:
  std::uint64_t Find(const std::vector<std::string>& names) {
    std::uint64_t bits = 0;
    for (const std::string& name : names) {
      bits |= std::uint64_t{1} << bits_.emplace(name, bits_.size()).first->second;
    }
    return bits;
  }

 private:
  std::unordered_map<std::string, size_t> bits_;
};

}  // namespace

CollisionFilter::CollisionFilter(const Model& model) {
  const std::vector<int> piece = FindPieces(model);
  const ContactSettings& contact = model.spec().contact;
  apart_ = ListNeighbors(model, piece);
  for (const ExcludedPair& pair : contact.excluded) {
    apart_.push_back(
        MakeKey(piece[*model.FindBody(pair.body_A)], piece[*model.FindBody(pair.body_B)]));
  }
  std::sort(apart_.begin(), apart_.end());

  either_ = contact.filter_rule == FilterRule::kEither;
  GroupBits bits;
  entries_.resize(model.geometry().size());
  for (int b = 0; b < model.nb(); ++b) {
    const Body& body = model.body(b);
    for (int g = body.first_geometry; g < body.first_geometry + body.geometry_count; ++g) {
      const Geometry& geometry = model.geometry()[g];
      Entry& entry = entries_[g];
      entry.piece = piece[b];
      entry.groups = bits.Find(geometry.groups.empty() ? std::vector<std::string>{kDefaultGroup}
                                                       : geometry.groups);
      entry.touches = geometry.touches ? bits.Find(*geometry.touches) : ~std::uint64_t{0};
    }
  }
}

bool CollisionFilter::AreApart(int piece_A, int piece_B) const {
  return std::binary_search(apart_.begin(), apart_.end(), MakeKey(piece_A, piece_B));
}

}  // namespace voigt
