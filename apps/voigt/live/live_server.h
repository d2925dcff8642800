#pragma once

#include <memory>
#include <string>

#include "apps/voigt/live/live_session.h"

namespace voigt {

// Serves a session to browsers on this machine: on the loopback interface only, and to those only
// who know the token in the address.
class LiveServer {
 public:
  // Port 0 takes a free one. Throws std::runtime_error if the port is taken.
  LiveServer(LiveSession* session, int port);
  ~LiveServer();

  // Where the page is, token included.
  const std::string& address() const { return address_; }

  // Serves until Stop, which another thread or a signal's handler may call.
  void Serve();
  void Stop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;  // keeps the HTTP library out of this header
  std::string address_;
};

}  // namespace voigt
