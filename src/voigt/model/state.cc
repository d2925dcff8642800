#include "voigt/model/state.h"

#include <cmath>
#include <cstring>

#include "voigt/base/errors.h"

namespace voigt {
namespace {

// The format: this mark, then per member its size (where it varies) and its values, all in 8-byte
// little-endian words.
constexpr char kMark[8] = {'v', 'o', 'i', 'g', 't', 's', 't', '6'};

class Writer {
 public:
  void Word(const void* word) {
    const auto* bytes = static_cast<const std::uint8_t*>(word);
    bytes_.insert(bytes_.end(), bytes, bytes + 8);
  }
  void Number(double value) { Word(&value); }
  void Integer(std::int64_t value) { Word(&value); }
  void Vector(const VecX& values) {
    Integer(values.size());
    for (double value : values) Number(value);
  }
  std::vector<std::uint8_t> Take() { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

void WriteInputs(const Inputs& inputs, Writer* out) {
  out->Vector(inputs.actuators);
  out->Vector(inputs.joint_force);
  out->Integer(static_cast<std::int64_t>(inputs.wrenches.size()));
  for (const AppliedWrench& wrench : inputs.wrenches) {
    out->Integer(wrench.body);
    for (const Vec3* vector : {&wrench.point, &wrench.force, &wrench.torque}) {
      for (double value : *vector) out->Number(value);
    }
  }
}

class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  void Word(void* word) {
    if (bytes_.size() < 8) Fail("ends too early");
    std::memcpy(word, bytes_.data(), 8);
    bytes_ = bytes_.subspan(8);
  }
  double Number() {
    double value;
    Word(&value);
    return value;
  }
  std::int64_t Integer() {
    std::int64_t value;
    Word(&value);
    return value;
  }
  int SmallInteger(const char* what) {
    const std::int64_t value = Integer();
    if (value != static_cast<int>(value)) Fail(what);
    return static_cast<int>(value);
  }
  // A count of items of so many words each: never more than the bytes left can hold.
  std::int64_t Count(std::int64_t words = 1) {
    const std::int64_t count = Integer();
    const auto room = static_cast<std::int64_t>(bytes_.size()) / 8;
    if (count < 0 || count > room / words) Fail("has a bad size");
    return count;
  }
  VecX Vector() {
    VecX values(Count());
    for (double& value : values) value = Number();
    return values;
  }
  void Finish() const {
    if (!bytes_.empty()) Fail("has bytes left over");
  }
  [[noreturn]] static void Fail(const char* why) {
    throw InputError({}, "saved state", std::string(why) + ": these bytes are not a voigt state");
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

Inputs ReadInputs(Reader* in) {
  Inputs inputs;
  inputs.actuators = in->Vector();
  inputs.joint_force = in->Vector();
  inputs.wrenches.resize(in->Count(10));
  for (AppliedWrench& wrench : inputs.wrenches) {
    wrench.body = in->SmallInteger("names a bad body");
    for (Vec3* vector : {&wrench.point, &wrench.force, &wrench.torque}) {
      for (double& value : *vector) value = in->Number();
    }
  }
  return inputs;
}

}  // namespace

bool State::IsFinite() const { return std::isfinite(t) && q.allFinite() && v.allFinite(); }

std::vector<std::uint8_t> State::Serialize() const {
  Writer out;
  out.Word(kMark);
  out.Number(t);
  out.Vector(q);
  out.Vector(v);
  out.Vector(activation);
  WriteInputs(inputs, &out);
  out.Integer(static_cast<std::int64_t>(modes.size()));
  for (int mode : modes) out.Integer(mode);
  out.Integer(static_cast<std::int64_t>(contacts.size()));
  for (const ContactMemory& contact : contacts) {
    out.Word(&contact.id);
    out.Number(contact.normal_force);
    for (double value : contact.friction_force) out.Number(value);
    for (double value : contact.tangential_deformation) out.Number(value);
    for (double value : contact.slip_direction) out.Number(value);
    for (double value : contact.friction_torque) out.Number(value);
    out.Number(contact.energy);
  }
  out.Vector(warm_start);
  out.Number(recovery_time);
  out.Vector(carried);
  out.Integer(static_cast<std::int64_t>(synchronous.size()));
  for (char is_synchronous : synchronous) out.Integer(is_synchronous);
  out.Vector(surplus);
  return out.Take();
}

State State::Restore(std::span<const std::uint8_t> bytes) {
  Reader in(bytes);
  char mark[8];
  in.Word(mark);
  if (std::memcmp(mark, kMark, 8) != 0) Reader::Fail("has no mark");
  State state;
  state.t = in.Number();
  state.q = in.Vector();
  state.v = in.Vector();
  state.activation = in.Vector();
  state.inputs = ReadInputs(&in);
  state.modes.resize(in.Count());
  for (int& mode : state.modes) mode = in.SmallInteger("has a bad mode");
  state.contacts.resize(in.Count(15));
  for (ContactMemory& contact : state.contacts) {
    in.Word(&contact.id);
    contact.normal_force = in.Number();
    for (double& value : contact.friction_force) value = in.Number();
    for (double& value : contact.tangential_deformation) value = in.Number();
    for (double& value : contact.slip_direction) value = in.Number();
    for (double& value : contact.friction_torque) value = in.Number();
    contact.energy = in.Number();
  }
  state.warm_start = in.Vector();
  state.recovery_time = in.Number();
  state.carried = in.Vector();
  state.synchronous.resize(in.Count());
  for (char& is_synchronous : state.synchronous) {
    const std::int64_t value = in.Integer();
    if (value != 0 && value != 1) Reader::Fail("has a bad mark of what is synchronous");
    is_synchronous = value == 1;
  }
  state.surplus = in.Vector();
  in.Finish();
  return state;
}

bool State::operator==(const State& other) const { return Serialize() == other.Serialize(); }

}  // namespace voigt
