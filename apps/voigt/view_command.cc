#include "apps/voigt/view_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <thread>

#include "apps/voigt/live/live_server.h"
#include "voigt/base/errors.h"
#include "voigt/replay/replay_page.h"

namespace voigt {

void AddViewCommand(CLI::App* app, ViewOptions* options) {
  CLI::App* view = app->add_subcommand(
      "view", "Run a scene live in the browser: start, pause, pull at bodies, change values");
  view->add_option("scene", options->scene, "Scene file")->required();
  view->add_option("--set", options->overrides, "Change any value of the scene: path=value")
      ->allow_extra_args(false);
  view->add_option("--port", options->port, "Port on this machine; a free one if not given")
      ->check(CLI::Range(1, 65535));
}

int RunViewCommand(const ViewOptions& options) {
  if (ReplayTemplate().empty()) {
    throw InputError({options.scene, 0, 0}, "voigt view",
                     "this program was built without pages for the browser: install npm, then "
                     "configure and build again");
  }
  // Signals are waited for by one thread; all threads that are made from here on ignore them.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  std::vector<Override> overrides;
  for (const std::string& text : options.overrides) overrides.push_back(Override::Parse(text));
  LiveSession session(options.scene, std::move(overrides));
  LiveServer server(&session, options.port);
  fmt::print("{}\nOpen this address in a browser on this machine. Ctrl-C ends.\n",
             server.address());
  std::fflush(stdout);
  std::thread waiter([&] {
    int signal = 0;
    sigwait(&signals, &signal);
    server.Stop();
  });
  server.Serve();
  waiter.join();
  return 0;
}

}  // namespace voigt
