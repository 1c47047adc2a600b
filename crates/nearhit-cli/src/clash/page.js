// One WebGL context draws every picture, which is then copied: browsers allow a page only a few.
// Vectors and matrices are in matrices.js, before this.

const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const rows = [...document.querySelectorAll("tbody tr")];

// ---- Drawing ----
const VERTEX = `
  attribute vec3 position, normal;
  uniform mat4 clip, place, view;
  uniform float size;
  varying vec3 toEye, facing;
  void main() {
    vec4 world = place * vec4(position, 1.0);
    facing = mat3(view[0].xyz, view[1].xyz, view[2].xyz) * (mat3(place[0].xyz, place[1].xyz, place[2].xyz) * normal);
    toEye = -(view * world).xyz;
    gl_Position = clip * view * world;
    gl_PointSize = size;
  }`;
const FRAGMENT = `
  precision highp float;
  uniform vec3 colour;
  uniform float cover, flat_;
  varying vec3 toEye, facing;
  void main() {
    vec3 n = normalize(facing), e = normalize(toEye), light = normalize(vec3(0.35, 0.8, 0.9));
    if (dot(n, e) < 0.0) n = -n;
    float diffuse = max(dot(n, light), 0.0), rim = pow(1.0 - abs(dot(n, e)), 3.0);
    float lit = mix(0.35 + 0.65 * diffuse, 1.0, flat_);
    gl_FragColor = vec4(colour * lit + vec3(0.08 * rim * (1.0 - flat_)), 1.0) * cover;
  }`;

const shared = document.createElement("canvas");
const gl = shared.getContext("webgl", { antialias: true, preserveDrawingBuffer: true });
let program = null;
if (gl) {
  program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  gl.useProgram(program);
}
const uniform = (name) => gl.getUniformLocation(program, name);

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

// Flat normals: machine parts have edges.
function corners(mesh, triangles) {
  if (!mesh.points) {
    mesh.points = new Float32Array(bytes(mesh.positions));
    mesh.indices = new Uint32Array(bytes(mesh.triangles));
  }
  const count = triangles ? triangles.length : mesh.indices.length / 3;
  const position = new Float32Array(9 * count), normal = new Float32Array(9 * count);
  for (let i = 0; i < count; i++) {
    const triangle = triangles ? triangles[i] : i;
    const [p, q, r] = [0, 1, 2].map((k) => { const v = 3 * mesh.indices[3 * triangle + k]; return mesh.points.subarray(v, v + 3); });
    const up = unit(cross([q[0] - p[0], q[1] - p[1], q[2] - p[2]], [r[0] - p[0], r[1] - p[1], r[2] - p[2]]));
    [p, q, r].forEach((corner, k) => { position.set(corner, 9 * i + 3 * k); normal.set(up, 9 * i + 3 * k); });
  }
  return { position: upload(position), normal: upload(normal), count: 3 * count };
}

function whole(mesh) { return (mesh.whole ||= corners(mesh)); }

const colours = () => {
  const style = getComputedStyle(document.documentElement);
  const parse = (name) => style.getPropertyValue(name).trim().match(/[0-9a-f]{2}/gi).map((h) => parseInt(h, 16) / 255);
  return { a: parse("--a"), b: parse("--b"), red: parse("--hard") };
};

function draw(card) {
  if (!gl || !card.bodies) return;
  const ratio = Math.min(2, window.devicePixelRatio || 1), { canvas, bodies, camera } = card;
  const [width, height] = [canvas.clientWidth || 400, canvas.clientHeight || 300].map((x) => Math.max(1, Math.round(x * ratio)));
  if (shared.width !== width || shared.height !== height) Object.assign(shared, { width, height });
  const flat = Math.cos(camera.above) * camera.distance;
  const eye = [flat * Math.cos(camera.around), flat * Math.sin(camera.around), camera.distance * Math.sin(camera.above)];
  gl.viewport(0, 0, width, height);
  gl.depthMask(true); // Else the depths of the last picture stay.
  gl.clearColor(0, 0, 0, 0);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.enable(gl.DEPTH_TEST);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  gl.uniformMatrix4fv(uniform("clip"), false, perspective(0.7, width / height, camera.distance * 0.02, camera.distance + 4 * card.reach));
  gl.uniformMatrix4fv(uniform("view"), false, lookAt(eye, [0, 0, 0], [0, 0, 1]));
  gl.uniform1f(uniform("size"), 9 * ratio);
  const paint = (part, place, colour, cover, flat_ = 0, kind = gl.TRIANGLES) => {
    if (!part.count) return;
    gl.uniformMatrix4fv(uniform("place"), false, place);
    gl.uniform3fv(uniform("colour"), colour);
    gl.uniform1f(uniform("cover"), cover);
    gl.uniform1f(uniform("flat_"), flat_);
    for (const name of ["position", "normal"]) {
      const slot = gl.getAttribLocation(program, name);
      gl.bindBuffer(gl.ARRAY_BUFFER, part[name]);
      gl.enableVertexAttribArray(slot);
      gl.vertexAttribPointer(slot, 3, gl.FLOAT, false, 0, 0);
    }
    gl.drawArrays(kind, 0, part.count);
  };
  const { a, b, red } = colours(), tones = [a, b];
  gl.depthFunc(gl.LESS);
  const clear = card.clear, solid = 1 - clear;
  paint(bodies[solid].all, bodies[solid].place, tones[solid], 1);
  gl.enable(gl.POLYGON_OFFSET_FILL);
  gl.polygonOffset(-1, -2);
  paint(bodies[solid].hit, bodies[solid].place, red, 1);
  gl.polygonOffset(0, 0);
  gl.depthMask(false);
  // The other one is glass: its far side, then its near side.
  gl.enable(gl.CULL_FACE);
  for (const side of [gl.FRONT, gl.BACK]) { gl.cullFace(side); paint(bodies[clear].all, bodies[clear].place, tones[clear], 0.34); }
  gl.disable(gl.CULL_FACE);
  gl.polygonOffset(-1, -2);
  paint(bodies[clear].hit, bodies[clear].place, red, 0.55);
  gl.depthFunc(gl.GREATER);
  for (const body of bodies) paint(body.hit, body.place, red, 0.16);
  gl.disable(gl.POLYGON_OFFSET_FILL);
  gl.disable(gl.DEPTH_TEST);
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  paint(card.mark, identity, red, 1, 1, gl.LINES);
  paint(card.mark, identity, [1, 1, 1].map((x, i) => 0.25 * x + 0.75 * red[i]), 0.9, 1, gl.POINTS);
  Object.assign(canvas, { width, height });
  canvas.getContext("2d").drawImage(shared, 0, 0);
  card.drawn = true;
}

// ---- Cards ----
const words = { hard: "hard clash", inside: "inside", duplicate: "duplicate", undecided: "undecided", touching: "touching", close: "too close" };
const cards = rows.map((row) => {
  const index = Number(row.dataset.index), picture = data.pictures[index];
  if (!picture) return null;
  const figure = document.createElement("figure"), canvas = document.createElement("canvas");
  const caption = document.createElement("figcaption"), [, what, a, b, much, where] = row.cells;
  const text = (tag, name, content) => { const made = document.createElement(tag); made.className = name; made.textContent = content; return made; };
  caption.append(`${index + 1}. `, what.firstChild.cloneNode(true), " ", text("b", "a", a.textContent), " ",
    text("b", "b", b.textContent), ` ${much.textContent} `, text("small", "", `at (${where.textContent})`));
  figure.append(canvas, caption);
  figure.dataset.class = row.dataset.class;
  const card = { figure, canvas, row, picture, drawn: false };
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${words[row.dataset.class]}: ${a.textContent} and ${b.textContent}`);
  return card;
});

// What the card needs to be drawn; made when it is first seen.
function prepare(card) {
  if (card.bodies || !gl) return;
  const { focus, points, bodies } = card.picture;
  // It turns about the middle between the finding and the smaller part, most of which is then seen.
  const radii = bodies.map((body) => body.radius), small = radii[0] < radii[1] ? 0 : 1;
  const middle = focus.map((x, i) => 0.5 * x + 0.5 * bodies[small].translation[i]);
  card.bodies = bodies.map(({ mesh, rotation: r, translation: t, red }) => {
    const place = [r[0][0], r[1][0], r[2][0], 0, r[0][1], r[1][1], r[2][1], 0, r[0][2], r[1][2], r[2][2], 0, ...minus(t, middle), 1];
    return { all: whole(data.meshes[mesh]), hit: corners(data.meshes[mesh], red), place };
  });
  // The larger one is glass, so that the smaller one is seen inside it.
  card.clear = radii[0] > radii[1] ? 0 : 1;
  card.reach = Math.max(...radii);
  const home = () => { card.camera = { around: -1.05, above: 0.55, distance: 3.4 * radii[small] + 0.9 * Math.min(radii[1 - small], 2 * radii[small]) }; };
  home();
  card.mark = { position: upload(points.flatMap((point) => point.map((x, i) => x + focus[i] - middle[i]))), normal: upload([0, 0, 1, 0, 0, 1]), count: 2 };
  let held = null;
  const { canvas } = card;
  canvas.addEventListener("pointerdown", (event) => { held = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", (event) => {
    if (!held) return;
    card.camera.around -= (event.clientX - held[0]) * 0.01;
    card.camera.above = Math.max(-1.5, Math.min(1.5, card.camera.above + (event.clientY - held[1]) * 0.01));
    held = [event.clientX, event.clientY];
    draw(card);
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => { held = null; });
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    card.camera.distance *= Math.exp(event.deltaY * 0.002);
    draw(card);
  }, { passive: false });
  canvas.addEventListener("dblclick", () => { home(); draw(card); });
}

const show = (card) => { prepare(card); draw(card); };
const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) show(cards.find((card) => card && card.figure === entry.target));
}, { rootMargin: "300px" });
for (const card of cards) if (card) { at("cards").append(card.figure); watcher.observe(card.figure); }
window.addEventListener("beforeprint", () => cards.forEach((card) => { if (card && !card.figure.hidden) show(card); }));
window.addEventListener("resize", () => cards.forEach((card) => { if (card && card.drawn) draw(card); }));

function choose(index) {
  for (const card of cards) if (card) { card.figure.classList.toggle("here", card.row === rows[index]); }
  rows.forEach((row, i) => row.classList.toggle("here", i === index));
}
rows.forEach((row, index) => row.addEventListener("click", () => {
  choose(index);
  const card = cards[index];
  if (card) card.figure.scrollIntoView({ behavior: "smooth", block: "nearest" });
}));

// ---- Filters and sorting ----
function filter() {
  const off = new Set([...document.querySelectorAll("input[data-class]")].filter((box) => !box.checked).map((box) => box.dataset.class));
  const name = at("find").value.toLowerCase();
  let shown = 0;
  rows.forEach((row, index) => {
    const hidden = off.has(row.dataset.class) || !`${row.cells[2].textContent}\n${row.cells[3].textContent}`.toLowerCase().includes(name);
    row.hidden = hidden;
    if (cards[index]) cards[index].figure.hidden = hidden;
    shown += hidden ? 0 : 1;
  });
  at("none").hidden = shown > 0;
}
for (const box of document.querySelectorAll("input[data-class]")) box.addEventListener("change", filter);
at("find").addEventListener("input", filter);
filter();

document.querySelectorAll("th").forEach((head, column) => head.addEventListener("click", () => {
  const up = head.getAttribute("aria-sort") !== "ascending";
  document.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const value = (row) => row.cells[column].dataset.sort ?? row.cells[column].textContent;
  const order = (p, q) => {
    const [x, y] = [value(p), value(q)], numbers = x !== "" && y !== "" && !isNaN(x) && !isNaN(y);
    return (up ? 1 : -1) * (numbers ? x - y : x === "" || y === "" ? (x === "") - (y === "") : x.localeCompare(y));
  };
  [...rows].sort(order).forEach((row) => {
    row.parentNode.append(row);
    const card = cards[rows.indexOf(row)];
    if (card) at("cards").append(card.figure);
  });
}));
