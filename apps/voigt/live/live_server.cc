#include "apps/voigt/live/live_server.h"

#include <fmt/format.h>
#include <httplib.h>

#include <atomic>
#include <random>
#include <stdexcept>

#include "apps/voigt/live/live_command.h"
#include "voigt/replay/replay_page.h"

namespace voigt {
namespace {

constexpr char kHost[] = "127.0.0.1";
constexpr int kMostConnections = 64;
constexpr size_t kLongestRequest = 1 << 14;  // bytes
constexpr auto kPatience = std::chrono::milliseconds(1000);

std::string MakeToken() {
  std::random_device random;
  std::string out;
  for (int i = 0; i < 4; ++i) out += fmt::format("{:08x}", random());
  return out;
}

// Takes as long for a token that is nearly right as for any other.
bool AreEqual(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

}  // namespace

struct LiveServer::Parts {
  Parts(LiveSession* the_session) : session(the_session), token(MakeToken()) {}

  // Pages of other sites may make a browser send requests here: they know neither the token nor,
  // under another name for this machine, the right host.
  bool Admits(const httplib::Request& request) const {
    const std::string host = request.get_header_value("Host");
    const bool is_here =
        host == fmt::format("{}:{}", kHost, port) || host == fmt::format("localhost:{}", port);
    return is_here && AreEqual(request.get_param_value("token"), token);
  }

  void AddPage();
  void AddEvents();
  void AddCommands();

  LiveSession* session;
  std::string token;
  int port = 0;
  httplib::Server server;
  std::atomic<bool> is_stopped = false;
};

void LiveServer::Parts::AddPage() {
  server.set_default_headers({{"Cache-Control", "no-store"},
                              {"Referrer-Policy", "no-referrer"},
                              {"X-Content-Type-Options", "nosniff"},
                              {"X-Frame-Options", "DENY"}});
  server.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& reply) {
    if (Admits(request)) return httplib::Server::HandlerResponse::Unhandled;
    reply.status = 403;
    reply.set_content("The address lacks its token: use the one that voigt view printed.\n",
                      "text/plain");
    return httplib::Server::HandlerResponse::Handled;
  });
  server.Get("/", [](const httplib::Request&, httplib::Response& reply) {
    reply.set_content(std::string(ReplayTemplate()), "text/html; charset=utf-8");
  });
  server.Get("/run", [this](const httplib::Request&, httplib::Response& reply) {
    reply.set_content(session->Describe(), "application/json");
  });
}

// Server-sent events: each browser has a connection, and takes the newest frame when it can.
void LiveServer::Parts::AddEvents() {
  server.Get("/events", [this](const httplib::Request&, httplib::Response& reply) {
    auto seen = std::make_shared<long>(0);
    reply.set_chunked_content_provider(
        "text/event-stream", [this, seen](size_t, httplib::DataSink& sink) {
          if (is_stopped) return false;
          const std::shared_ptr<const LiveFrame> frame = session->WaitForFrame(*seen, kPatience);
          if (!frame) {
            // A comment, so that a browser that went away is noticed.
            constexpr std::string_view kNothingNew = ":\n\n";
            return !is_stopped && sink.write(kNothingNew.data(), kNothingNew.size());
          }
          *seen = frame->number;
          const std::string text = "data: " + frame->text + "\n\n";
          return sink.write(text.data(), text.size());
        });
  });
}

void LiveServer::Parts::AddCommands() {
  server.Post("/command", [this](const httplib::Request& request, httplib::Response& reply) {
    LiveForm form;
    for (const auto& [name, value] : request.params) {
      if (name == "token") continue;
      if (!form.emplace(name, value).second) form["do"] = "given twice: " + name;
    }
    const auto command = ReadLiveCommand(form, session->body_count());
    if (const auto* complaint = std::get_if<std::string>(&command)) {
      reply.status = 400;
      reply.set_content(*complaint + "\n", "text/plain; charset=utf-8");
      return;
    }
    session->Post(std::get<LiveCommand>(command));
    reply.set_content("ok\n", "text/plain");
  });
}

LiveServer::LiveServer(LiveSession* session, int port) : parts_(new Parts(session)) {
  httplib::Server& server = parts_->server;
  server.new_task_queue = [] { return new httplib::ThreadPool(kMostConnections); };
  server.set_payload_max_length(kLongestRequest);
  server.set_tcp_nodelay(true);
  parts_->AddPage();
  parts_->AddEvents();
  parts_->AddCommands();
  parts_->port = port == 0 ? server.bind_to_any_port(kHost) : port;
  const bool is_bound = port == 0 ? parts_->port > 0 : server.bind_to_port(kHost, port);
  if (!is_bound) {
    throw std::runtime_error(
        fmt::format("port {} of {} cannot be used: is it taken?", port, kHost));
  }
  address_ = fmt::format("http://{}:{}/?token={}", kHost, parts_->port, parts_->token);
}

LiveServer::~LiveServer() = default;

void LiveServer::Serve() { parts_->server.listen_after_bind(); }

void LiveServer::Stop() {
  parts_->is_stopped = true;
  parts_->server.stop();
}

}  // namespace voigt
