// Draws the flight with plain WebGL. Vectors and matrices are in matrices.js, before this.

const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const [canvas, slider, follow] = [at("view"), at("slider"), at("follow")];
const gl = canvas.getContext("webgl", { antialias: true });

// ---- Colours and matrices ----
const RED = [0.88, 0.10, 0.18];
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

function times(a, b) {
  return Array.from({ length: 16 }, (_, k) => {
    const [column, row] = [k >> 2, k & 3];
    return [0, 1, 2, 3].reduce((sum, i) => sum + a[i * 4 + row] * b[column * 4 + i], 0);
  });
}

// ---- Programs ----
const SURFACE = [`
  attribute vec3 position, normal;
  uniform mat4 clip, place, view;
  varying vec3 toEye, facing;
  void main() {
    vec4 world = place * vec4(position, 1.0);
    facing = mat3(view[0].xyz, view[1].xyz, view[2].xyz) * (mat3(place[0].xyz, place[1].xyz, place[2].xyz) * normal);
    toEye = -(view * world).xyz;
    gl_Position = clip * view * world;
  }`, `
  precision highp float;
  uniform vec3 colour;
  uniform float glow, cover;
  varying vec3 toEye, facing;
  void main() {
    vec3 n = normalize(facing), e = normalize(toEye), light = normalize(vec3(0.4, 0.9, 0.7));
    float diffuse = max(dot(n, light), 0.0), rim = pow(1.0 - abs(dot(n, e)), 3.0);
    float shine = pow(max(dot(n, normalize(light + e)), 0.0), 40.0);
    gl_FragColor = vec4(colour * (0.34 + 0.66 * diffuse + glow) + vec3(0.25 * shine + 0.10 * rim), 1.0) * cover;
  }`];

// A segment is a strip of constant width on the screen: each corner knows the other end and its side.
const STRIP = [`
  attribute vec3 position, other;
  attribute float side;
  uniform mat4 clip, place, view;
  uniform vec2 size;
  uniform float width;
  void main() {
    vec4 here = view * place * vec4(position, 1.0), there = view * place * vec4(other, 1.0);
    // A little towards the eye, so that the surfaces it lies on do not swallow it.
    here = clip * vec4(here.xyz * 0.996, 1.0);
    there = clip * vec4(there.xyz * 0.996, 1.0);
    vec2 along = (there.xy / there.w - here.xy / here.w) * size;
    along = length(along) > 0.0001 ? normalize(along) : vec2(1.0, 0.0);
    vec2 shift = (vec2(-along.y, along.x) * side - along * 0.2) * width / size;
    gl_Position = here + vec4(shift * here.w, 0.0, 0.0);
  }`, `
  precision mediump float;
  uniform vec3 colour;
  uniform float cover;
  void main() { gl_FragColor = vec4(colour, 1.0) * cover; }`];

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

function bind(used, attributes) {
  for (const [name, buffer, width] of attributes) {
    const slot = gl.getAttribLocation(used, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(slot);
    gl.vertexAttribPointer(slot, width, gl.FLOAT, false, 0, 0);
  }
}

function upload(numbers, buffer = gl.createBuffer()) {
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.DYNAMIC_DRAW);
  return buffer;
}

// ---- Meshes ----
// Smooth normals, three corners a triangle, so that any list of triangles can be drawn alone.
function prepare({ positions, triangles }) {
  const corner = (vertex) => positions.slice(3 * vertex, 3 * vertex + 3);
  const normals = new Float32Array(positions.length);
  for (const [a, b, c] of triangles) {
    const normal = cross(minus(corner(b), corner(a)), minus(corner(c), corner(a)));
    for (const vertex of [a, b, c]) normal.forEach((x, i) => { normals[3 * vertex + i] += x; });
  }
  const normal = (vertex) => unit([...normals.subarray(3 * vertex, 3 * vertex + 3)]);
  return { corners: triangles.map((t) => t.flatMap(corner)), normals: triangles.map((t) => t.flatMap(normal)) };
}

function start() {
  const surface = program(SURFACE), strip = program(STRIP);
  const [ring, wire] = [data.a, data.b].map(prepare);
  for (const body of [ring, wire]) {
    body.all = { position: upload(body.corners.flat()), normal: upload(body.normals.flat()), count: 3 * body.corners.length };
    body.hit = { position: upload([]), normal: upload([]), count: 0 };
  }
  const lines = { position: upload([]), other: upload([]), side: upload([]), count: 0 };
  const camera = {};
  const home = () => Object.assign(camera, { around: -1.15, above: 0.62, distance: 9 });
  home();

  function select(moment) {
    for (const [body, ids] of [[ring, moment.a], [wire, moment.b]]) {
      upload(ids.flatMap((id) => body.corners[id]), body.hit.position);
      upload(ids.flatMap((id) => body.normals[id]), body.hit.normal);
      body.hit.count = 3 * ids.length;
    }
    const [here, there, side] = [[], [], []];
    for (let i = 0; i < moment.segments.length; i += 6) {
      const p = moment.segments.slice(i, i + 3), q = moment.segments.slice(i + 3, i + 6);
      // Seen from the far end left and right change places, hence the signs.
      for (const [end, sign] of [[0, 1], [0, -1], [1, 1], [0, 1], [1, 1], [1, -1]]) {
        here.push(...(end ? q : p));
        there.push(...(end ? p : q));
        side.push(sign);
      }
    }
    upload(here, lines.position); upload(there, lines.other); upload(side, lines.side);
    lines.count = side.length;
  }

  function draw() {
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((x) => Math.max(1, Math.round(x * ratio)));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const moment = data.flight[slider.value];
    const target = follow.checked ? moment.matrix.slice(12, 15) : [0, 0, 0];
    // A narrow window must step back to see as much.
    const distance = camera.distance * (follow.checked ? 0.42 : Math.max(1, (1.45 * height) / width));
    const flat = Math.cos(camera.above) * distance;
    const eye = [target[0] + flat * Math.cos(camera.around), target[1] + flat * Math.sin(camera.around),
      target[2] + distance * Math.sin(camera.above)];
    const matrices = { clip: perspective(0.72, width / height, 0.3, 100), view: lookAt(eye, target, [0, 0, 1]) };
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);

    const use = (used, place, colour, cover) => {
      gl.useProgram(used);
      for (const [name, value] of Object.entries({ ...matrices, place })) {
        gl.uniformMatrix4fv(gl.getUniformLocation(used, name), false, value);
      }
      gl.uniform3fv(gl.getUniformLocation(used, "colour"), colour);
      gl.uniform1f(gl.getUniformLocation(used, "cover"), cover);
    };
    const paint = (part, place, colour, [glow, cover]) => {
      if (!part.count) return;
      use(surface, place, colour, cover);
      gl.uniform1f(gl.getUniformLocation(surface, "glow"), glow);
      bind(surface, [["position", part.position, 3], ["normal", part.normal, 3]]);
      gl.drawArrays(gl.TRIANGLES, 0, part.count);
    };
    const contact = (cover, shine) => {
      if (!lines.count) return;
      for (const [body, place] of [[wire, IDENTITY], [ring, moment.matrix]]) paint(body.hit, place, RED, [0.25, cover]);
      use(strip, moment.matrix, [1.0, 0.93, 0.45], shine);
      gl.uniform2f(gl.getUniformLocation(strip, "size"), width, height);
      gl.uniform1f(gl.getUniformLocation(strip, "width"), 3.2 * ratio);
      bind(strip, [["position", lines.position, 3], ["other", lines.other, 3], ["side", lines.side, 1]]);
      gl.drawArrays(gl.TRIANGLES, 0, lines.count);
    };
    gl.depthFunc(gl.LEQUAL);
    gl.depthMask(true);
    paint(wire.all, IDENTITY, [0.42, 0.53, 0.66], [0, 1]);
    paint(ring.all, moment.matrix, [0.93, 0.70, 0.32], [0, 1]);
    contact(1, 1);
    // What lies behind something shines through faintly.
    gl.depthFunc(gl.GREATER);
    gl.depthMask(false);
    contact(0.22, 0.5);
    gl.depthMask(true);
  }

  // ---- Turning and zooming ----
  let held = null;
  canvas.addEventListener("pointerdown", (event) => { held = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", (event) => {
    if (!held) return;
    camera.around -= (event.clientX - held[0]) * 0.008;
    camera.above = Math.max(-1.5, Math.min(1.5, camera.above + (event.clientY - held[1]) * 0.008));
    held = [event.clientX, event.clientY];
    draw();
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => { held = null; });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    camera.distance = Math.max(1.5, Math.min(40, camera.distance * Math.exp(event.deltaY * 0.001)));
    draw();
  }, { passive: false });
  canvas.addEventListener("dblclick", () => { home(); draw(); });
  follow.addEventListener("change", draw);
  new ResizeObserver(draw).observe(canvas);
  return { select, draw };
}

// ---- The flight ----
const picture = gl ? start() : { select() {}, draw() {} };
if (!gl) at("hint").textContent = "this browser has no WebGL: numbers only";

function show() {
  const pose = Number(slider.value), moment = data.flight[pose], verdict = at("verdict");
  const touching = moment.contacts > 0;
  verdict.textContent = touching ? `touching: ${moment.contacts} triangle pair${moment.contacts > 1 ? "s" : ""}` : "free";
  verdict.className = touching ? "touching" : "free";
  at("pose").textContent = `pose ${pose}`;
  const plot = at("plot"), [left, right] = [plot.dataset.left, plot.dataset.right].map(Number);
  const x = left + ((right - left) * pose) / (data.flight.length - 1);
  for (const end of ["x1", "x2"]) at("cursor").setAttribute(end, x);
  picture.select(moment);
  picture.draw();
}

let flying = 0;
function fly(on) {
  clearInterval(flying);
  flying = on ? setInterval(() => { slider.value = (Number(slider.value) + 1) % data.flight.length; show(); }, 40) : 0;
  at("play").textContent = on ? "Pause" : "Fly";
}
at("play").addEventListener("click", () => fly(!flying));
slider.addEventListener("input", () => { fly(false); show(); });

function go(event) {
  const plot = at("plot"), box = plot.getBoundingClientRect();
  const [left, right] = [plot.dataset.left, plot.dataset.right].map(Number);
  const x = ((event.clientX - box.left) / box.width) * plot.viewBox.baseVal.width;
  slider.value = Math.round(((x - left) / (right - left)) * (data.flight.length - 1));
  fly(false);
  show();
}
at("plot").addEventListener("pointerdown", go);
at("plot").addEventListener("pointermove", (event) => { if (event.buttons) go(event); });

for (const box of document.querySelectorAll("input[data-volume]")) {
  const line = document.querySelector(`polyline[data-volume="${box.dataset.volume}"]`);
  const set = () => line.classList.toggle("hidden", !box.checked);
  box.addEventListener("change", set);
  set();
}
show();
