// The viewer's page. Everything that is said about the bodies is asked of the library, through the server that gave this page out.

import {
  AmbientLight, Box3, BufferAttribute, BufferGeometry, DirectionalLight, DoubleSide, Group, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4, Mesh,
  MeshBasicMaterial, MeshStandardMaterial, PerspectiveCamera, Points, PointsMaterial, Raycaster, Scene, SphereGeometry, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { TransformControls } from "three/examples/jsm/controls/TransformControls.js";
import { ConvexHull } from "three/examples/jsm/math/ConvexHull.js";
import { RED, at, fit, geometry as loaded, get, post, short } from "./common.js";

const TONES = [0x3f7fc4, 0xd0922a];

// ---- The stage ----
const renderer = new WebGLRenderer({ canvas: at("view"), antialias: true, alpha: true, preserveDrawingBuffer: true });
const scene = new Scene();
const camera = new PerspectiveCamera(40, 1, 0.01, 1000);
camera.up.set(0, 0, 1);
const sun = new DirectionalLight(0xffffff, 2.2);
scene.add(new AmbientLight(0xffffff, 0.9), sun, camera);
const orbit = new OrbitControls(camera, renderer.domElement);
const gizmo = new TransformControls(camera, renderer.domElement);
gizmo.setSize(0.8);
scene.add(gizmo.getHelper());
gizmo.addEventListener("dragging-changed", (event) => { orbit.enabled = !event.value; });
gizmo.addEventListener("objectChange", () => ask());

let tiles = [];

function draw() {
  const { clientWidth: width, clientHeight: height } = renderer.domElement;
  fit(renderer, camera);
  sun.position.copy(camera.position);
  renderer.setScissorTest(tiles.length > 0);
  if (!tiles.length) {
    renderer.setViewport(0, 0, width, height);
    renderer.render(scene, camera);
  }
  // Side by side: the same scene from the same place, each time with the volumes of one kind.
  tiles.forEach((tile, i) => {
    const corner = [(i % 2) * (width / 2), i < 2 ? height / 2 : 0, width / 2, height / 2];
    renderer.setViewport(...corner);
    renderer.setScissor(...corner);
    tiles.forEach((other) => { other.group.visible = other === tile; });
    renderer.render(scene, camera);
  });
}
orbit.addEventListener("change", draw);
gizmo.addEventListener("change", draw);
new ResizeObserver(draw).observe(renderer.domElement);

// ---- Bodies ----
const bodies = [];
const lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: 0xffc400, depthTest: false }));
const nearest = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: RED, depthTest: false }));
const dots = new Points(nearest.geometry, new PointsMaterial({ color: RED, size: 9, sizeAttenuation: false, depthTest: false }));
for (const overlay of [lines, nearest, dots]) { overlay.renderOrder = 2; overlay.frustumCulled = false; scene.add(overlay); }

async function load(index) {
  const geometry = await loaded(`mesh/${index}`);
  const surface = new Mesh(geometry, new MeshStandardMaterial({ color: TONES[index], flatShading: true, roughness: 0.6, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }));
  const hit = new Mesh(new BufferGeometry(), new MeshBasicMaterial({ color: RED, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -1 }));
  hit.geometry.setAttribute("position", geometry.getAttribute("position"));
  hit.geometry.setIndex([]);
  const volumes = new Mesh(new BufferGeometry(), new MeshStandardMaterial({ color: TONES[index], transparent: true, opacity: 0.28, flatShading: true, depthWrite: false, side: DoubleSide }));
  const edges = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: TONES[index], transparent: true, opacity: 0.55 }));
  volumes.frustumCulled = edges.frustumCulled = hit.frustumCulled = false;
  const group = new Group();
  group.add(surface, hit, volumes, edges);
  scene.add(group);
  bodies[index] = { group, surface, hit, volumes, edges };
}

// How many corners of volumes are drawn of each body: for tests, too.
window.hullsDrawn = () => bodies.map(({ volumes }) => volumes.geometry.getAttribute("position")?.count ?? 0);

// Where a body is on the screen, or a handle along an axis of the world, or one of its vertices: for whoever drives this page, as its tests do.
window.onScreen = (index, axis, vertex) => {
  const point = bodies[index].group.position.clone(), box = renderer.domElement.getBoundingClientRect();
  if (vertex !== undefined) bodies[index].group.localToWorld(point.fromBufferAttribute(bodies[index].surface.geometry.getAttribute("position"), vertex));
  if (axis !== undefined) {
    // How large the handles are drawn, whatever the distance.
    const reach = camera.position.distanceTo(point) * Math.min(1.9 * Math.tan((Math.PI * camera.fov) / 360), 7) * gizmo.size * 0.125;
    point.setComponent(axis, point.getComponent(axis) + reach);
  }
  point.project(camera);
  return [box.left + ((point.x + 1) / 2) * box.width, box.top + ((1 - point.y) / 2) * box.height];
};

const place = ({ group }) => ({ rotation: group.quaternion.toArray(), translation: group.position.toArray() });

function put(index, { rotation, translation }) {
  bodies[index].group.quaternion.fromArray(rotation);
  bodies[index].group.position.fromArray(translation);
}

// ---- Answers ----
let asking = false, again = false, asked = 0;

// One question at a time; a drag asks again with the latest places when the last answer is in.
async function ask() {
  draw();
  if (asking) { again = true; return; }
  asking = true;
  document.body.dataset.busy = "yes";
  try {
    do {
      again = false;
      const places = bodies.map(place);
      show(await post("ask", { places }));
      if (tiles.length) await work();
      if (at("refine").checked) await refine(places);
      if (at("likely").checked) await likely(places);
    } while (again);
  } catch (error) {
    at("verdict").textContent = String(error.message || error);
  } finally {
    asking = false;
    delete document.body.dataset.busy;
  }
}

function show(answer) {
  const verdict = at("verdict"), { touching, contacts, points } = answer;
  verdict.textContent = touching ? `touching: ${contacts} triangle pair${contacts === 1 ? "" : "s"}` : `apart: ${short(answer.distance)}`;
  verdict.className = touching ? "touching" : "free";
  at("distance").textContent = short(answer.distance);
  at("distance").dataset.exact = answer.distance;
  at("contacts").textContent = contacts;
  ["a", "b"].forEach((body, i) => { at(`point-${body}`).textContent = points[i].map((x) => short(x)).join(", "); });
  at("work").textContent = `${answer.n_v} volumes, ${answer.n_p} triangles, ${answer.us.toFixed(0)} µs`;
  nearest.geometry.setAttribute("position", new BufferAttribute(new Float32Array(points.flat()), 3));
  nearest.visible = dots.visible = !touching;
  lines.geometry.setAttribute("position", new BufferAttribute(new Float32Array(answer.segments.flat(2)), 3));
  answer.red.forEach((triangles, i) => {
    const index = bodies[i].surface.geometry.getIndex();
    bodies[i].hit.geometry.setIndex(triangles.flatMap((t) => [0, 1, 2].map((k) => index.getX(3 * t + k))));
  });
  // For whoever watches the page, as its tests do.
  document.body.dataset.asked = ++asked;
  document.body.dataset.places = JSON.stringify(answer.places);
  draw();
}

// ---- Picking ----
const raycaster = new Raycaster();
let pressed = null;
renderer.domElement.addEventListener("pointerdown", (event) => { pressed = [event.clientX, event.clientY]; });
renderer.domElement.addEventListener("pointerup", (event) => {
  if (!pressed || Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 4 || gizmo.axis) return;
  const box = renderer.domElement.getBoundingClientRect();
  const pointer = new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
  raycaster.setFromCamera(pointer, camera);
  const [first] = raycaster.intersectObjects(bodies.map(({ surface }) => surface));
  const body = first && bodies.find(({ surface }) => surface === first.object);
  if (body) gizmo.attach(body.group);
  else gizmo.detach();
  document.body.dataset.picked = body ? bodies.indexOf(body) : "";
  draw();
});
function mode(name) {
  gizmo.setMode(name === "turn" ? "rotate" : "translate");
  for (const id of ["move", "turn"]) at(id).setAttribute("aria-pressed", String(id === name));
  draw();
}
at("move").addEventListener("click", () => mode("move"));
at("turn").addEventListener("click", () => mode("turn"));
window.addEventListener("keydown", (event) => {
  if (event.key === "m") mode("move");
  if (event.key === "r") mode("turn");
  if (event.key === "Escape") { gizmo.detach(); draw(); }
});

// ---- Volumes ----
// A volume comes as points; its surface is their convex hull.
function hulls(list) {
  const corners = [], ends = [];
  for (const flat of list) {
    const points = [];
    for (let i = 0; i < flat.length; i += 3) points.push(new Vector3(flat[i], flat[i + 1], flat[i + 2]));
    if (points.length < 4) continue;
    const hull = new ConvexHull().setFromPoints(points);
    for (const face of hull.faces) {
      let edge = face.edge;
      do {
        corners.push(...edge.head().point.toArray());
        // An edge between faces that bend is drawn, once.
        const twin = edge.twin;
        if (twin && face.normal.dot(twin.face.normal) < 0.999 && edge.head().point.x <= edge.tail().point.x) {
          ends.push(...edge.tail().point.toArray(), ...edge.head().point.toArray());
        }
        edge = edge.next;
      } while (edge !== face.edge);
    }
  }
  return [corners, ends];
}

const bodyChosen = () => Number(document.querySelector("input[name=body]:checked").value);

// Shows points as volumes, in place of what was shown before.
function fill({ volumes, edges }, [corners, ends]) {
  for (const [mesh, numbers] of [[volumes, corners], [edges, ends]]) {
    mesh.geometry.dispose();
    mesh.geometry = new BufferGeometry();
    mesh.geometry.setAttribute("position", new BufferAttribute(new Float32Array(numbers), 3));
  }
}

// The level that the slider says; leaves above it are there with it.
async function levelOf(body, volume) {
  const level = Number(at("level").value), answer = await post("volumes", { body, volume, level });
  return { ...answer, level };
}

// Volumes are around the surfaces: those become glass.
function glass() {
  const on = Boolean(at("volume").value) || at("apart").checked || at("refine").checked || at("likely").checked;
  for (const { surface } of bodies) {
    Object.assign(surface.material, { transparent: on, opacity: on ? 0.45 : 1, depthWrite: !on, needsUpdate: true });
  }
}

let drawing = 0;
async function volumes() {
  const turn = ++drawing, volume = at("volume").value, body = bodyChosen(), apart = at("apart").checked;
  glass();
  at("labels").hidden = !apart;
  at("hint").hidden = apart;
  if (apart) return sideBySide(turn, body);
  tiles.forEach((tile) => tile.group.removeFromParent());
  tiles = [];
  if (!volume) {
    at("level-shown").textContent = "";
    if (at("likely").checked) return ask();
    bodies.forEach((shown) => fill(shown, [[], []]));
    return draw();
  }
  at("likely").checked = false;
  const { levels, level, nodes, hulls: list } = await levelOf(body, volume);
  if (turn !== drawing) return;
  at("level").max = levels - 1;
  if (level >= levels) return volumes();
  at("level-shown").textContent = `level ${level} of ${levels - 1}: ${nodes}`;
  bodies.forEach((shown, i) => fill(shown, i === body ? hulls(list) : [[], []]));
  document.body.dataset.hulls = list.length;
  draw();
}

// ---- Side by side ----
async function sideBySide(turn, body) {
  bodies.forEach((shown) => fill(shown, [[], []]));
  const names = [...document.querySelectorAll("#labels select")].map((select) => select.value);
  const answers = await Promise.all(names.map((name) => levelOf(body, name)));
  if (turn !== drawing) return;
  at("level").max = Math.max(...answers.map(({ levels }) => levels - 1));
  at("level-shown").textContent = `level ${answers[0].level} of ${at("level").max}`;
  tiles.forEach((tile) => tile.group.removeFromParent());
  tiles = answers.map(({ hulls: list, nodes }) => {
    const tile = { group: new Group(), volumes: bodies[body].volumes.clone(), edges: bodies[body].edges.clone(), nodes };
    tile.volumes.geometry = new BufferGeometry();
    tile.edges.geometry = new BufferGeometry();
    fill(tile, hulls(list));
    tile.group.add(tile.volumes, tile.edges);
    bodies[body].group.add(tile.group);
    return tile;
  });
  await work(names);
  draw();
}

// What each of them costs where the bodies are now.
async function work(names = [...document.querySelectorAll("#labels select")].map((select) => select.value)) {
  const rows = await post("compare", { places: bodies.map(place), volumes: names });
  document.querySelectorAll("#labels output").forEach((label, i) => {
    label.textContent = `${tiles[i]?.nodes ?? 0} volumes drawn · distance: N_v ${rows[i].n_v}, N_p ${rows[i].n_p}`;
  });
}

for (const control of [at("volume"), at("level"), at("apart"), ...document.querySelectorAll("input[name=body]")]) control.addEventListener("input", volumes);

at("compare").addEventListener("click", async () => {
  at("compare").disabled = true;
  const rows = await post("compare", { places: bodies.map(place) });
  const body = at("table").tBodies[0];
  body.replaceChildren(...rows.map((row) => {
    const line = document.createElement("tr");
    for (const value of [row.volume, row.n_v, row.n_p, row.collide_n_v, Math.round(row.bytes / 1024)]) line.insertCell().textContent = value;
    line.title = `distance ${row.distance}`;
    return line;
  }));
  at("table").hidden = false;
  at("compare").disabled = false;
});

// ---- Refinement ----
// Balls of a body, as many as there are: bright those that meet, faint the others of the level.
const BALL = new SphereGeometry(1, 24, 16), balls = new Group();
function drawBalls({ meeting, others }) {
  balls.children.slice().forEach((mesh) => { mesh.removeFromParent(); mesh.dispose(); mesh.material.dispose(); });
  bodies.forEach(({ group }, body) => {
    for (const [list, opacity] of [[meeting[body], 0.4], [others[body], 0.09]]) {
      if (!list.length) continue;
      const material = new MeshStandardMaterial({ color: TONES[body], transparent: true, opacity, depthWrite: false, roughness: 0.5 });
      const mesh = new InstancedMesh(BALL, material, list.length);
      mesh.matrixAutoUpdate = mesh.frustumCulled = false;
      list.forEach(([x, y, z, radius], i) => mesh.setMatrixAt(i, new Matrix4().makeScale(radius, radius, radius).setPosition(x, y, z)));
      mesh.matrix.copy(group.matrixWorld);
      balls.add(mesh);
    }
  });
}
scene.add(balls);

const SAYS = { yes: "yes: they touch", no: "no: they are apart", maybe: "maybe: not decided yet" };
const budget = () => {
  const unit = document.querySelector("input[name=unit]:checked").value;
  return { [unit]: Math.round(10 ** Number(at("budget").value)) };
};
const budgetSaid = () => Object.entries(budget()).map(([unit, size]) => `${size.toLocaleString("en")} ${unit === "us" ? "µs" : size === 1 ? "test" : "tests"}`)[0];

async function refine(places) {
  at("budget-shown").textContent = budgetSaid();
  const told = await post("refine", { places, method: at("method").value, budget: budget(), whole: at("whole").checked });
  if (told.building !== undefined) {
    at("answer").className = "maybe";
    at("answer").textContent = `making sphere-trees: ${Math.round(100 * told.building)} %`;
    // It asks again by itself, unless someone else does before.
    clearTimeout(refine.later);
    refine.later = setTimeout(ask, 300);
    return;
  }
  const { known } = told;
  const verdict = known.collides === null ? "maybe" : known.collides ? "yes" : "no";
  at("answer").className = verdict;
  at("answer").textContent = SAYS[verdict];
  at("interval").textContent = `[${short(known.lower, 5)}, ${known.upper === null ? "?" : short(known.upper, 5)}]`;
  Object.assign(at("interval").dataset, { lower: known.lower, upper: known.upper ?? "" });
  at("reached").textContent = known.level > known.deepest ? "all triangles" : `level ${known.level} of ${known.deepest}${known.complete ? ", all done" : ""}`;
  at("reached").dataset.level = known.level;
  at("meeting").textContent = `${known.meeting[0].length} of a, ${known.meeting[1].length} of b, in ${known.pairs} pair${known.pairs === 1 ? "" : "s"}`;
  at("spent").textContent = `${known.n_v} balls, ${known.n_p} triangles, ${known.us.toFixed(0)} µs`;
  bar(known);
  bodies.forEach(({ group }) => group.updateMatrixWorld());
  drawBalls(known);
  document.body.dataset.refined = JSON.stringify({ places: known.places, budget: budget() });
  draw();
}

// The interval, and the true distance in it, on a line as long as the interval of the first look.
let widest = 0;
function bar({ lower, upper }) {
  const truth = Number(at("distance").dataset.exact);
  widest = Math.max(widest, upper ?? 0, 1.05 * truth, 1e-300);
  const X = (x) => 8 + (344 * Math.min(x, widest)) / widest;
  at("bar").innerHTML = `<line class="axis" x1="8" x2="352" y1="20" y2="20"/><rect x="${X(lower) - 1}" width="${X(upper ?? widest) - X(lower) + 2}" y="14" height="12" rx="2"/>
    <line class="truth" x1="${X(truth)}" x2="${X(truth)}" y1="8" y2="32"/><text x="8" y="42">0</text><text x="352" y="42" text-anchor="end">${short(widest, 3)}</text><text class="truth" x="${Math.max(60, Math.min(290, X(truth)))}" y="42" text-anchor="middle">true distance</text>`;
}

function refining() {
  const on = at("refine").checked;
  at("refined").hidden = !on;
  balls.visible = on;
  widest = 0;
  glass();
  return ask();
}
at("refine").addEventListener("input", refining);
for (const control of [at("budget"), at("method"), at("whole"), ...document.querySelectorAll("input[name=unit]")]) control.addEventListener("input", ask);
at("method").addEventListener("input", () => { widest = 0; });

// ---- Likely pairs ----
// Of each pair its volume in either body, in place of the volumes of a level.
async function likely(places) {
  const told = await post("likely", { places });
  if (!at("likely").checked) return;
  bodies.forEach((shown, i) => fill(shown, hulls(told.hulls[i])));
  const count = told.pairs.length;
  at("likely-shown").textContent = `${count} pair${count === 1 ? "" : "s"}; they touch with probability ${short(told.probability, 3)}`;
  document.body.dataset.likely = JSON.stringify({ places: told.places, pairs: told.pairs, probability: told.probability });
  draw();
}
at("likely").addEventListener("input", () => {
  at("likely-shown").textContent = "";
  if (at("likely").checked) Object.assign(at("volume"), { value: "" });
  return at("likely").checked && at("apart").checked ? at("apart").click() : volumes();
});

// ---- Flight ----
let flight = [], timer = 0;
const X = (pose) => 30 + (325 * pose) / Math.max(1, flight.length - 1);

// The clearance, pose by pose: touching poses shaded, the smallest marked.
function plot() {
  const most = flight.reduce((high, { distance }) => Math.max(high, distance), 0) || 1, Y = (distance) => 105 - (95 * distance) / most;
  const least = flight.reduce((best, { distance }, i) => (distance < flight[best].distance ? i : best), 0), { distance } = flight[least];
  const bars = flight.map(({ contacts }, i) => (contacts ? `<rect class="hit" x="${X(i) - 0.6}" y="10" width="1.4" height="95"/>` : ""));
  const said = distance > 0 ? `smallest ${short(Number(distance.toPrecision(3)))} at pose ${least}` : `first contact at pose ${least}`;
  at("plot").innerHTML = `${bars.join("")}<polyline points="${flight.map(({ distance }, i) => `${X(i).toFixed(1)},${Y(distance).toFixed(1)}`).join(" ")}"/>
    <circle cx="${X(least).toFixed(1)}" cy="${Y(distance).toFixed(1)}" r="2.5"/><text x="192" y="117" text-anchor="middle">${said}</text>
    <text x="2" y="8">clearance</text><text x="2" y="18">${short(Number(most.toPrecision(3)))}</text><text x="2" y="107">0</text><text x="30" y="117">pose 0</text><text x="355" y="117" text-anchor="end">${flight.length - 1}</text><line id="cursor" y1="8" y2="107"/>`;
}

// Halfway between the two bodies, and how far away both are seen whole.
function around() {
  const [a, b] = bodies.map(({ group, surface }) => {
    if (!surface.geometry.boundingSphere) surface.geometry.computeBoundingSphere();
    group.updateMatrixWorld();
    const { center, radius } = surface.geometry.boundingSphere;
    return { centre: group.localToWorld(center.clone()), radius };
  });
  return { middle: a.centre.clone().lerp(b.centre, 0.5), far: 1.5 * (a.centre.distanceTo(b.centre) + a.radius + b.radius) };
}

function go(pose) {
  at("pose").value = pose;
  const before = around();
  flight[pose].places.forEach((there, i) => put(i, there));
  if (at("follow").checked) {
    const now = around(), way = now.middle.clone().sub(before.middle), offset = camera.position.clone().sub(orbit.target);
    if (offset.length() < now.far) offset.setLength(now.far);
    orbit.target.add(way);
    camera.position.copy(orbit.target).add(offset);
    orbit.update();
  }
  at("pose-shown").textContent = `${pose} of ${flight.length - 1}`;
  for (const end of ["x1", "x2"]) at("cursor").setAttribute(end, X(pose));
  document.body.dataset.pose = pose;
  return ask();
}

function play(on) {
  clearInterval(timer);
  timer = on ? setInterval(() => go((Number(at("pose").value) + 1) % flight.length), 50) : 0;
  at("play").textContent = on ? "Pause" : "Play";
}
at("play").addEventListener("click", () => play(!timer));
at("pose").addEventListener("input", () => { play(false); go(Number(at("pose").value)); });
at("plot").addEventListener("pointerdown", (event) => {
  const box = at("plot").getBoundingClientRect(), x = ((event.clientX - box.left) / box.width) * 360;
  play(false);
  go(Math.max(0, Math.min(flight.length - 1, Math.round(((x - 30) / 325) * (flight.length - 1)))));
});

// ---- Begin ----
async function begin() {
  const told = await (await get("scene")).json();
  document.title = `${told.names.join(" and ")} · nearhit`;
  ["a", "b"].forEach((body, i) => { at(`name-${body}`).textContent = told.names[i]; at(`name-${body}`).title = `${told.triangles[i]} triangles`; });
  for (const name of told.volumes) at("volume").add(new Option(name, name));
  for (const first of ["sphere", "obb", "kdop18", "rss"]) {
    const cell = document.createElement("div"), select = document.createElement("select");
    for (const name of told.volumes) select.add(new Option(name, name, false, name === first));
    select.setAttribute("aria-label", "Volume shown here");
    select.addEventListener("input", volumes);
    cell.append(select, document.createElement("output"));
    at("labels").append(cell);
  }
  await Promise.all([load(0), load(1)]);
  told.places.forEach((there, i) => put(i, there));
  const home = () => { told.places.forEach((there, i) => put(i, there)); frame(); ask(); };
  at("home").addEventListener("click", home);
  frame();
  if (told.poses) {
    flight = await (await get("flight")).json();
    at("pose").max = flight.length - 1;
    at("flight").hidden = false;
    plot();
    await go(0);
  }
  await ask();
  document.body.dataset.ready = "yes";
}

// The whole scene; where one body is far larger, the smaller one and what is around it.
function frame() {
  const boxes = bodies.map(({ group }) => new Box3().setFromObject(group, true)), both = boxes[0].clone().union(boxes[1]);
  const size = both.getSize(new Vector3()).length(), middle = both.getCenter(new Vector3());
  orbit.target.copy(middle);
  camera.position.copy(middle).add(new Vector3(0.75, -1, 0.6).normalize().multiplyScalar(1.35 * size));
  Object.assign(camera, { near: size * 1e-3, far: size * 10 });
  camera.updateProjectionMatrix();
  orbit.update();
}
begin().catch((error) => { at("verdict").textContent = String(error.message || error); });
