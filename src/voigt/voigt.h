#pragma once

// What most programs need: load a scene, run it, read it off.
#include "voigt/base/errors.h"
#include "voigt/io/scene.h"
#include "voigt/model/model_builder.h"
#include "voigt/sim/run.h"
#include "voigt/sim/simulator.h"
