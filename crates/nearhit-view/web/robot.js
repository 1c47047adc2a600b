// The page of a robot. Everything that is said about it is asked of the library, through the server that gave this page out.

import {
  AmbientLight, Box3, BufferAttribute, BufferGeometry, DirectionalLight, DoubleSide, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshStandardMaterial,
  PerspectiveCamera, Points, PointsMaterial, Scene, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { RED, at, fit, geometry, get, post, short } from "./common.js";

const TONES = [0x3f7fc4, 0x6f8fae, 0x58a0a8, 0x8a7fc0], ADDED = 0xd0922a, NEAR = 0xffc400;

// ---- The stage ----
const renderer = new WebGLRenderer({ canvas: at("view"), antialias: true, alpha: true, preserveDrawingBuffer: true });
const scene = new Scene();
const camera = new PerspectiveCamera(40, 1, 0.01, 1000);
camera.up.set(0, 0, 1);
const sun = new DirectionalLight(0xffffff, 2.2);
scene.add(new AmbientLight(0xffffff, 0.9), sun, camera);
const orbit = new OrbitControls(camera, renderer.domElement);

function draw() {
  fit(renderer, camera);
  sun.position.copy(camera.position);
  renderer.render(scene, camera);
}
orbit.addEventListener("change", draw);
new ResizeObserver(draw).observe(renderer.domElement);

// The closest points, and points of contact: seen through what is before them.
const overlay = (Kind, material) => {
  const made = new Kind(new BufferGeometry(), material);
  made.renderOrder = 2;
  made.frustumCulled = false;
  scene.add(made);
  return made;
};
const nearest = overlay(LineSegments, new LineBasicMaterial({ color: NEAR, depthTest: false }));
const ends = overlay(Points, new PointsMaterial({ color: NEAR, size: 9, sizeAttenuation: false, depthTest: false }));
const touches = overlay(Points, new PointsMaterial({ color: NEAR, size: 5, sizeAttenuation: false, depthTest: false }));
const place = (object, points) => object.geometry.setAttribute("position", new BufferAttribute(new Float32Array(points.flat()), 3));

// ---- Bodies and joints ----
let robot;
const bodies = [], sliders = [];

async function load() {
  robot = await (await get("robot")).json();
  const looks = new Map();
  const look = (mesh) => looks.get(mesh) ?? looks.set(mesh, geometry(`mesh/${mesh}`)).get(mesh);
  const geometries = await Promise.all(robot.bodies.map(({ mesh }) => look(mesh)));
  robot.bodies.forEach(({ added }, i) => {
    const tone = added ? ADDED : TONES[i % TONES.length];
    const material = new MeshStandardMaterial({ color: tone, flatShading: true, roughness: 0.6, side: DoubleSide });
    const mesh = new Mesh(geometries[i], material);
    mesh.matrixAutoUpdate = false;
    scene.add(mesh);
    bodies.push({ mesh, material, tone });
  });
  at("name").textContent = robot.name;
  document.title = `${robot.name} – nearhit view`;
  robot.coordinates.forEach(slider);
  for (const { name } of robot.states) at("state").append(new Option(name));
  at("state").hidden = !robot.states.length;
}

function slider({ name, lower, upper, value }) {
  const row = document.createElement("label"), told = document.createElement("span");
  const range = Object.assign(document.createElement("input"), { type: "range", min: lower, max: upper, step: "any", value });
  const number = Object.assign(document.createElement("input"), { type: "number", step: "any", value: short(value, 5) });
  told.textContent = told.title = name;
  range.setAttribute("aria-label", name);
  number.setAttribute("aria-label", `${name}, as a number`);
  row.append(told, range, number);
  at("sliders").append(row);
  const index = sliders.length;
  sliders.push({ range, number, value });
  range.addEventListener("input", () => set(index, Number(range.value)));
  number.addEventListener("change", () => set(index, Number(number.value)));
}

// A number may be beyond the limits; the slider then stands at its end.
function show(index, value) {
  const row = sliders[index];
  row.value = value;
  row.range.value = value;
  if (document.activeElement !== row.number) row.number.value = short(value, 5);
}

function set(index, value) {
  if (!Number.isFinite(value)) return;
  show(index, value);
  ask();
}

function go(q) {
  q.forEach((value, i) => show(i, value));
  ask();
}
at("neutral").addEventListener("click", () => go(robot.coordinates.map(({ value }) => value)));
at("random").addEventListener("click", () => go(robot.coordinates.map(({ lower, upper }) => lower + Math.random() * (upper - lower))));
at("state").addEventListener("change", () => {
  const state = robot.states.find(({ name }) => name === at("state").value);
  if (state) go(state.q);
});
at("glass").addEventListener("change", () => {
  const on = at("glass").checked;
  for (const { material } of bodies) Object.assign(material, { transparent: on, opacity: on ? 0.45 : 1, depthWrite: !on, needsUpdate: true });
  draw();
});

// ---- Answers ----
let asking = false, again = false, asked = 0;

// One question at a time; a slider asks again with its latest value when the last answer is in.
async function ask() {
  if (asking) { again = true; return; }
  asking = true;
  document.body.dataset.busy = "yes";
  try {
    do {
      again = false;
      tell(await post("ask", { q: sliders.map(({ value }) => value) }));
    } while (again);
  } catch (error) {
    at("verdict").textContent = String(error.message || error);
    at("verdict").className = "touching";
  } finally {
    asking = false;
    delete document.body.dataset.busy;
  }
}

const names = (pair) => pair.map((i) => robot.bodies[i].name);

function tell({ q, places, contacts, closest, us }) {
  places.forEach((p, i) => {
    bodies[i].mesh.matrix.set(p[0], p[3], p[6], p[9], p[1], p[4], p[7], p[10], p[2], p[5], p[8], p[11], 0, 0, 0, 1);
    bodies[i].mesh.matrixWorldNeedsUpdate = true;
  });
  const hit = new Set(contacts.flatMap(({ bodies: pair }) => pair));
  bodies.forEach(({ material, tone }, i) => material.color.set(hit.has(i) ? RED : tone));
  const verdict = at("verdict"), count = contacts.length;
  verdict.textContent = count ? `${count} pair${count === 1 ? " touches" : "s touch"}` : closest ? `apart: ${short(closest.upper)}` : "no pair is checked";
  verdict.className = count ? "touching" : "free";
  at("closest").textContent = closest ? names(closest.bodies).join(" and ") : "–";
  at("distance").textContent = closest ? short(closest.upper) : "–";
  at("distance").dataset.exact = closest ? closest.upper : "";
  at("contacts").textContent = count;
  at("work").textContent = `${robot.pairs} pairs, ${us.toFixed(0)} µs`;
  place(nearest, closest && !count ? closest.points : []);
  place(ends, closest && !count ? closest.points : []);
  place(touches, contacts.flatMap(({ points }) => points));
  at("touching").hidden = !count;
  at("pairs").tBodies[0].replaceChildren(...contacts.map(({ bodies: pair, count }) => {
    const line = document.createElement("tr");
    line.insertCell().textContent = names(pair).join(" and ");
    line.insertCell().textContent = count ? `${count} contact${count === 1 ? "" : "s"}` : "inside";
    return line;
  }));
  // For whoever watches the page, as its tests do.
  document.body.dataset.asked = ++asked;
  document.body.dataset.q = JSON.stringify(q);
  draw();
}

// All that has an end fills the picture.
function frame() {
  const box = new Box3(), one = new Box3();
  bodies.forEach(({ mesh }, i) => {
    mesh.updateMatrixWorld();
    if (robot.bodies[i].kind === "half-space") return;
    mesh.geometry.computeBoundingBox();
    box.union(one.copy(mesh.geometry.boundingBox).applyMatrix4(mesh.matrix));
  });
  const middle = box.getCenter(new Vector3()), size = Math.max(1e-3, box.getSize(new Vector3()).length());
  camera.near = 0.005 * size;
  camera.far = 50 * size;
  camera.position.copy(middle).add(new Vector3(1, -1.2, 0.7).normalize().multiplyScalar(1.5 * size));
  camera.updateProjectionMatrix();
  orbit.target.copy(middle);
  orbit.update();
  draw();
}

// Where a body is drawn: for whoever drives this page, as its tests do.
window.drawn = (index) => new Matrix4().copy(bodies[index].mesh.matrix).elements;

await load();
await ask();
frame();
document.body.dataset.ready = "yes";
