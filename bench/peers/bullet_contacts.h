#pragma once

#include <btBulletDynamicsCommon.h>

namespace voigt::bench {

// Contact points of the last step that press. Bullet's own accessor of manifolds is not const.
inline int CountPressing(const btCollisionDispatcher& dispatcher) {
  int count = 0;
  for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
    const btPersistentManifold* manifold =
        const_cast<btCollisionDispatcher&>(dispatcher).getManifoldByIndexInternal(i);
    for (int k = 0; k < manifold->getNumContacts(); ++k) {
      count += manifold->getContactPoint(k).m_appliedImpulse > 0;
    }
  }
  return count;
}

}  // namespace voigt::bench
