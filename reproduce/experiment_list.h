#pragma once

#include "reproduce/core/trial.h"

// One function per table or figure, each in a file of its own name.
namespace voigt::reproduce {

void Run000Figure1(Trial* trial);
void Run000Figure2(Trial* trial);
void Run000Figure3(Trial* trial);
void Run000Figure4(Trial* trial);
void Run000Figure6(Trial* trial);
void Run000Figure7(Trial* trial);
void Run000Figure9(Trial* trial);
void Run000Figure10(Trial* trial);
void Run000Table1(Trial* trial);
void Run000Table2(Trial* trial);
void Run001Figure2(Trial* trial);
void Run001Figure4(Trial* trial);
void Run001Figure5(Trial* trial);
void Run001Figure8(Trial* trial);
void Run001Figure9(Trial* trial);
void Run002Figure2(Trial* trial);
void Run002Figure3(Trial* trial);
void Run002Figure5(Trial* trial);
void Run002Figure6(Trial* trial);
void Run002Figure7(Trial* trial);
void Run002Figure8(Trial* trial);
void Run002Timings(Trial* trial);
void Run003Cart(Trial* trial);
void Run003PinJoint(Trial* trial);
void Run003PointOnLine(Trial* trial);
void Run003PointInPlane(Trial* trial);
void Run003StateDiagram(Trial* trial);
void Run003TurningRod(Trial* trial);
void Run004Figure1(Trial* trial);
void Run004Figure2(Trial* trial);
void Run004Figure3(Trial* trial);
void Run004Figure4(Trial* trial);
void Run004Grasp(Trial* trial);

}  // namespace voigt::reproduce
