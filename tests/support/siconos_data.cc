#include "tests/support/siconos_data.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "tests/support/data.h"

namespace voigt::testing {
namespace {

class Numbers {
 public:
  explicit Numbers(const std::string& path) : in_(path), path_(path) {
    if (!in_) throw std::runtime_error(path + ": cannot be opened");
  }

  double Real() {
    double value = 0;
    if (!(in_ >> value)) throw std::runtime_error(path_ + ": a number is missing");
    return value;
  }
  int Integer() { return static_cast<int>(Real()); }
  void Require(bool condition, const std::string& what) const {
    if (!condition) throw std::runtime_error(path_ + ": " + what);
  }
  std::vector<int> Integers(int count) {
    std::vector<int> out(count);
    for (int& value : out) value = Integer();
    return out;
  }

 private:
  std::ifstream in_;
  std::string path_;
};

// `rows cols` once more, then row by row.
void ReadDense(Numbers* in, MatX* W) {
  in->Require(in->Integer() == W->rows() && in->Integer() == W->cols(), "sizes of W disagree");
  for (int i = 0; i < W->rows(); ++i) {
    for (int j = 0; j < W->cols(); ++j) (*W)(i, j) = in->Real();
  }
}

// Blocks by compressed rows: numbers of blocks, ends of block rows and columns, starts of the rows
// in the list of blocks, block columns; then each block, numbered, by columns.
void ReadBlocks(Numbers* in, MatX* W) {
  const int block_count = in->Integer();
  const int block_rows = in->Integer(), block_cols = in->Integer();
  const std::vector<int> row_ends = in->Integers(block_rows);
  const std::vector<int> col_ends = in->Integers(block_cols);
  const int start_count = in->Integer(), index_count = in->Integer();
  const std::vector<int> starts = in->Integers(start_count);
  const std::vector<int> columns = in->Integers(index_count);
  in->Require(!row_ends.empty() && row_ends.back() == W->rows(), "block rows do not fill W");
  in->Require(!col_ends.empty() && col_ends.back() == W->cols(), "block columns do not fill W");
  in->Require(index_count >= block_count && starts.back() >= block_count, "blocks are missing");
  W->setZero();
  for (int I = 0; I + 1 < start_count; ++I) {
    for (int b = starts[I]; b < starts[I + 1]; ++b) {
      in->Require(in->Integer() == b, "a block is out of order");
      const int J = columns[b];
      const int row = I == 0 ? 0 : row_ends[I - 1], col = J == 0 ? 0 : col_ends[J - 1];
      for (int j = col; j < col_ends[J]; ++j) {
        for (int i = row; i < row_ends[I]; ++i) (*W)(i, j) = in->Real();
      }
    }
  }
}

// Data files of a folder, by name.
std::vector<std::string> FindData(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(ReferenceData(folder))) {
    if (entry.path().extension() == ".dat") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// What both kinds of files end with: storage, sizes, matrix, vector.
void ReadMatrixAndVector(Numbers* in, int size, ComplementarityData* out) {
  in->Require(in->Integer() == 0, "the matrix is stored in another way");
  in->Require(in->Integer() == size && in->Integer() == size, "the matrix has another size");
  out->N.resize(size, size);
  ReadDense(in, &out->N);
  out->q.resize(size);
  for (double& value : out->q) value = in->Real();
  out->upper = VecX::Constant(size, kInfinity);
}

ComplementarityData ReadLcp(const std::string& path) {
  Numbers in(path);
  ComplementarityData out;
  const int size = in.Integer();
  out.lower = VecX::Zero(size);
  ReadMatrixAndVector(&in, size, &out);
  return out;
}

// Two flags, numbers of equations and complementarities, where blocks start and end, their kinds.
ComplementarityData ReadMlcp(const std::string& path) {
  Numbers in(path);
  ComplementarityData out;
  in.Integers(2);
  const int equations = in.Integer(), size = equations + in.Integer();
  std::vector<int> starts = {in.Integer()};
  while (starts.back() < size) starts.push_back(in.Integer());
  out.lower = VecX::Zero(size);
  for (size_t block = 0; block + 1 < starts.size(); ++block) {
    if (in.Integer() != 0) continue;
    for (int i = starts[block]; i < starts[block + 1]; ++i) out.lower[i] = -kInfinity;
  }
  in.Require((out.lower.array() < 0).count() == equations, "blocks have other sizes");
  ReadMatrixAndVector(&in, size, &out);
  return out;
}

}  // namespace

double FrictionContactData::asymmetry() const {
  return (W - W.transpose()).cwiseAbs().maxCoeff() / W.cwiseAbs().maxCoeff();
}

FrictionContactData ReadFrictionContact(const std::string& path) {
  Numbers in(path);
  FrictionContactData out;
  out.name = std::filesystem::path(path).stem().string();
  out.dimension = in.Integer();
  in.Require(out.dimension == 2 || out.dimension == 3, "contacts are neither 2-D nor 3-D");
  const int contacts = in.Integer(), storage = in.Integer();
  const int rows = in.Integer(), cols = in.Integer();
  in.Require(rows == out.dimension * contacts && cols == rows, "W has another size than contacts");
  in.Require(storage == 0 || storage == 1, "W is stored in another way");
  out.W.resize(rows, cols);
  storage == 0 ? ReadDense(&in, &out.W) : ReadBlocks(&in, &out.W);
  out.q.resize(rows);
  for (double& value : out.q) value = in.Real();
  out.mu.resize(contacts);
  for (double& value : out.mu) value = in.Real();
  return out;
}

std::vector<FrictionContactData> ReadAllFrictionContact() {
  std::vector<FrictionContactData> out;
  for (const std::string& path : FindData("friction_contact")) {
    out.push_back(ReadFrictionContact(path));
  }
  return out;
}

std::vector<ComplementarityData> ReadAllComplementarity() {
  std::vector<ComplementarityData> out;
  for (const std::string folder : {"lcp", "mlcp"}) {
    for (const std::string& path : FindData(folder)) {
      out.push_back(folder == "lcp" ? ReadLcp(path) : ReadMlcp(path));
      out.back().name = std::filesystem::path(path).stem().string();
    }
  }
  return out;
}

}  // namespace voigt::testing
