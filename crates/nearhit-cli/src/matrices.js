"use strict";
// Vectors and matrices of the pages. Matrices are arrays of 16, column by column, as WebGL wants them.

const minus = (p, q) => p.map((x, i) => x - q[i]);
const dot = (p, q) => p.reduce((sum, x, i) => sum + x * q[i], 0);
const cross = (p, q) => [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
const unit = (p) => p.map((x) => x / (Math.hypot(...p) || 1));

function perspective(fieldOfView, aspect, near, far) {
  const f = 1 / Math.tan(fieldOfView / 2);
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0];
}

function lookAt(eye, target, up) {
  const back = unit(minus(eye, target)), right = unit(cross(up, back)), above = cross(back, right);
  return [right[0], above[0], back[0], 0, right[1], above[1], back[1], 0, right[2], above[2], back[2], 0,
    -dot(right, eye), -dot(above, eye), -dot(back, eye), 1];
}

