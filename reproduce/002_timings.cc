// [Mylapilli & Jain 2014]: computing times of the solvers for 20 s of the twelve-link pendulum.

#include "reproduce/experiment_list.h"
#include "reproduce/twelve_links.h"

namespace voigt::reproduce {

void Run002Timings(Trial* trial) {
  const auto& runs = RunTwelveLinks(*trial);
  for (const auto& [name, run] : runs) {
    if (name != "twin") trial->Set("time_" + name, run.wall_time);
  }
  trial->Set("contact_steps", static_cast<double>(runs.at("mlcp-lemke").contact_steps));
  trial->Show(trial->LoadScene("twelve_link_pendulum"), "Twelve-link pendulum, mlcp-lemke");
}

}  // namespace voigt::reproduce
