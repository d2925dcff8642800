#pragma once

#include <span>
#include <string_view>

#include "voigt/formulations/formulation.h"

namespace voigt {

// Keys under `simulation` that some formulations know and others do not.
std::span<const std::string_view> ListFormulationKeys();

// Whose such a key is, in words, if it may not stand beside `kind`; otherwise empty.
std::string_view FindOtherOwner(std::string_view key, FormulationKind kind);

}  // namespace voigt
