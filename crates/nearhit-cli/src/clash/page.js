// The list of findings, and a stage that shows one of them or the whole assembly.
// Vectors and matrices are in matrices.js, before this.

const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const canvas = document.querySelector("canvas"), body = document.querySelector("tbody");
const rows = [...at("rows").content.querySelectorAll("tr")];
const STATUSES = ["open", "in work", "accepted", "resolved"];

// ---- Drawing ----
const VERTEX = `
  attribute vec3 position, normal, low, high;
  uniform mat4 clip, place, view;
  uniform float size, boxed;
  varying vec3 toEye, facing, spot;
  void main() {
    vec3 local = boxed > 0.5 ? mix(low, high, position) : position;
    vec4 world = place * vec4(local, 1.0);
    facing = mat3(view[0].xyz, view[1].xyz, view[2].xyz) * (mat3(place[0].xyz, place[1].xyz, place[2].xyz) * normal);
    toEye = -(view * world).xyz;
    spot = world.xyz;
    gl_Position = clip * view * world;
    gl_PointSize = size;
  }`;
const FRAGMENT = `
  precision highp float;
  uniform vec3 colour;
  uniform vec4 section;
  uniform float cover, flat_;
  varying vec3 toEye, facing, spot;
  void main() {
    if (dot(spot, section.xyz) > section.w) discard;
    vec3 n = normalize(facing), e = normalize(toEye), light = normalize(vec3(0.35, 0.8, 0.9));
    if (dot(n, e) < 0.0) n = -n;
    float diffuse = max(dot(n, light), 0.0), rim = pow(1.0 - abs(dot(n, e)), 3.0);
    float lit = mix(0.35 + 0.65 * diffuse, 1.0, flat_);
    gl_FragColor = vec4(colour * lit + vec3(0.08 * rim * (1.0 - flat_)), 1.0) * cover;
  }`;
// Lines of a width in pixels, which WebGL does not have.
const LINE = `
  attribute vec3 from, to;
  attribute vec2 side;
  uniform mat4 clip, view;
  uniform vec2 screen;
  uniform float width;
  void main() {
    vec4 p = clip * view * vec4(from, 1.0), q = clip * view * vec4(to, 1.0);
    vec2 way = (q.xy / q.w - p.xy / p.w) * screen;
    vec2 across = length(way) > 0.0 ? normalize(vec2(-way.y, way.x)) : vec2(0.0, 1.0);
    vec4 here = side.x > 0.5 ? q : p;
    gl_Position = here + vec4(across * side.y * width / screen * here.w, -1e-4 * here.w, 0.0);
  }`;
const PLAIN = "precision highp float; uniform vec3 colour; uniform float cover; void main() { gl_FragColor = vec4(colour, 1.0) * cover; }";

const gl = canvas.getContext("webgl", { antialias: true, stencil: true, preserveDrawingBuffer: true });
const instances = gl?.getExtension("ANGLE_instanced_arrays");
function compiled(vertex, fragment) {
  const program = gl.createProgram(), places = new Map();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  const uniform = (name) => { if (!places.has(name)) places.set(name, gl.getUniformLocation(program, name)); return places.get(name); };
  return { program, uniform, slot: (name) => gl.getAttribLocation(program, name) };
}
const solids = gl && compiled(VERTEX, FRAGMENT), lines = gl && compiled(LINE, PLAIN);

function upload(numbers) {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.STATIC_DRAW);
  return buffer;
}

function bytes(text) {
  const raw = atob(text), out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out.buffer;
}

// Flat normals: machine parts have edges. Made when it is first drawn.
function whole(mesh) {
  if (mesh.whole) return mesh.whole;
  const points = new Float32Array(bytes(mesh.positions)), indices = new Uint32Array(bytes(mesh.triangles));
  const position = new Float32Array(3 * indices.length), normal = new Float32Array(3 * indices.length);
  for (let i = 0; i < indices.length; i += 3) {
    const [p, q, r] = [0, 1, 2].map((k) => points.subarray(3 * indices[i + k], 3 * indices[i + k] + 3));
    const up = unit(cross([q[0] - p[0], q[1] - p[1], q[2] - p[2]], [r[0] - p[0], r[1] - p[1], r[2] - p[2]]));
    [p, q, r].forEach((corner, k) => { position.set(corner, 3 * (i + k)); normal.set(up, 3 * (i + k)); });
  }
  mesh.positions = mesh.triangles = null;
  return (mesh.whole = { position: upload(position), normal: upload(normal), count: indices.length });
}

// A part in its place, as seen from the middle of the picture.
function placed({ mesh, rotation: r, translation: t }, middle) {
  const place = [r[0][0], r[1][0], r[2][0], 0, r[0][1], r[1][1], r[2][1], 0, r[0][2], r[1][2], r[2][2], 0, ...minus(t, middle), 1];
  return { ...whole(data.meshes[mesh]), place };
}

function ribbon(numbers) {
  const [from, to, side] = [[], [], []];
  for (let i = 0; i + 5 < numbers.length; i += 6) {
    const ends = [[...numbers.subarray(i, i + 3)], [...numbers.subarray(i + 3, i + 6)]];
    for (const corner of [[0, 1], [1, 1], [1, -1], [0, 1], [1, -1], [0, -1]]) { from.push(...ends[0]); to.push(...ends[1]); side.push(...corner); }
  }
  return { from: upload(from), to: upload(to), side: upload(side), count: side.length / 2 };
}

const CUBE = (() => {
  const position = [], normal = [];
  for (const axis of [0, 1, 2]) for (const end of [0, 1]) for (const [u, v] of [[0, 0], [1, 0], [1, 1], [0, 0], [1, 1], [0, 1]]) {
    const corner = [0, 0, 0], up = [0, 0, 0];
    corner[axis] = end; corner[(axis + 1) % 3] = u; corner[(axis + 2) % 3] = v; up[axis] = end ? 1 : -1;
    position.push(...corner); normal.push(...up);
  }
  return { position, normal };
})();

const colours = () => {
  const style = getComputedStyle(document.documentElement);
  const parse = (name) => style.getPropertyValue(name).trim().match(/[0-9a-f]{2}/gi).map((h) => parseInt(h, 16) / 255);
  return (name) => parse(`--${name}`);
};

// What a finding's picture needs; made when it is first seen, and kept for a few.
const made = new Map();
function scene(index) {
  if (made.has(index)) return made.get(index);
  const picture = data.pictures[index], { focus, points, bodies, beside, extent, curve } = picture;
  const [one, other] = bodies.map((part) => part.radius);
  const result = {
    bodies: bodies.map((part) => placed(part, focus)), beside: beside.map((part) => placed(part, focus)),
    // The larger one is glass, so that the smaller one is seen inside it.
    clear: one > other ? 0 : 1, reach: Math.max(one, other, extent), home: 2.6 * extent,
    curve: ribbon(new Float32Array(bytes(curve))), points,
    mark: { position: upload(points.flat()), normal: upload([0, 0, 1, 0, 0, 1]), count: 2, place: IDENTITY },
  };
  made.set(index, result);
  return result;
}
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

let overview = null;
function everything() {
  if (overview) return overview;
  const { middle, radius, bodies, boxes } = data.whole, corners = new Float32Array(bytes(boxes));
  const spots = data.pictures.map((picture, index) => picture && { index, kind: rows[index].dataset.class, at: minus(picture.focus, middle) }).filter(Boolean);
  overview = {
    bodies: bodies.map((part) => placed(part, middle)), spots, reach: radius, home: 3.2 * radius,
    boxes: { corners: upload(corners), count: corners.length / 6, position: upload(CUBE.position), normal: upload(CUBE.normal) },
    marks: ["close", "touching", "undecided", "duplicate", "inside", "hard"].map((kind) => {
      const own = spots.filter((spot) => spot.kind === kind);
      return { kind, position: upload(own.flatMap((spot) => spot.at)), normal: upload(own.flatMap(() => [0, 0, 1])), count: own.length, place: IDENTITY };
    }),
  };
  return overview;
}

let chosen = -1, shown = [], camera = { around: -1.05, above: 0.55, distance: 1 };
let view = IDENTITY, clip = IDENTITY;

function eye() {
  const flat = Math.cos(camera.above) * camera.distance;
  return [flat * Math.cos(camera.around), flat * Math.sin(camera.around), camera.distance * Math.sin(camera.above)];
}

function paint(part, colour, cover, { flat = 0, kind = gl.TRIANGLES, cut = true } = {}) {
  if (!part.count) return;
  const { uniform, slot } = solids;
  gl.uniformMatrix4fv(uniform("place"), false, part.place);
  gl.uniform3fv(uniform("colour"), colour);
  gl.uniform1f(uniform("cover"), cover);
  gl.uniform1f(uniform("flat_"), flat);
  gl.uniform1f(uniform("boxed"), 0);
  const share = Number(at("section").value) / 100, toEye = unit(eye()), reach = share > 0 && cut ? (1 - 2 * share) * camera.distance * 0.6 : 1e30;
  gl.uniform4f(uniform("section"), ...toEye, reach);
  for (const name of ["position", "normal"]) {
    gl.bindBuffer(gl.ARRAY_BUFFER, part[name]);
    gl.enableVertexAttribArray(slot(name));
    gl.vertexAttribPointer(slot(name), 3, gl.FLOAT, false, 0, 0);
  }
  gl.drawArrays(kind, 0, part.count);
}

function paintBoxes(boxes, colour, cover) {
  if (!boxes.count || !instances) return;
  const { uniform, slot } = solids;
  gl.uniformMatrix4fv(uniform("place"), false, IDENTITY);
  gl.uniform3fv(uniform("colour"), colour);
  gl.uniform1f(uniform("cover"), cover);
  gl.uniform1f(uniform("flat_"), 0);
  gl.uniform1f(uniform("boxed"), 1);
  gl.uniform4f(uniform("section"), 0, 0, 1, 1e30);
  for (const name of ["position", "normal"]) {
    gl.bindBuffer(gl.ARRAY_BUFFER, boxes[name]);
    gl.enableVertexAttribArray(slot(name));
    gl.vertexAttribPointer(slot(name), 3, gl.FLOAT, false, 0, 0);
  }
  gl.bindBuffer(gl.ARRAY_BUFFER, boxes.corners);
  ["low", "high"].forEach((name, i) => {
    gl.enableVertexAttribArray(slot(name));
    gl.vertexAttribPointer(slot(name), 3, gl.FLOAT, false, 24, 12 * i);
    instances.vertexAttribDivisorANGLE(slot(name), 1);
  });
  instances.drawArraysInstancedANGLE(gl.TRIANGLES, 0, 36, boxes.count);
  for (const name of ["low", "high"]) { instances.vertexAttribDivisorANGLE(slot(name), 0); gl.disableVertexAttribArray(slot(name)); }
}

function paintCurve(curve, colour, ratio) {
  if (!curve.count) return;
  gl.useProgram(lines.program);
  gl.uniformMatrix4fv(lines.uniform("clip"), false, clip);
  gl.uniformMatrix4fv(lines.uniform("view"), false, view);
  gl.uniform2f(lines.uniform("screen"), canvas.width, canvas.height);
  gl.uniform1f(lines.uniform("width"), 2.5 * ratio);
  gl.uniform3fv(lines.uniform("colour"), colour);
  for (const [name, size] of [["from", 3], ["to", 3], ["side", 2]]) {
    gl.bindBuffer(gl.ARRAY_BUFFER, curve[name]);
    gl.enableVertexAttribArray(lines.slot(name));
    gl.vertexAttribPointer(lines.slot(name), size, gl.FLOAT, false, 0, 0);
  }
  // Through the parts faintly, in front of them strongly.
  for (const [depth, cover] of [[gl.GREATER, 0.45], [gl.LEQUAL, 1]]) {
    gl.depthFunc(depth);
    gl.uniform1f(lines.uniform("cover"), cover);
    gl.drawArrays(gl.TRIANGLES, 0, curve.count);
  }
  gl.depthFunc(gl.LESS);
  gl.useProgram(solids.program);
}

function begin(reach) {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  const [width, height] = [canvas.clientWidth || 400, canvas.clientHeight || 300].map((x) => Math.max(1, Math.round(x * ratio)));
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  clip = perspective(0.7, width / height, camera.distance * 0.02, camera.distance + 4 * reach);
  view = lookAt(eye(), [0, 0, 0], [0, 0, 1]);
  gl.viewport(0, 0, width, height);
  gl.depthMask(true); // Else the depths of the last picture stay.
  gl.colorMask(true, true, true, true);
  gl.clearColor(0, 0, 0, 0);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
  [gl.DEPTH_TEST, gl.BLEND].forEach((what) => gl.enable(what));
  [gl.STENCIL_TEST, gl.CULL_FACE].forEach((what) => gl.disable(what));
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  gl.depthFunc(gl.LESS);
  gl.useProgram(solids.program);
  gl.uniformMatrix4fv(solids.uniform("clip"), false, clip);
  gl.uniformMatrix4fv(solids.uniform("view"), false, view);
  gl.uniform1f(solids.uniform("size"), 9 * ratio);
  return ratio;
}

function glass(part, colour, cover) {
  gl.enable(gl.CULL_FACE);
  for (const side of [gl.FRONT, gl.BACK]) { gl.cullFace(side); paint(part, colour, cover); }
  gl.disable(gl.CULL_FACE);
}

// Red is what of the solid part's surface is inside the other one: more of the other's faces that are nearer look here than away.
function inside(solid, clear, red) {
  gl.enable(gl.STENCIL_TEST);
  gl.colorMask(false, false, false, false);
  gl.depthMask(false);
  gl.stencilFunc(gl.ALWAYS, 0, 255);
  gl.stencilOpSeparate(gl.FRONT, gl.KEEP, gl.KEEP, gl.INCR_WRAP);
  gl.stencilOpSeparate(gl.BACK, gl.KEEP, gl.KEEP, gl.DECR_WRAP);
  paint(clear, red, 1, { cut: false });
  gl.colorMask(true, true, true, true);
  gl.stencilOp(gl.KEEP, gl.KEEP, gl.KEEP);
  gl.stencilFunc(gl.NOTEQUAL, 0, 255);
  gl.depthFunc(gl.EQUAL);
  paint(solid, red, 1);
  gl.depthFunc(gl.LESS);
  gl.depthMask(true);
  gl.disable(gl.STENCIL_TEST);
}

function drawFinding(index) {
  const { bodies, beside, clear, reach, curve, mark, points } = scene(index), colour = colours();
  const ratio = begin(reach), red = colour("hard"), tones = [colour("a"), colour("b")], solid = 1 - clear;
  paint(bodies[solid], tones[solid], 1);
  inside(bodies[solid], bodies[clear], red);
  gl.depthMask(false);
  glass(bodies[clear], tones[clear], 0.3);
  if (!at("isolate").checked) for (const part of beside) glass(part, colour("soft"), 0.1);
  paintCurve(curve, red, ratio);
  gl.disable(gl.DEPTH_TEST);
  const bright = [1, 1, 1].map((x, i) => 0.25 * x + 0.75 * red[i]);
  paint(mark, red, 1, { flat: 1, kind: gl.LINES, cut: false });
  paint(mark, bright, 0.9, { flat: 1, kind: gl.POINTS, cut: false });
  const [x, y] = onScreen(points[0].map((value, i) => 0.5 * (value + points[1][i])));
  Object.assign(at("label").style, { left: `${x}px`, top: `${y}px` });
}

function drawOverview() {
  const { bodies, boxes, marks, reach } = everything(), colour = colours();
  begin(reach);
  for (const part of bodies) paint(part, colour("soft"), 1);
  if (bodies.length) gl.depthMask(false);
  paintBoxes(boxes, colour("soft"), bodies.length ? 0.25 : 1);
  gl.disable(gl.DEPTH_TEST);
  for (const mark of marks) paint(mark, colour(mark.kind), 1, { flat: 1, kind: gl.POINTS, cut: false });
}

// Where a point of the picture is in the canvas, in pixels of the page.
function onScreen(point) {
  const times = (m, [x, y, z, w]) => [0, 1, 2, 3].map((row) => m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row] * w);
  const [x, y, , w] = times(clip, times(view, [...point, 1]));
  return [(0.5 + 0.5 * x / w) * canvas.clientWidth, (0.5 - 0.5 * y / w) * canvas.clientHeight];
}

let waiting = false;
function draw() {
  if (!gl || waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    if (chosen >= 0 && data.pictures[chosen]) drawFinding(chosen); else drawOverview();
    document.body.dataset.drawn = String(chosen);
  });
}

function home() {
  const distance = !gl ? 1 : chosen >= 0 && data.pictures[chosen] ? scene(chosen).home : everything().home;
  camera = { around: -1.05, above: 0.55, distance: distance || 1 };
}

let held = null, dragged = false;
canvas.addEventListener("pointerdown", (event) => { held = [event.clientX, event.clientY]; dragged = false; canvas.setPointerCapture(event.pointerId); });
canvas.addEventListener("pointermove", (event) => {
  if (!held) return;
  const [dx, dy] = [event.clientX - held[0], event.clientY - held[1]];
  dragged ||= Math.hypot(dx, dy) > 2;
  camera.around -= dx * 0.01;
  camera.above = Math.max(-1.5, Math.min(1.5, camera.above + dy * 0.01));
  held = [event.clientX, event.clientY];
  draw();
});
for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => { held = null; });
canvas.addEventListener("wheel", (event) => { event.preventDefault(); camera.distance *= Math.exp(event.deltaY * 0.0015); draw(); }, { passive: false });
canvas.addEventListener("dblclick", () => { home(); draw(); });
// In the overview a mark is chosen by a click.
canvas.addEventListener("click", (event) => {
  if (chosen >= 0 || dragged || !gl) return;
  const far = (spot) => { const [x, y] = onScreen(spot.at); return Math.hypot(x - event.offsetX, y - event.offsetY); };
  const nearest = everything().spots.reduce((best, spot) => (far(spot) < (best ? far(best) : 14) ? spot : best), null);
  if (nearest) choose(nearest.index);
});
window.addEventListener("resize", draw);

// ---- Statuses: kept in this browser, by the identity of a finding ----
const key = (row) => `nearhit-clash:${row.dataset.id}`;
const memory = (() => { try { return window.localStorage; } catch { return null; } })();
const fallback = new Map();
const status = (row) => (memory ? memory.getItem(key(row)) : fallback.get(key(row))) ?? STATUSES[0];
function setStatus(row, value) {
  if (memory) memory.setItem(key(row), value); else fallback.set(key(row), value);
  row.cells[6].textContent = value;
}
rows.forEach((row) => { row.cells[6].textContent = status(row); });
for (const value of STATUSES) at("with-status").append(new Option(value, value));
at("export").addEventListener("click", () => {
  const findings = rows.map((row) => ({ id: row.dataset.id, class: row.dataset.class, a: row.cells[2].textContent, b: row.cells[3].textContent, status: status(row) }));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify({ findings }, null, 1)], { type: "application/json" }));
  link.download = "clash-statuses.json";
  link.click();
});

// ---- Choosing ----
const text = (tag, name, content) => { const made = document.createElement(tag); made.className = name; made.textContent = content; return made; };
function tell() {
  const about = at("about"), row = rows[chosen];
  about.replaceChildren();
  at("label").hidden = !row || !row.cells[4].textContent || !data.pictures[chosen];
  canvas.setAttribute("aria-label", row ? `${row.cells[1].textContent}: ${row.cells[2].textContent} and ${row.cells[3].textContent}` : "The assembly, with a mark at each finding");
  if (!row) {
    about.append(`The whole assembly: ${shown.length} findings in the list. Click a mark to see it.`);
    return;
  }
  at("label").textContent = row.cells[4].textContent;
  const choice = document.createElement("select");
  choice.id = "status";
  choice.setAttribute("aria-label", "Status");
  for (const value of STATUSES) choice.append(new Option(value, value, false, value === status(row)));
  choice.addEventListener("change", () => setStatus(row, choice.value));
  const place = text("small", "", [row.dataset.severity, `at (${row.dataset.at})`, row.dataset.note].filter(Boolean).join(" · "));
  about.append(`${row.cells[0].textContent}. `, row.cells[1].firstChild.cloneNode(true), " ", text("b", "a", row.cells[2].textContent), " ",
    text("b", "b", row.cells[3].textContent), ` ${row.cells[4].textContent}`, row.cells[5].textContent ? `, volume ${row.cells[5].textContent}` : "", " ", choice, " ", place);
  if (!data.pictures[chosen]) about.append(text("small", "", " · no picture: the page would become too large"));
}

function choose(index) {
  rows[chosen]?.classList.remove("here");
  chosen = rows[index] ? index : -1;
  const row = rows[chosen], hash = row ? `#${row.dataset.id}` : "#";
  if (location.hash !== hash && !(hash === "#" && !location.hash)) history.replaceState(null, "", hash);
  if (row) {
    while (!row.isConnected && appended < shown.length && shown.includes(row)) append();
    row.classList.add("here");
    if (row.isConnected) row.scrollIntoView({ block: "nearest" });
  }
  // Few are kept: memory of the graphics card is small.
  if (made.size > 24) for (const [old, { curve, mark }] of made) if (old !== chosen) { [curve.from, curve.to, curve.side, mark.position, mark.normal].forEach((buffer) => gl.deleteBuffer(buffer)); made.delete(old); break; }
  home();
  tell();
  draw();
}
function step(by) {
  const here = shown.indexOf(rows[chosen]), next = shown[here < 0 ? (by > 0 ? 0 : shown.length - 1) : here + by];
  if (next) choose(Number(next.dataset.index));
}
at("overview").addEventListener("click", () => choose(-1));
at("previous").addEventListener("click", () => step(-1));
at("next").addEventListener("click", () => step(1));
at("isolate").addEventListener("change", draw);
at("section").addEventListener("input", draw);
at("link").addEventListener("click", async () => {
  try { await navigator.clipboard.writeText(location.href); at("link").textContent = "Copied"; } catch { prompt("The link:", location.href); }
});
body.addEventListener("click", (event) => { const row = event.target.closest("tr"); if (row) choose(Number(row.dataset.index)); });
document.addEventListener("keydown", (event) => {
  const types = event.target.matches("input[type=search], select"), slides = event.target.type === "range" && event.key.startsWith("Arrow");
  if (event.ctrlKey || event.metaKey || event.altKey || types || slides) return;
  const action = { j: () => step(1), ArrowRight: () => step(1), k: () => step(-1), ArrowLeft: () => step(-1), o: () => choose(-1), i: () => { at("isolate").click(); }, "/": () => at("find").focus() }[event.key];
  if (action) { event.preventDefault(); action(); }
});

// ---- The list: filters, sorting; rows are put into the page as they come into sight ----
let order = rows, appended = 0;
const CHUNK = 200;
function append() {
  body.append(...shown.slice(appended, appended + CHUNK));
  appended = Math.min(shown.length, appended + CHUNK);
  at("more").hidden = appended >= shown.length;
  at("more").textContent = `${shown.length - appended} more`;
}
new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) append(); }, { rootMargin: "600px" }).observe(at("more"));
window.addEventListener("beforeprint", () => { while (appended < Math.min(shown.length, 5000)) append(); });

const meets = ([a, b], one, other) => (other === undefined ? a.includes(one) || b.includes(one) :
  a.includes(one) && b.includes(other) || b.includes(one) && a.includes(other));
function filter() {
  const off = new Set([...document.querySelectorAll("input[data-class]")].filter((box) => !box.checked).map((box) => box.dataset.class));
  // One name, or two sets: "pump : pipe" is what has the one in one part's name and the other in the other's.
  const [one, other] = at("find").value.toLowerCase().split(/\s+[:×]\s+/), wanted = at("with-status").value, group = at("group").value && new Set(at("group").value.split(" "));
  const passes = (row) => !off.has(row.dataset.class) && (!wanted || status(row) === wanted) && (!group || group.has(row.dataset.index)) &&
    meets([row.cells[2], row.cells[3]].map((cell) => cell.textContent.toLowerCase()), one, other);
  shown = order.filter(passes);
  appended = 0;
  body.replaceChildren();
  append();
  at("none").hidden = shown.length > 0;
  tell();
}
for (const box of document.querySelectorAll("input[data-class]")) box.addEventListener("change", filter);
for (const id of ["find", "group", "with-status"]) at(id).addEventListener("input", filter);
at("group").hidden = at("group").options.length < 2;

document.querySelectorAll("th").forEach((head, column) => head.addEventListener("click", () => {
  const up = head.getAttribute("aria-sort") !== "ascending";
  document.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const value = (row) => row.cells[column].dataset.sort ?? row.cells[column].textContent;
  const compare = (p, q) => {
    const [x, y] = [value(p), value(q)], numbers = x !== "" && y !== "" && !isNaN(x) && !isNaN(y);
    return (up ? 1 : -1) * (numbers ? x - y : x === "" || y === "" ? (x === "") - (y === "") : x.localeCompare(y));
  };
  order = [...rows].sort(compare);
  filter();
}));

filter();
const linked = () => rows.findIndex((row) => `#${row.dataset.id}` === location.hash);
window.addEventListener("hashchange", () => choose(linked()));
choose(location.hash.length > 1 ? linked() : rows.length ? 0 : -1);
document.body.dataset.ready = "yes";
