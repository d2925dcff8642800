#pragma once

#include <map>
#include <string>
#include <vector>

#include "reproduce/core/trial.h"

namespace voigt::reproduce {

// The twelve-link pendulum [Mylapilli & Jain 2014, figures 5 to 8] by one solver over 20 s.
struct LinksRun {
  std::vector<double> t, z, v_z;  // of the last ball, every 10 ms
  std::vector<VecX> angles;       // of all hinges, likewise, rad
  double wall_time = 0;           // s
  long contact_steps = 0;
};

// The five of the paper, with Lemke's method in the place of PATH, and "twin": mlcp-lemke from a
// start that is off by 1e-13 rad. Under --quick without the two that take long. Four figures and a
// list show the same runs: they are made once in a process.
const std::map<std::string, LinksRun>& RunTwelveLinks(const Trial& trial);

// The largest difference of two runs between two times, over the range of the first: what a plot of
// them shows.
double CalcDifference(const LinksRun& a, const LinksRun& b, std::vector<double> LinksRun::* what,
                      double from, double until);

// The largest difference of any angle, rad.
double CalcAngleDifference(const LinksRun& a, const LinksRun& b);

// What figures over the whole run show: differences from Lemke's method in the first half and in
// all.
void CompareWholeRuns(const std::map<std::string, LinksRun>& runs,
                      std::vector<double> LinksRun::* what, const std::string& y_label,
                      Trial* trial);

// What figures of the end show: differences in the last second.
void CompareEnds(const std::map<std::string, LinksRun>& runs, std::vector<double> LinksRun::* what,
                 const std::string& y_label, Trial* trial);

// Charts of all runs, from a time on.
Chart MakeLinksChart(const std::map<std::string, LinksRun>& runs, const std::string& title,
                     const std::string& y_label, std::vector<double> LinksRun::* what, double from);

}  // namespace voigt::reproduce
