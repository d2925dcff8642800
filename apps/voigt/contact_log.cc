#include "apps/voigt/contact_log.h"

#include <fmt/format.h>

#include <cmath>

#include "voigt/base/errors.h"

namespace voigt {
namespace {

std::string NameBody(const Model& model, int body) {
  return body == 0 ? "world" : model.body(body).name;
}

// Names that would break a line are put in quotes.
std::string QuoteField(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string NameShape(const Model& model, int geometry) {
  const Geometry& shape = model.geometry()[geometry];
  return shape.name.empty() ? std::string(ShapeName(shape.shape)) : shape.name;
}

// Nothing for what does not apply.
std::string Number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

// The model in use. Elements of a layer have a linear law, too, but their stiffness is that of an
// area.
std::string_view NameModel(const ContactReport& contact) {
  return std::isnan(contact.area) ? ToString(contact.law) : "foundation";
}

}  // namespace

ContactLog::ContactLog(const std::string& path, double interval)
    : path_(path), interval_(interval) {
  if (path.empty()) return;
  out_.open(path, std::ios::binary);
  if (!out_) {
    throw InputError({path, 0, 0}, "--contacts", "cannot be written: does the folder exist?");
  }
  out_ << "t,body_A,shape_A,body_B,shape_B,px,py,pz,nx,ny,nz,depth,vx,vy,vz,normal_force,"
          "friction_x,friction_y,friction_z,torque_x,torque_y,torque_z,state,law,stiffness,radius,"
          "pressure\n";
}

void ContactLog::Offer(const Simulator& simulator) {
  if (!out_.is_open()) return;
  const double t = simulator.state().t;
  if (t < next_ - 1e-9 * interval_) return;
  next_ = t + interval_;
  simulator.ListContacts(&contacts_);
  const Model& model = simulator.model();
  for (const ContactReport& c : contacts_) {
    if (c.state == ContactState::kOpen) continue;
    ++lines_;
    out_ << fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", t,
        QuoteField(NameBody(model, c.body_A)), QuoteField(NameShape(model, c.geometry_A)),
        QuoteField(NameBody(model, c.body_B)), QuoteField(NameShape(model, c.geometry_B)), c.p_W[0],
        c.p_W[1], c.p_W[2], c.n_W[0], c.n_W[1], c.n_W[2], c.depth, c.velocity_W[0], c.velocity_W[1],
        c.velocity_W[2], c.normal_force, c.friction_force_W[0], c.friction_force_W[1],
        c.friction_force_W[2], c.friction_torque_W[0], c.friction_torque_W[1],
        c.friction_torque_W[2], ToString(c.state), NameModel(c), Number(c.stiffness),
        Number(c.radius), Number(c.pressure));
  }
  out_.flush();
}

void ContactLog::Close() {
  if (!out_.is_open()) return;
  out_.close();
  if (!out_) throw InputError({path_, 0, 0}, "--contacts", "cannot be written: is the disk full?");
}

}  // namespace voigt
