// What the gallery cannot know by itself: which scenes belong together, and which moment of each
// shows most.

export const sections = [
  ['First steps', ['pendulum', 'double_pendulum', 'chain', 'spinning_top', 'tumbling_box', 'tumbling_coin',
    'joint_zoo', 'stiff_servo', 'joint_limit', 'spring_mass_damper']],
  ['Robots', ['pickers', 'gripper', 'turning_gripper', 'picking_arm', 'hand_and_glass', 'rolling_in_hand', 'arm', 'eight_joint_arm',
    'humanoid', 'balancing_robot']],
  ['Loops of joints', ['slider_crank', 'flyball_governor', 'andrews', 'bricard', 'n_four_bar', 'absolute_pendulum']],
  ['Contact and friction', ['bouncing_ball', 'newtons_cradle', 'sliding_block', 'ramp', 'box_on_ramp', 'rolling_ball', 'spinning_ball',
    'spinning_coin', 'ball_in_bowl', 'ladder', 'sliding_lid', 'sweeping_arm', 'conveyor']],
  ['Event by event', ['rocking_block', 'seesaw', 'creeping_block']],
  ['Friction from reactions', ['pin_friction', 'bead_on_wire', 'bead_on_hoop', 'bead_on_turning_rod', 'puck_on_plane',
    'dragged_block', 'cart_on_pads', 'drawer', 'door', 'screw_jack', 'wedge', 'painleve_rod']],
  ['Many contacts', ['box_stack', 'card_house', 'plank_wall', 'dominoes', 'sphere_stack', 'lattice',
    'spheres_in_box']],
  ['Joints of contacts', ['engine_one_cylinder', 'engine_four_cylinders']],
  ['Elastic layers', ['shaft_in_cradle', 'foundation']],
  ['Formulations side by side', ['sliding_sphere', 'ellipse_on_table', 'twelve_link_pendulum']],
  ['Cases with published runs', ['adams_revolute', 'adams_prismatic', 'adams_spherical', 'adams_universal']],
];

// Part of the run that has passed; half of it where nothing is said.
export const moments = {ball_in_bowl: 0.02, bead_on_hoop: 0.2, chain: 0.75, dominoes: 0.45, painleve_rod: 0.15,
  pin_friction: 0.03, slider_crank: 0.35,
  sliding_sphere: 0.4, spring_mass_damper: 0.02, spheres_in_box: 1, sweeping_arm: 0.08};

// Options of `voigt sim` that a still needs.
export const extra = {
  adams_prismatic: ['--until', '0.6'],
  door: ['--until', '2'],
  engine_four_cylinders: ['--until', '0.02'],
  lattice: ['--until', '0.15'],
  spheres_in_box: ['--until', '0.3'],
  tumbling_coin: ['--until', '0.05'],
};
