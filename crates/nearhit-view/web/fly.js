// The simulator's page. The flight is the program's: the page sends what the keys say, is told the next frame, and draws the way from the last one to it.

import {
  AmbientLight, BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide, Line, LineBasicMaterial, LineDashedMaterial, LineSegments, Mesh,
  MeshStandardMaterial, PerspectiveCamera, Points, PointsMaterial, Quaternion, Scene, SphereGeometry, Vector3, WebGLRenderer, WireframeGeometry,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { RED, at, fit, geometry, get, post, short } from "./common.js";

const OWN = 0x4c8dff, DRONE = 0xa9b4c2, AMBER = 0xffb020, UNSEEN = 0x8a63d2;
// How long a contact stays to be seen, in milliseconds.
const GLOW = 700;
// Frames in the plot.
const SHOWN = 150;

// ---- The stage ----
const renderer = new WebGLRenderer({ canvas: at("view"), antialias: true, alpha: true, preserveDrawingBuffer: true });
const scene = new Scene();
const camera = new PerspectiveCamera(55, 1, 0.01, 1000);
// From above the left shoulder of whoever looks.
const sun = new DirectionalLight(0xffffff, 2.4);
sun.position.set(-0.5, 0.9, 0.6);
camera.add(sun, sun.target);
scene.add(new AmbientLight(0xffffff, 0.9), camera);
const orbit = new OrbitControls(camera, renderer.domElement);

const ships = [];
let told, previous, latest, arrived = 0, span = 100;

function surroundings(room) {
  const ball = new LineSegments(new WireframeGeometry(new SphereGeometry(room, 18, 12)), new LineBasicMaterial({ color: 0x6c7c92, transparent: true, opacity: 0.28 }));
  // Fixed, so that turning and flying can be seen; the same every time.
  const places = new Float32Array(3 * 600);
  let seed = 1;
  const chance = () => { seed = (seed * 16807) % 2147483647; return seed / 2147483647; };
  for (let i = 0; i < places.length; i += 3) {
    const z = 2 * chance() - 1, turn = 2 * Math.PI * chance(), far = room * (6 + 6 * chance()), flat = Math.sqrt(1 - z * z);
    places.set([far * flat * Math.cos(turn), far * flat * Math.sin(turn), far * z], i);
  }
  const stars = new BufferGeometry();
  stars.setAttribute("position", new BufferAttribute(places, 3));
  scene.add(ball, new Points(stars, new PointsMaterial({ color: 0xcdd6e4, size: 1.6, sizeAttenuation: false })));
  Object.assign(camera, { near: room * 1e-3, far: room * 40 });
  camera.updateProjectionMatrix();
}

// Where forward is.
function bow({ center, radius }) {
  const [tip, wing] = [2.2 * radius, 0.12 * radius], ends = [[0, 0, 1.1 * radius], [0, 0, tip], [wing, 0, tip - wing], [0, 0, tip], [-wing, 0, tip - wing], [0, 0, tip]];
  const line = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: OWN }));
  line.geometry.setAttribute("position", new BufferAttribute(new Float32Array(ends.flat()), 3));
  line.position.copy(center);
  return line;
}

function ship(shape, index) {
  const material = new MeshStandardMaterial({ color: index ? DRONE : OWN, flatShading: true, roughness: 0.55, side: DoubleSide });
  const mesh = new Mesh(shape, material);
  mesh.frustumCulled = false;
  scene.add(mesh);
  if (index === 0) mesh.add(bow(shape.boundingSphere));
  return { mesh, own: new Color(index ? DRONE : OWN), from: [new Vector3(), new Quaternion()], to: [new Vector3(), new Quaternion()], certain: -Infinity, maybe: -Infinity };
}

// ---- Camera ----
let chasing = true;
const offset = new Vector3();
function look() {
  const { mesh } = ships[0];
  if (chasing) {
    const { center, radius } = mesh.geometry.boundingSphere, from = (y, z) => offset.set(0, y * radius, z * radius).add(center).applyQuaternion(mesh.quaternion).add(mesh.position);
    camera.position.copy(from(1.9, -3.6));
    camera.up.set(0, 1, 0).applyQuaternion(mesh.quaternion);
    camera.lookAt(from(0.3, 1.5));
  }
}
function chase(on) {
  chasing = on;
  orbit.enabled = !on;
  camera.up.set(0, 1, 0);
  if (!on) {
    camera.position.set(0.6, 0.7, -1).normalize().multiplyScalar(3.1 * told.room);
    orbit.target.set(0, 0, 0);
    orbit.update();
  }
  at("camera").textContent = on ? "Outside" : "Behind";
}

// ---- Contacts: a line between two that met. Certain ones are red and solid, undecided ones amber and dashed. ----
const SOLID = new LineBasicMaterial({ color: RED, depthTest: false }), DASHED = new LineDashedMaterial({ color: AMBER, dashSize: 0.06, gapSize: 0.05, depthTest: false });
const links = new Map();
const nameOf = (index) => (index === 0 ? "you" : `drone ${index}`);

function meet(hits, now) {
  for (const hit of hits) {
    const key = `${hit.a}-${hit.b}`, known = links.get(key);
    // Of several detections in a frame the certain one is shown.
    if (known && known.frame === latest.frame && known.hit.certain) continue;
    known?.line.removeFromParent();
    const line = new Line(new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(6), 3)), hit.certain ? SOLID : DASHED);
    line.frustumCulled = false;
    line.renderOrder = 2;
    scene.add(line);
    links.set(key, { hit, line, until: now + GLOW, frame: latest.frame });
    for (const index of [hit.a, hit.b]) ships[index][hit.certain ? "certain" : "maybe"] = now;
  }
  list();
}

function list() {
  const rows = [...links.values()].sort((p, q) => q.frame - p.frame || p.hit.a - q.hit.a || p.hit.b - q.hit.b).slice(0, 6);
  at("contacts").replaceChildren(...rows.map(({ hit, frame }) => {
    const row = document.createElement("li"), mark = document.createElement("b");
    mark.textContent = hit.certain ? "contact" : "maybe";
    row.className = hit.certain ? "certain" : "maybe";
    const how = hit.certain ? "" : `: gap ≤ ${short(hit.upper, 3)}, truly ${short(hit.gap, 3)}`;
    row.title = hit.certain ? "" : `level ${hit.level} of the sphere-trees was done when time was up`;
    row.append(mark, ` ${nameOf(hit.a)} and ${nameOf(hit.b)}${how}`);
    row.style.opacity = frame === latest.frame ? 1 : 0.55;
    return row;
  }));
  at("none").hidden = rows.length > 0;
}

const tone = new Color();
function glow(time) {
  // Nothing fades in a pause.
  const now = paused ? arrived : time;
  let gone = false;
  for (const [key, { hit, line, until }] of links) {
    if (now > until) {
      line.removeFromParent();
      line.geometry.dispose();
      links.delete(key);
      gone = true;
      continue;
    }
    const ends = line.geometry.getAttribute("position");
    [hit.a, hit.b].forEach((index, i) => ends.setXYZ(i, ...ships[index].mesh.position.toArray()));
    ends.needsUpdate = true;
    if (!hit.certain) line.computeLineDistances();
  }
  if (gone) list();
  ships.forEach(({ mesh, own, certain, maybe }, index) => {
    const unseen = latest.unseen.includes(index);
    mesh.material.color.copy(own);
    for (const [when, colour] of [[maybe, AMBER], [certain, RED]]) {
      const rest = 1 - (now - when) / GLOW;
      if (rest > 0) mesh.material.color.lerp(tone.set(colour), Math.min(1, 1.6 * rest));
    }
    mesh.material.emissive.set(unseen ? UNSEEN : 0).multiplyScalar(0.5);
  });
}

// ---- Drawing ----
function put(share) {
  for (const { mesh, from, to } of ships) {
    mesh.position.lerpVectors(from[0], to[0], share);
    mesh.quaternion.slerpQuaternions(from[1], to[1], share);
  }
}

// What the last picture took, if drawing counts.
let drawing = 0;
function draw(now) {
  requestAnimationFrame(draw);
  const began = performance.now(), counts = at("counts").checked;
  fit(renderer, camera);
  // The last frame's places are reached when the next is about to come.
  put(Math.min(1, (now - arrived) / span));
  glow(now);
  look();
  renderer.render(scene, camera);
  // Not what was asked of the graphics card, but what it has done.
  if (counts) renderer.getContext().finish();
  drawing = counts ? Math.min(1e7, 1e3 * (performance.now() - began)) : 0;
}

// ---- Frames ----
let paused = false, busy = false, later = null, timer = 0, script = false, ended = false;
const keys = new Set();
const axis = (plus, minus) => Number(plus.some((key) => keys.has(key))) - Number(minus.some((key) => keys.has(key)));
// The ship's own axes: x to its left, y up, z forward.
const steering = () => ({
  thrust: axis(["KeyW"], ["KeyS"]),
  turning: [axis(["ArrowDown"], ["ArrowUp"]), axis(["ArrowLeft", "KeyA"], ["ArrowRight", "KeyD"]), axis(["KeyE"], ["KeyQ"])],
});
const wanted = { detect: "medial", budget_us: 1e5 };

async function ask(path, question) {
  busy = true;
  const makes = question.detect !== latest.detect && question.detect !== "exact";
  const slow = setTimeout(() => say(makes ? `making sphere-trees (${question.detect})` : "waiting for nearhit fly"), 400);
  try {
    accept(await post(path, question));
    say(paused ? "paused" : "");
  } catch (error) {
    ended = true;
    say(error instanceof TypeError ? "nearhit fly has ended" : String(error.message || error));
  } finally {
    clearTimeout(slow);
    busy = false;
    const next = later;
    later = null;
    next?.();
  }
}

const say = (text) => { at("verdict").textContent = text; at("verdict").hidden = !text; };

async function frame() {
  clearTimeout(timer);
  if (busy || ended) return;
  const began = performance.now();
  await ask("frame", { ...wanted, keys: script ? null : steering(), drawing_us: drawing });
  if (!paused && !ended) timer = setTimeout(frame, Math.max(0, began + interval() - performance.now()));
}

// A unit of simulated time lasts a second, or as the speed says.
const interval = () => (1000 * told.frame) / Number(at("speed").value);

function accept(state) {
  const now = performance.now();
  previous = latest ?? state;
  latest = state;
  // Time runs on from what is drawn now; after a restart there is nothing in between.
  const jump = state.frame < previous.frame;
  state.places.forEach((place, index) => {
    const { mesh, from, to } = ships[index];
    to[0].fromArray(place, 4);
    to[1].fromArray(place);
    from[0].copy(jump ? to[0] : mesh.position);
    from[1].copy(jump ? to[1] : mesh.quaternion);
  });
  arrived = now;
  span = paused ? 1 : interval();
  meet(state.hits, now);
  if (state.times) note(state);
  at("frame").textContent = `frame ${state.frame}${told.limit ? ` of ${told.limit}` : ""}`;
  if (state.over) { ended = true; say("the flight is over"); }
  // For whoever watches the page, as its tests do.
  document.body.dataset.state = JSON.stringify(state);
  document.body.dataset.frame = state.frame;
}

function pause(on) {
  paused = on;
  at("pause").textContent = on ? "Go on" : "Pause";
  at("pause").setAttribute("aria-pressed", String(on));
  if (!ended) say(on ? "paused" : "");
  if (!on) frame();
}
async function restart() {
  // After the frame that is under way.
  if (busy) { later = restart; return; }
  if (ended) return;
  clearTimeout(timer);
  for (const { line } of links.values()) line.removeFromParent();
  links.clear();
  ships.forEach((each) => { each.certain = each.maybe = -Infinity; });
  past.length = 0;
  await ask("restart", { ...wanted, keys: null });
  plot();
  if (!paused) frame();
}

// ---- What frames took ----
const past = [];
const LINES = ["detection", "response", "drawing", "slack", "frame", "target"];

function note(state) {
  past.push({ ...state.times, target: state.budget_us });
  if (past.length > SHOWN) past.shift();
  plot();
}

// By powers of ten, from a microsecond on; nothing is below.
function plot() {
  const top = Math.max(2, ...past.map(({ frame, target }) => Math.log10(Math.max(frame, target, 1)))) + 0.2;
  const X = (i) => 44 + (310 * i) / (SHOWN - 1), Y = (us) => 150 - (140 * Math.max(0, Math.log10(Math.max(us, 1)))) / top;
  const path = (name) => past.map((times, i) => `${X(i).toFixed(1)},${Y(times[name]).toFixed(1)}`).join(" ");
  const grid = Array.from({ length: Math.floor(top) + 1 }, (_, power) => {
    const label = ["1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s", "10 s"][power] ?? "";
    return `<line class="grid" x1="44" x2="354" y1="${Y(10 ** power)}" y2="${Y(10 ** power)}"/><text x="40" y="${Y(10 ** power) + 3}" text-anchor="end">${label}</text>`;
  });
  at("plot").innerHTML = `${grid.join("")}${LINES.map((name) => `<polyline class="${name}" points="${path(name)}"/>`).join("")}`;
  for (const name of LINES) {
    const values = past.map((times) => times[name]), row = at(`took-${name}`).cells;
    const shown = values.length ? [values.at(-1), values.reduce((sum, x) => sum + x, 0) / values.length, Math.max(...values)] : ["", "", ""];
    shown.forEach((value, i) => { row[i + 1].textContent = value === "" ? "" : Math.round(value).toLocaleString("en"); });
  }
  const late = past.filter(({ busy: work, drawing: drawn, target }) => work + drawn > target).length;
  at("in-time").textContent = past.length ? `${past.length - late} of the last ${past.length} frames within their target` : "";
}

// ---- Controls ----
function detect(name) {
  wanted.detect = name;
  for (const button of document.querySelectorAll("#detect button")) button.setAttribute("aria-pressed", String(button.value === name));
}
function target(us) {
  wanted.budget_us = Math.max(1, Math.min(1e6, us));
  at("budget").value = Math.log10(wanted.budget_us);
  at("budget-shown").textContent = wanted.budget_us < 1e3 ? `${Math.round(wanted.budget_us)} µs` : `${short(wanted.budget_us / 1e3, 3)} ms`;
}
function steerBy(on) {
  script = on;
  at("script").setAttribute("aria-pressed", String(on));
}

const once = {
  Space: () => pause(!paused),
  KeyN: () => { if (!paused) pause(true); else frame(); },
  KeyR: restart,
  KeyC: () => chase(!chasing),
  KeyP: () => steerBy(!script),
  Digit1: () => detect("exact"),
  Digit2: () => detect("octree"),
  Digit3: () => detect("medial"),
  Minus: () => target(wanted.budget_us / 2),
  Equal: () => target(wanted.budget_us * 2),
  NumpadSubtract: () => target(wanted.budget_us / 2),
  NumpadAdd: () => target(wanted.budget_us * 2),
};
const HELD = ["KeyW", "KeyS", "KeyA", "KeyD", "KeyQ", "KeyE", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];
window.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (HELD.includes(event.code)) keys.add(event.code);
  else if (once[event.code]) { if (!event.repeat || event.code === "KeyN") once[event.code](); }
  else return;
  event.preventDefault();
});
window.addEventListener("keyup", (event) => keys.delete(event.code));
window.addEventListener("blur", () => keys.clear());
at("pause").addEventListener("click", () => pause(!paused));
at("step").addEventListener("click", once.KeyN);
at("restart").addEventListener("click", restart);
at("camera").addEventListener("click", once.KeyC);
at("script").addEventListener("click", once.KeyP);
for (const button of document.querySelectorAll("#detect button")) button.addEventListener("click", () => detect(button.value));
at("budget").addEventListener("input", () => target(10 ** Number(at("budget").value)));
// Keys steer: none stays with a control.
for (const control of document.querySelectorAll("button, input, select")) for (const event of ["click", "change"]) control.addEventListener(event, () => control.blur());

// Where a ship is drawn: for whoever drives this page, as its tests do.
window.drawn = (index) => [...ships[index].mesh.quaternion.toArray(), ...ships[index].mesh.position.toArray()];

// ---- Begin ----
async function begin() {
  told = await (await get("scene")).json();
  const shapes = await Promise.all(told.triangles.map((_, number) => geometry(`mesh/${number}`)));
  for (const shape of shapes) shape.computeBoundingSphere();
  surroundings(told.room);
  told.models.forEach((model, index) => ships.push(ship(shapes[model], index)));
  const drones = told.models.length - 1;
  at("fleet").textContent = `Your ship (${told.triangles[told.models[0]].toLocaleString("en")} triangles) among ${drones} drone${drones === 1 ? "" : "s"} (${[...new Set(told.models.slice(1))].map((model) => told.triangles[model].toLocaleString("en")).join(", ")} triangles each)`;
  detect(told.state.detect);
  target(told.state.budget_us);
  accept(told.state);
  put(1);
  chase(true);
  requestAnimationFrame(draw);
  document.body.dataset.ready = "yes";
  frame();
}
begin().catch((error) => say(String(error.message || error)));
