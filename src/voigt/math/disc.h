#pragma once

namespace voigt {

// Rows of a block, one behind the other, whose impulses are bounded together by that of its first
// row: ‖γ_d‖ ≤ μ γ₀.
struct Disc {
  int first = 0, count = 0;  // rows of the block
  double mu = 0;
};

// The discs of a block, up to three. They follow its first row and one another.
class DiscList {
 public:
  void Add(int row_count, double mu) {
    if (row_count == 0) return;
    discs_[count_++] = {next_, row_count, mu};
    next_ += row_count;
  }
  const Disc* begin() const { return discs_; }
  const Disc* end() const { return discs_ + count_; }

 private:
  Disc discs_[3];
  int count_ = 0, next_ = 1;
};

}  // namespace voigt
