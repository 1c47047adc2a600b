// Draws the bodies, the way of the tool and the tool at one instant with plain WebGL. Vectors and
// matrices are in matrices.js, before this.

const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const [canvas, slider, place, verdict] = [at("view"), at("slider"), at("place"), at("verdict")];
const gl = canvas.getContext("webgl", { antialias: true });

const COLOURS = { part: [0.35, 0.60, 0.85], stock: [0.75, 0.70, 0.55], fixture: [0.55, 0.57, 0.62], machine: [0.45, 0.47, 0.52],
  cutter: [0.95, 0.75, 0.25], shank: [0.75, 0.78, 0.82], holder: [0.45, 0.50, 0.60], spindle: [0.35, 0.38, 0.45] };
const RED = [0.90, 0.10, 0.18];
const AROUND = 40;

const SURFACE = [`
  attribute vec3 position, normal;
  uniform mat4 clip, view, place;
  varying vec3 facing, toEye;
  void main() {
    vec4 world = view * place * vec4(position, 1.0);
    facing = mat3(view[0].xyz, view[1].xyz, view[2].xyz) * (mat3(place[0].xyz, place[1].xyz, place[2].xyz) * normal);
    toEye = -world.xyz;
    gl_Position = clip * world;
  }`, `
  precision highp float;
  uniform vec3 colour;
  uniform float cover;
  varying vec3 facing, toEye;
  void main() {
    vec3 n = normalize(facing), e = normalize(toEye);
    if (dot(n, e) < 0.0) n = -n;
    float light = 0.35 + 0.65 * max(dot(n, normalize(vec3(0.3, 0.8, 0.6))), 0.0);
    gl_FragColor = vec4(colour * light, 1.0) * cover;
  }`];
const LINE = [`
  attribute vec3 position;
  uniform mat4 clip, view;
  void main() { gl_Position = clip * view * vec4(position, 1.0); }`, `
  precision mediump float;
  uniform vec3 colour;
  void main() { gl_FragColor = vec4(colour, 1.0); }`];

function program([vertex, fragment]) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  return made;
}

function upload(numbers) {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.STATIC_DRAW);
  return { buffer, count: numbers.length / 3 };
}

function bind(used, name, { buffer }) {
  const slot = gl.getAttribLocation(used, name);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.enableVertexAttribArray(slot);
  gl.vertexAttribPointer(slot, 3, gl.FLOAT, false, 0, 0);
}

const set = (used, name, value) => {
  const slot = gl.getUniformLocation(used, name);
  if (value.length === 16) gl.uniformMatrix4fv(slot, false, value);
  else if (value.length === 3) gl.uniform3fv(slot, value);
  else gl.uniform1f(slot, value);
};

// Flat normals: edges of parts are what one looks for.
function faces(triangles) {
  const [positions, normals] = [[], []];
  for (const [p, q, r] of triangles) {
    const normal = unit(cross(minus(q, p), minus(r, p)));
    for (const corner of [p, q, r]) { positions.push(...corner); normals.push(...normal); }
  }
  return { position: upload(positions), normal: upload(normals) };
}

function body({ positions, triangles }) {
  const corner = (vertex) => positions.slice(3 * vertex, 3 * vertex + 3);
  return faces(triangles.map((triangle) => triangle.map(corner)));
}

// A half section, turned about the axis.
function turned(section) {
  const ring = (k) => [Math.cos((2 * Math.PI * k) / AROUND), Math.sin((2 * Math.PI * k) / AROUND)];
  const triangles = [];
  for (let i = 0; i + 1 < section.length; i += 1) {
    const [[r, z], [s, y]] = [section[i], section[i + 1]];
    for (let k = 0; k < AROUND; k += 1) {
      const [[c, d], [e, f]] = [ring(k), ring(k + 1)];
      const [a, b, g, h] = [[r * c, r * d, z], [r * e, r * f, z], [s * e, s * f, y], [s * c, s * d, y]];
      if (r > 0) triangles.push([a, b, g]);
      if (s > 0) triangles.push([a, g, h]);
    }
  }
  return faces(triangles);
}

// The instant at a place of the slider: which move, the tip, and the direction to the spindle.
function instant(value) {
  const index = Math.min(data.moves.length - 1, Math.floor(value));
  const move = data.moves[index], share = Math.min(1, value - index);
  const steps = move.tips.length / 3 - 1;
  const step = Math.min(Math.max(steps - 1, 0), Math.floor(share * steps)), rest = steps > 0 ? share * steps - step : 0;
  const mix = (list, fallback) => {
    if (!list.length) return fallback;
    const [p, q] = [step, Math.min(step + 1, list.length / 3 - 1)].map((i) => list.slice(3 * i, 3 * i + 3));
    return p.map((x, i) => x + rest * (q[i] - x));
  };
  return { index, move, share, tip: mix(move.tips, [0, 0, 0]), axis: unit(mix(move.axes, [0, 0, 1])) };
}

function standing(tip, axis) {
  const side = Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const x = unit(cross(side, axis)), y = cross(axis, x);
  return [...x, 0, ...y, 0, ...axis, 0, ...tip, 1];
}

function start() {
  const surface = program(SURFACE), line = program(LINE);
  const bodies = data.bodies.map((one) => ({ ...one, ...body(one) }));
  const tools = new Map(data.tools.map((tool) => [tool.number, tool.sections.map(([label, section]) => ({ label, ...turned(section) }))]));
  const ways = { rapid: [], feed: [], bad: [] };
  const found = new Map();
  // Without a place, nothing is certain from there on.
  const from = (finding) => finding.tip ? finding.at : finding.after;
  data.findings.forEach((finding, row) => found.set(finding.index, [...(found.get(finding.index) || []), { ...finding, row }]));
  data.moves.forEach((move, index) => {
    const list = found.has(index) ? ways.bad : move.rapid ? ways.rapid : ways.feed;
    for (let i = 0; i + 5 < move.tips.length; i += 3) list.push(...move.tips.slice(i, i + 6));
  });
  const lines = [[upload(ways.feed), [0.15, 0.55, 0.30]], [upload(ways.rapid), [0.60, 0.62, 0.66]], [upload(ways.bad), RED]];
  const marks = faces([[[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[-1, 0, 0], [0, 0, 1], [0, 1, 0]], [[1, 0, 0], [0, 0, -1], [0, 1, 0]], [[1, 0, 0], [0, 0, 1], [0, -1, 0]],
    [[-1, 0, 0], [0, 1, 0], [0, 0, -1]], [[-1, 0, 0], [0, -1, 0], [0, 0, 1]], [[1, 0, 0], [0, -1, 0], [0, 0, -1]], [[-1, 0, 0], [0, 0, -1], [0, -1, 0]]]);
  const size = Math.hypot(...minus(data.high, data.low)) || 1;
  const middle = data.low.map((x, i) => 0.5 * (x + data.high[i]));
  const camera = {};
  const home = () => Object.assign(camera, { around: -1.0, above: 0.5, distance: 1.3 * size, target: [...middle] });
  home();
  let asked = false;
  const redraw = () => { if (!asked) { asked = true; requestAnimationFrame(() => { asked = false; draw(); }); } };

  function paint(matrices, buffers, colour, cover, where) {
    gl.useProgram(surface);
    for (const [name, value] of Object.entries({ ...matrices, place: where })) set(surface, name, value);
    set(surface, "colour", colour);
    set(surface, "cover", cover);
    bind(surface, "position", buffers.position);
    bind(surface, "normal", buffers.normal);
    gl.drawArrays(gl.TRIANGLES, 0, buffers.position.count);
  }

  function draw() {
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((x) => Math.max(1, Math.round(x * ratio)));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const now = instant(Number(slider.value));
    const target = at("follow").checked ? now.tip : camera.target;
    const flat = Math.cos(camera.above) * camera.distance;
    const eye = [target[0] + flat * Math.cos(camera.around), target[1] + flat * Math.sin(camera.around), target[2] + camera.distance * Math.sin(camera.above)];
    const matrices = { clip: perspective(0.7, width / height, 0.01 * camera.distance, 4 * camera.distance + 4 * size), view: lookAt(eye, target, [0, 0, 1]) };
    const here = (found.get(now.index) || []).filter((one) => from(one) <= now.share + 0.011);
    const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    gl.useProgram(line);
    for (const [points, colour] of lines) {
      for (const [name, value] of Object.entries(matrices)) set(line, name, value);
      set(line, "colour", colour);
      bind(line, "position", points);
      gl.drawArrays(gl.LINES, 0, points.count);
    }
    for (const piece of tools.get(now.move.tool) || []) {
      const is_bad = here.some((one) => one.piece === piece.label);
      paint(matrices, piece, is_bad ? RED : COLOURS[piece.label], 1, standing(now.tip, now.axis));
    }
    for (const one of here.filter((one) => one.point)) {
      const r = 0.006 * camera.distance, [x, y, z] = one.point;
      paint(matrices, marks, RED, 1, [r, 0, 0, 0, 0, r, 0, 0, 0, 0, r, 0, x, y, z, 1]);
    }
    const through = at("clear").checked ? (one) => one.role === "stock" : () => false;
    for (const one of bodies.filter((one) => !through(one))) {
      paint(matrices, one, here.some((finding) => finding.body === one.name) ? [0.85, 0.45, 0.45] : COLOURS[one.role], 1, identity);
    }
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    // Faces of stock and part often lie in one plane: the stock's are taken as a hair nearer.
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(-1, -1);
    for (const one of bodies.filter(through)) paint(matrices, one, COLOURS[one.role], 0.3, identity);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.depthMask(true);
    say(now, here);
  }

  function say(now, here) {
    const tip = now.tip.map((x) => x.toFixed(2)).join(", ");
    place.textContent = `line ${now.move.line}: ${tip}`;
    const words = here.map((one) => `${one.piece} and ${one.body}`);
    verdict.textContent = here.length ? words.join("; ") : `T${now.move.tool ?? "?"} ${now.move.rapid ? "rapid" : "feed"}`;
    verdict.className = here.length ? "found" : "";
    const rows = at("rows").children;
    for (let row = 0; row < rows.length; row += 1) rows[row].classList.toggle("here", here.some((one) => one.row === row));
  }

  const go = (value) => { slider.value = value; redraw(); };
  const show = (row) => {
    const finding = data.findings[row];
    if (finding) go(Math.min(finding.index + Math.min(from(finding) + 0.01, 0.99), data.moves.length));
  };
  [...at("rows").children].forEach((row, number) => {
    row.addEventListener("click", () => show(number));
    row.addEventListener("keydown", (event) => { if (event.key === "Enter") show(number); });
  });
  const now = () => Number(slider.value);
  at("next").addEventListener("click", () => show(data.findings.findIndex((one) => one.index + from(one) > now())));
  at("back").addEventListener("click", () => show(data.findings.findLastIndex((one) => one.index + from(one) + 0.02 < now())));
  slider.addEventListener("input", redraw);
  for (const id of ["follow", "clear"]) at(id).addEventListener("change", redraw);
  let playing = null;
  const step = (time) => {
    if (!playing) return;
    // The whole program in a minute, but no move in less than a fortieth of a second.
    const speed = Math.min(40, Math.max(1, data.moves.length / 60));
    go(now() + (speed * (time - playing)) / 1000);
    playing = time;
    if (now() >= Number(slider.max)) stop(); else requestAnimationFrame(step);
  };
  const stop = () => { playing = null; at("play").textContent = "Play"; };
  at("play").addEventListener("click", () => {
    if (playing) return stop();
    if (now() >= Number(slider.max)) go(0);
    at("play").textContent = "Stop";
    requestAnimationFrame((time) => { playing = time; requestAnimationFrame(step); });
  });
  canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
  canvas.addEventListener("pointermove", (event) => {
    if (!event.buttons) return;
    if (event.shiftKey || event.buttons > 1) {
      const far = camera.distance / canvas.clientHeight, [c, s] = [Math.cos(camera.around), Math.sin(camera.around)];
      camera.target = camera.target.map((x, i) => x + far * (event.movementX * [s, -c, 0][i] + event.movementY * [0, 0, 1][i]));
    } else {
      camera.around -= 0.008 * event.movementX;
      camera.above = Math.max(-1.5, Math.min(1.5, camera.above + 0.008 * event.movementY));
    }
    redraw();
  });
  canvas.addEventListener("wheel", (event) => { event.preventDefault(); camera.distance *= Math.exp(0.001 * event.deltaY); redraw(); }, { passive: false });
  canvas.addEventListener("dblclick", () => { home(); redraw(); });
  new ResizeObserver(redraw).observe(canvas);
  if (data.findings.length) show(0);
  redraw();
}

if (!data.moves.length) verdict.textContent = "no moves";
else if (gl) start();
else verdict.textContent = "This browser has no WebGL.";
