#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "voigt/sim/simulator.h"

namespace voigt {

// Writes the contacts of a run to a CSV file, one line per contact that carries force, while it
// runs: what is written stays written.
class ContactLog {
 public:
  // Throws InputError if the file cannot be written. At most one set of lines per `interval`, s; 0
  // writes every step. No path, no log.
  ContactLog(const std::string& path, double interval);

  void Offer(const Simulator& simulator);
  // Complains if not all of it could be written.
  void Close();

  bool is_open() const { return out_.is_open(); }
  long lines() const { return lines_; }

 private:
  std::string path_;
  double interval_ = 0, next_ = 0;
  long lines_ = 0;
  std::ofstream out_;
  std::vector<ContactReport> contacts_;
};

}  // namespace voigt
