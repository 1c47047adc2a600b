// What both pages need.

import { BufferAttribute, BufferGeometry } from "three";

export const at = (id) => document.getElementById(id);
export const RED = 0xd7263d;

export async function get(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(await response.text());
  return response;
}

export async function post(path, question) {
  const response = await fetch(path, { method: "POST", body: JSON.stringify(question) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

export async function geometry(path) {
  const bytes = await (await get(path)).arrayBuffer();
  const [vertices, triangles] = new Uint32Array(bytes, 0, 2);
  const made = new BufferGeometry();
  made.setAttribute("position", new BufferAttribute(new Float32Array(bytes, 8, 3 * vertices), 3));
  made.setIndex(new BufferAttribute(new Uint32Array(bytes, 8 + 12 * vertices, 3 * triangles), 1));
  return made;
}

// The canvas as large as it is shown.
export function fit(renderer, camera) {
  const { clientWidth: width, clientHeight: height } = renderer.domElement;
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  if (renderer.domElement.width === Math.round(width * ratio) && renderer.domElement.height === Math.round(height * ratio)) return;
  renderer.setPixelRatio(ratio);
  renderer.setSize(width, height, false);
  camera.aspect = width / height;
  camera.updateProjectionMatrix();
}

export const short = (x, digits = 7) => (x === 0 ? "0" : Math.abs(x) >= 1e-4 && Math.abs(x) < 1e7 ? Number(x.toPrecision(digits)).toString() : x.toExponential(digits - 2));
