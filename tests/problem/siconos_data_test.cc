// The reader of reference problems, and what the files are like.

#include "tests/support/siconos_data.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "tests/support/data.h"

namespace voigt {
namespace {

using testing::FrictionContactData;

TEST(FrictionContactData, AllFilesAreSymmetricAndSemiDefiniteAsFarAsTheyWereWritten) {
  if (!testing::HasReferenceData()) GTEST_SKIP() << "no reference data";
  const auto all = testing::ReadAllFrictionContact();
  EXPECT_EQ(all.size(), 9u);
  for (const FrictionContactData& data : all) {
    const MatX W = 0.5 * (data.W + data.W.transpose());
    const VecX eigenvalues =
        Eigen::SelfAdjointEigenSolver<MatX>(W, Eigen::EigenvaluesOnly).eigenvalues();
    const double largest = eigenvalues[eigenvalues.size() - 1];
    int rank = 0;
    for (const double value : eigenvalues) rank += value > 1e-10 * largest;
    printf("%-32s %d-D %3d contacts rank %3d of %3d, asymmetry %.1e, smallest eigenvalue %8.1e\n",
           data.name.c_str(), data.dimension, data.contacts(), rank, static_cast<int>(W.rows()),
           data.asymmetry(), eigenvalues[0] / largest);
    // Gyroscopic terms in the matrix of an implicit step make W = G (M + hC)⁻¹ Gᵀ unsymmetric; its
    // symmetric part keeps rank and sign, which also shows that the blocks are read the right way.
    EXPECT_LT(data.asymmetry(), 1e-3) << data.name;
    EXPECT_GT(eigenvalues[0], -1e-6 * largest) << data.name;
    EXPECT_TRUE(data.q.allFinite()) << data.name;
    EXPECT_TRUE((data.mu.array() >= 0).all() && (data.mu.array() <= 1).all()) << data.name;
  }
}

TEST(FrictionContactData, KnowsItsEntries) {
  if (!testing::HasReferenceData()) GTEST_SKIP() << "no reference data";
  const auto data = testing::ReadFrictionContact(
      testing::ReferenceData("friction_contact/Confeti-ex13-4contact-Fc3D-SBM.dat"));
  // The first block, by columns, and the last numbers of the file.
  EXPECT_EQ(data.W(0, 0), 5.220412e-05);
  EXPECT_EQ(data.W(1, 0), -1.768006e-05);
  EXPECT_EQ(data.W(2, 1), 8.464763e-06);
  EXPECT_EQ(data.W(11, 11), 7.888219e-05);
  EXPECT_NEAR(data.q[0], 0.4389878662931170, 1e-15);
  EXPECT_NEAR(data.mu[3], 0.04, 1e-15);
}

TEST(FrictionContactData, ThatIsNotThereIsReported) {
  EXPECT_THROW(testing::ReadFrictionContact("/nowhere.dat"), std::runtime_error);
}

}  // namespace
}  // namespace voigt
