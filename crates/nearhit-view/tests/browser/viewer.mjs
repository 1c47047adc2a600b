// The viewer, the simulator and the clash report in a real browser: load, drag, turn, see the shown distance equal the command's, draw volumes, play a flight, refine under a budget, steer.
// Run by scripts/test-viewer, which says where the command and the browser are. With SHOTS set, pictures are left in that folder.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const { NEARHIT, CHROMIUM, FOLDER, SHOTS } = process.env;
const run = (...parameters) => {
  try {
    return execFileSync(NEARHIT, parameters, { cwd: FOLDER, encoding: "utf8" });
  } catch (error) {
    // A clash is exit code 1.
    if (error.status === 1) return error.stdout;
    throw error;
  }
};

let browser;
const servers = [];
before(async () => {
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"] });
  run("cases", "engine", "rings", "assembly", "--quick", "--parts", "45");
});
after(async () => {
  await browser?.close();
  servers.forEach((server) => server.kill());
});

// A page on a server of its own. What the page complains about or fetches from elsewhere fails the test.
const view = (...parameters) => show("view", ...parameters);
async function show(command, ...parameters) {
  const server = spawn(NEARHIT, [command, "--no-open", ...parameters], { cwd: FOLDER });
  servers.push(server);
  const url = await new Promise((found, failed) => {
    let text = "";
    server.stdout.on("data", (bytes) => {
      text += bytes;
      const match = text.match(/http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\//);
      if (match) found(match[0]);
    });
    server.on("exit", () => failed(new Error(`nearhit ${command} ended: ${text}`)));
  });
  const page = await open(url);
  await page.waitForFunction(() => document.body.dataset.ready === "yes");
  return { page, url, server };
}

async function open(url) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  // Generous: the machine may be busy with other things.
  page.setDefaultTimeout(120_000);
  page.on("pageerror", (error) => assert.fail(`the page complains: ${error.message}`));
  page.on("request", (request) => assert.ok(request.url().startsWith(url) || request.url().endsWith("favicon.ico"), `fetched ${request.url()}`));
  await page.goto(url);
  return page;
}

async function shot(page, name) {
  if (!SHOTS) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.jpg`), type: "jpeg", quality: 80 });
}

// The latest question is answered.
const settled = (page) => page.waitForFunction(() => !document.body.dataset.busy);

const shown = (page) => page.evaluate(() => ({ ...document.body.dataset, distance: Number(document.getElementById("distance").dataset.exact) }));

const screen = (page, ...what) => page.evaluate((what) => window.onScreen(...what), what);

// By the handle of an axis.
async function drag(page, axis, [dx, dy]) {
  const from = await screen(page, 0, axis);
  await page.mouse.move(...from);
  await page.mouse.down();
  for (const share of [0.25, 0.5, 0.75, 1]) await page.mouse.move(from[0] + share * dx, from[1] + share * dy);
  await page.mouse.up();
  await settled(page);
}

// What the command says where the page says that the bodies are.
function commands(a, b, places) {
  const where = JSON.parse(places).flatMap(({ rotation, translation }, i) => [`--${"ab"[i]}-quaternion=${rotation.join(" ")}`, `--${"ab"[i]}-translate=${translation.join(" ")}`]);
  return JSON.parse(run("distance", a, b, ...where, "--json")).upper;
}

function near(found, expected) {
  assert.ok(Math.abs(found - expected) <= 1e-12 * Math.max(1, expected), `${found} is not ${expected}`);
}

// How much of the picture has a colour that neither body nor background has.
const RED = [180, 255, 0, 79, 0, 109], AMBER = [150, 255, 90, 190, 0, 60];
const count = (page, range = RED) => page.evaluate(([r0, r1, g0, g1, b0, b1]) => {
  const from = document.getElementById("view"), copy = document.createElement("canvas");
  Object.assign(copy, { width: from.width, height: from.height });
  const context = copy.getContext("2d");
  context.drawImage(from, 0, 0);
  const { data } = context.getImageData(0, 0, copy.width, copy.height);
  let count = 0;
  const within = (x, low, high) => x >= low && x <= high;
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200 && within(data[i], r0, r1) && within(data[i + 1], g0, g1) && within(data[i + 2], b0, b1)) count++;
  return count;
}, range);

const PISTON = ["cases/engine/a.obj", "cases/engine/b.obj"];

test("a dragged body's distance is the command's", async () => {
  const { page } = await view(...PISTON, "--a-translate", "0 0 3.5");
  let told = await shown(page);
  assert.equal(told.distance, commands(...PISTON, told.places));
  await shot(page, "view");
  await page.mouse.click(...(await screen(page, 0)));
  assert.equal((await shown(page)).picked, "0");
  await drag(page, 2, [0, -60]);
  const moved = await shown(page);
  assert.ok(JSON.parse(moved.places)[0].translation[2] > 3.6 && moved.distance > told.distance, moved.places);
  near(moved.distance, commands(...PISTON, moved.places));
  await page.keyboard.press("r");
  await drag(page, 0, [15, 45]);
  const turned = await shown(page);
  assert.notDeepEqual(JSON.parse(turned.places)[0].rotation, [0, 0, 0, 1]);
  near(turned.distance, commands(...PISTON, turned.places));
  await page.click("#home");
  await page.waitForFunction((distance) => Number(document.getElementById("distance").dataset.exact) === distance, told.distance);
  await page.close();
});

test("contacts are red, and every volume is drawn by level", async () => {
  const { page } = await view(...PISTON, "--a-translate", "0.3 0 0.9");
  assert.equal((await shown(page)).distance, 0);
  assert.ok((await count(page)) > 20, "contacts are drawn");
  assert.ok(!(await page.locator("#volume").isVisible()), "research is folded away");
  await page.click("#research > summary");
  const volumes = await page.locator("#volume option").evaluateAll((options) => options.map((option) => option.value).filter(Boolean));
  assert.ok(volumes.length >= 14 && volumes.includes("kdop18") && volumes.includes("rss"));
  for (const volume of volumes) {
    await page.selectOption("#volume", volume);
    await page.waitForFunction(() => document.getElementById("level-shown").textContent.startsWith("level"));
  }
  await page.selectOption("#volume", "kdop18");
  for (const level of [0, 3]) {
    await page.locator("#level").fill(String(level));
    await page.waitForFunction((level) => document.getElementById("level-shown").textContent.startsWith(`level ${level} of`), level);
    assert.ok(Number((await shown(page)).hulls) >= 2 ** Math.min(level, 2));
  }
  await page.selectOption("#volume", "");
  await page.locator("#apart").check();
  await page.waitForFunction(() => [...document.querySelectorAll("#labels output")].every((label) => label.textContent.includes("N_v ")));
  assert.equal(await page.locator("#labels output").count(), 4);
  await shot(page, "side-by-side");
  await page.locator("#apart").uncheck();
  await page.waitForFunction(() => document.getElementById("labels").hidden);
  await page.click("#compare");
  await page.waitForSelector("#table tbody tr");
  assert.equal(await page.locator("#table tbody tr").count(), volumes.length);
  await page.close();
});

test("a flight is played and scrubbed", async () => {
  const { page } = await view("cases/rings");
  await page.click("#play");
  await page.waitForFunction(() => Number(document.body.dataset.pose) >= 3);
  await page.click("#play");
  const lines = run("run", "cases/rings", "--query", "distance", "--per-pose", "poses.jsonl", "--json");
  assert.equal(JSON.parse(lines).poses, Number(await page.getAttribute("#pose", "max")) + 1);
  const poses = readFileSync(join(FOLDER, "poses.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line));
  for (const pose of [0, 7, 44]) {
    await page.locator("#pose").fill(String(pose));
    await page.waitForFunction((pose) => Number(document.body.dataset.pose) === pose, pose);
    await settled(page);
    near((await shown(page)).distance, poses[pose].upper);
  }
  // The plot is the clearance: its lowest point is the smallest, and is named.
  const heights = (await page.getAttribute("#plot polyline", "points")).split(" ").map((point) => Number(point.split(",")[1]));
  const lowest = poses.reduce((best, { upper }, i) => (upper < poses[best].upper ? i : best), 0);
  assert.equal(heights.length, poses.length);
  assert.equal(Math.max(...heights), heights[lowest]);
  assert.ok((await page.textContent("#plot")).includes(`at pose ${lowest}`));
  const plot = await page.locator("#plot").boundingBox();
  await page.mouse.click(plot.x + plot.width * 0.5, plot.y + plot.height * 0.5);
  await page.waitForFunction(() => document.body.dataset.pose !== "44");
  await shot(page, "flight");
  await page.close();
});

test("a refinement under a budget is the command's, and narrower with more of it", async () => {
  const where = ["--a-translate", "0.36 0.2 0.42", "--a-euler", "70 20 0"];
  const { page } = await view("cases/rings/a.obj", "cases/rings/b.obj", ...where);
  await page.click("#research > summary");
  await page.locator("#refine").check();
  await page.waitForFunction(() => document.body.dataset.refined);
  // The command refines poses of a case: this one.
  const matrix = ([x, y, z, w]) => [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];
  const budget = async (power) => {
    const work = Math.round(10 ** power);
    await page.locator("#budget").fill(String(power));
    await page.waitForFunction((work) => JSON.parse(document.body.dataset.refined).budget.work === work, work);
    await settled(page);
    return page.evaluate(() => ({ ...document.getElementById("interval").dataset, level: document.getElementById("reached").dataset.level, answer: document.getElementById("answer").className, places: JSON.parse(document.body.dataset.refined).places }));
  };
  mkdirSync(join(FOLDER, "here"), { recursive: true });
  for (const body of ["a", "b"]) writeFileSync(join(FOLDER, "here", `${body}.obj`), readFileSync(join(FOLDER, `cases/rings/${body}.obj`)));
  let widest = Infinity;
  const answers = new Set();
  for (const power of [0.5, 1.5, 2.3, 3]) {
    const told = await budget(power);
    writeFileSync(join(FOLDER, "here", "poses.txt"), `${told.places.map(({ rotation, translation }) => [...matrix(rotation), ...translation].join(" ")).join(" ")}\n`);
    run("run", "here", "--query", "refine", "--work", String(Math.round(10 ** power)), "--per-pose", "refined.jsonl", "--json");
    const { lower, upper, level, collides } = JSON.parse(readFileSync(join(FOLDER, "refined.jsonl"), "utf8"));
    near(Number(told.lower), lower);
    near(Number(told.upper), upper);
    assert.deepEqual([Number(told.level), told.answer], [level, { true: "yes", false: "no", null: "maybe" }[collides]]);
    const width = told.upper - told.lower;
    assert.ok(width <= widest, `${width} after ${widest}`);
    widest = width;
    answers.add(told.answer);
    if (power === 2.3) await shot(page, "refine");
  }
  assert.deepEqual([...answers], ["maybe", "no"]);
  // Live while a body is dragged: what is known is about where it is now.
  const before = await shown(page);
  // Its middle is a hole: it is picked at one of its vertices, of those that are not at its edge for the eye.
  for (let vertex = 0; vertex < 128 && (await shown(page)).picked !== "0"; vertex += 9) await page.mouse.click(...(await screen(page, 0, undefined, vertex)));
  await drag(page, 2, [0, -50]);
  const after = await shown(page);
  assert.notEqual(after.places, before.places);
  assert.deepEqual(JSON.parse(after.refined).places, JSON.parse(after.places));
  const { lower, upper } = await page.evaluate(() => ({ ...document.getElementById("interval").dataset }));
  assert.ok(Number(lower) <= after.distance && after.distance <= Number(upper));
  await page.close();
});

test("likely pairs are drawn as volumes of both bodies, and go when they are not asked for", async () => {
  // A ring through a ring: they touch.
  const { page } = await view("cases/rings/a.obj", "cases/rings/b.obj");
  await page.click("#research > summary");
  const drawn = () => page.evaluate(() => window.hullsDrawn());
  assert.deepEqual(await drawn(), [0, 0]);
  await page.locator("#likely").check();
  await page.waitForFunction(() => document.body.dataset.likely);
  await settled(page);
  const told = JSON.parse((await shown(page)).likely);
  assert.deepEqual(told.places, JSON.parse((await shown(page)).places));
  assert.ok(told.probability >= 0 && told.probability <= 1 && told.pairs.every((p) => p >= 0.99));
  assert.equal((await drawn()).every((count) => count > 0), told.pairs.length > 0);
  assert.match(await page.textContent("#likely-shown"), new RegExp(`^${told.pairs.length} pair`));
  await shot(page, "likely");
  // Volumes of a level take their place, and they that of the volumes.
  await page.selectOption("#volume", "obb");
  await page.waitForFunction(() => document.body.dataset.hulls);
  assert.equal(await page.locator("#likely").isChecked(), false);
  await page.locator("#likely").check();
  await settled(page);
  assert.equal(await page.inputValue("#volume"), "");
  await page.locator("#likely").uncheck();
  await settled(page);
  await page.waitForFunction(() => window.hullsDrawn().every((count) => count === 0));
  await page.close();
});

test("a ship is steered, drones fly, contacts and maybes are shown", async () => {
  writeFileSync(join(FOLDER, "fleet.json"), JSON.stringify({ ship: "cases/rings/a.obj", drones: [{ mesh: "cases/rings/b.obj", count: 8 }], room: 3 }));
  const fly = ["--scene", "fleet.json", "--detect", "exact", "--seed", "4"];
  const { page, server } = await show("fly", ...fly, "--csv", "live.csv");
  const state = () => page.evaluate(() => JSON.parse(document.body.dataset.state));
  const beyond = (frame) => page.waitForFunction((frame) => Number(document.body.dataset.frame) > frame, frame);
  // Once it flies: frame 0 is then that of the restart, and no frame is under way.
  await beyond(0);
  await page.keyboard.press(" ");
  await page.keyboard.press("r");
  await page.waitForFunction(() => document.body.dataset.frame === "0");
  const begin = await state();
  // Frame by frame with keys held; another flight is asked for the same by hand, and where the page draws every ship is where that says they are.
  const other = spawn(NEARHIT, ["fly", "--no-open", ...fly], { cwd: FOLDER });
  servers.push(other);
  const url = await new Promise((found) => other.stdout.on("data", (bytes) => { const match = String(bytes).match(/http:\S+/); if (match) found(match[0]); }));
  const step = async (keys) => {
    const { frame } = await state();
    await page.keyboard.press("n");
    await beyond(frame);
    const told = await state();
    const response = await fetch(`${url}frame`, { method: "POST", body: JSON.stringify({ detect: "exact", budget_us: 1e5, keys }) });
    assert.deepEqual((await response.json()).places, told.places);
    await page.waitForFunction((places) => places.every((place, i) => window.drawn(i).every((x, k) => Math.abs(x - place[k]) < 1e-9)), told.places);
    return told.places;
  };
  const HELD = [["w", 1, [0, 0, 0]], ["s", -1, [0, 0, 0]], ["ArrowUp", 0, [-1, 0, 0]], ["ArrowDown", 0, [1, 0, 0]], ["ArrowLeft", 0, [0, 1, 0]], ["d", 0, [0, -1, 0]], ["e", 0, [0, 0, 1]], ["q", 0, [0, 0, -1]]];
  for (const [key, thrust, turning] of HELD) {
    await page.keyboard.down(key);
    await step({ thrust, turning });
    await page.keyboard.up(key);
  }
  await page.keyboard.down("w");
  for (let i = 0; i < 5; i++) await step({ thrust: 1, turning: [0, 0, 0] });
  await page.keyboard.up("w");
  const { places } = await state(), way = (i) => Math.hypot(...[4, 5, 6].map((k) => places[i][k] - begin.places[i][k]));
  assert.ok(way(0) > 0.02, `the ship has moved by ${way(0)}`);
  assert.ok(places.slice(1).every((_, i) => way(i + 1) > 0.01), "drones move by themselves");
  // A contact is red, and is named.
  const until = async (wanted) => {
    for (let i = 0; i < 300 && !(await state()).hits.some(wanted); i++) {
      const { frame } = await state();
      await page.keyboard.press("n");
      await beyond(frame);
    }
    await page.waitForTimeout(100);
  };
  await until(() => true);
  assert.ok((await state()).hits.every(({ certain }) => certain));
  await page.keyboard.press("c");
  await page.waitForSelector("#contacts .certain");
  await page.waitForTimeout(100);
  assert.ok((await count(page)) > 50, "contacts are red");
  assert.equal(await count(page, AMBER), 0, "and nothing is amber");
  // With fifty microseconds for a frame spheres do not decide everything.
  await page.click("#detect [value=octree]");
  await page.locator("#budget").fill("1.7");
  await until(({ certain }) => !certain);
  await page.waitForSelector("#contacts .maybe");
  const hurried = await state();
  assert.equal(hurried.detect, "octree");
  assert.ok(Math.abs(hurried.budget_us - 10 ** 1.7) < 1e-2);
  assert.ok((await count(page, AMBER)) > 50, "undecided pairs are amber");
  await page.click("#restart");
  await page.waitForFunction(() => document.body.dataset.frame === "0");
  await page.click("#detect [value=medial]");
  await page.locator("#budget").fill("2");
  await page.keyboard.press("p");
  await page.keyboard.press(" ");
  await beyond(25);
  assert.ok((await page.locator("#plot polyline").count()) === 6 && (await page.textContent("#took-frame")).match(/\d/));
  // Drawing counts: detection gets what it leaves of a second, and the frame has it.
  assert.equal((await state()).times.drawing, 0);
  await page.locator("#budget").fill("6");
  await page.locator("#counts").check();
  await beyond((await state()).frame + 12);
  const { allotted, drawing, frame: whole } = (await state()).times;
  assert.ok(drawing > 100 && allotted < 1e6 - 100 && whole >= 1e6 - 1, `${drawing} µs to draw, ${allotted} for detection`);
  // Ctrl-C ends it: it says what the frames took, and the page that it is over.
  const said = new Promise((all) => { let text = ""; server.stdout.on("data", (bytes) => { text += bytes; }); server.on("exit", (code) => all([code, text])); });
  server.kill("SIGINT");
  const [code, text] = await said;
  assert.ok(code === 0 && text.includes("of them certain") && text.includes("by the wall clock"), text);
  await page.waitForFunction(() => document.getElementById("verdict").textContent === "nearhit fly has ended");
  const lines = readFileSync(join(FOLDER, "live.csv"), "utf8").trim().split("\n");
  assert.equal(lines.length - 1, Number(text.match(/(\d+) frames/)[1]));
  other.kill();
  await page.close();
});

test("a robot's sliders move it, the closest pair and contacts are the command's", async () => {
  run("robot", "example", "-o", "arm.urdf");
  const { page } = await view("arm.urdf", "--srdf", "arm.srdf", "--world", "ball=ball:0.15@0.9,0.6,0.3", "--world", "tube=cylinder:0.1,0.5@-0.8,0.5,0.25");
  const told = async () => ({ q: JSON.parse(await page.evaluate(() => document.body.dataset.q)), distance: await page.evaluate(() => document.getElementById("distance").dataset.exact), pairs: await page.locator("#pairs tr td:first-child").allTextContents() });
  const check = async () => {
    await settled(page);
    const { q, distance, pairs } = await told();
    const found = JSON.parse(run("robot", "check", "arm.urdf", "--srdf", "arm.srdf", "--world", "ball=ball:0.15@0.9,0.6,0.3", "--world", "tube=cylinder:0.1,0.5@-0.8,0.5,0.25", "--q", q.join(" "), "--json")).found[0];
    near(Number(distance), found.closest.upper);
    assert.deepEqual(pairs, found.pairs.map((pair) => pair.join(" and ")));
    assert.equal(await page.locator("#verdict.touching").count(), found.collides ? 1 : 0);
    return found;
  };
  assert.equal(await page.locator("#sliders input[type=range]").count(), 5);
  const before = await page.evaluate(() => window.drawn(3));
  await check();
  const free = await count(page);
  assert.ok(free < 20, `${free} red points, and nothing touches`);
  await shot(page, "robot");
  // With the keyboard, as a hand would: the arm moves, and is not where it was.
  await page.getByLabel("lift", { exact: true }).focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowRight");
  await settled(page);
  assert.notDeepEqual(await page.evaluate(() => window.drawn(3)), before);
  await check();
  // Into itself: red, and named.
  await page.getByLabel("lift", { exact: true }).fill("1.9");
  await page.getByLabel("elbow", { exact: true }).fill("2.5");
  await page.waitForSelector("#verdict.touching");
  assert.ok((await check()).pairs.length > 2);
  assert.ok((await count(page)) > 200, "what touches is red");
  await shot(page, "robot-touching");
  // A state of the SRDF, a number that is typed, and back.
  await page.selectOption("#state", "rest");
  await check();
  await page.getByLabel("elbow, as a number").fill("1.25");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => JSON.parse(document.body.dataset.q).includes(1.25));
  await check();
  await page.click("#random");
  await check();
  await page.click("#neutral");
  await settled(page);
  assert.deepEqual(await page.evaluate(() => window.drawn(3)), before);
  await page.close();
});

// The paper's ten lamps; the picture for whoever wants one.
test("the built-in fleet flies", { skip: !SHOTS }, async () => {
  const { page } = await show("fly", "--budget-us", "150");
  await page.keyboard.press("c");
  await page.keyboard.press("p");
  await page.waitForFunction(() => Number(document.body.dataset.frame) > 60);
  await page.waitForFunction(() => { const { hits } = JSON.parse(document.body.dataset.state); return hits.some(({ certain }) => certain) && hits.some(({ certain }) => !certain); });
  await page.keyboard.press(" ");
  await page.waitForTimeout(200);
  await shot(page, "fly");
  await page.close();
});

test("the clash report shows findings and the whole, sorts, filters, links, keeps statuses and fetches nothing", async () => {
  const report = join(FOLDER, "clashes.html");
  run("clash", "cases/assembly/assembly.glb", "--clearance", "0.05", "--unit", "mm", "--group-by", "names", "--html", "clashes.html");
  assert.ok(existsSync(report));
  const page = await open(`file://${report}`);
  const drawn = (index) => page.waitForFunction((index) => document.body.dataset.drawn === index, String(index));
  // Shares of the picture that are covered, and red.
  const seen = () => page.evaluate(() => {
    const from = document.querySelector("canvas"), copy = document.createElement("canvas");
    Object.assign(copy, { width: from.width, height: from.height });
    const context = copy.getContext("2d");
    context.drawImage(from, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    let [covered, red] = [0, 0];
    for (let i = 0; i < data.length; i += 4) {
      covered += data[i + 3] > 100 ? 1 : 0;
      red += data[i + 3] > 100 && data[i] > 1.4 * data[i + 1] && data[i] > 1.2 * data[i + 2] ? 1 : 0;
    }
    return { covered: 4 * covered / data.length, red: 4 * red / data.length };
  });
  await drawn(0);
  await page.setViewportSize({ width: 1500, height: 1000 });
  await page.waitForTimeout(300);
  await shot(page, "clash");
  // The first is a hard clash: what both share is red, and large in the picture; its depth is written beside it.
  const first = await seen();
  assert.ok(first.covered > 0.1 && first.red > 0.01 && first.red < first.covered, JSON.stringify(first));
  assert.match(await page.textContent("#label"), /^[\d.e-]+ mm deep$/);
  // Without neighbours there is less to see, or as much.
  await page.keyboard.press("i");
  await page.waitForTimeout(200);
  assert.ok((await seen()).covered <= first.covered + 1e-3);
  await page.keyboard.press("i");
  // A section cuts away what is near the eye.
  await page.locator("#section").fill("70");
  await page.waitForTimeout(200);
  assert.ok((await seen()).covered < first.covered);
  await page.locator("#section").fill("0");
  // Next and previous, by keys; the address names the finding, and opens it elsewhere.
  await page.keyboard.press("j");
  await drawn(1);
  const second = await page.locator("tbody tr.here").getAttribute("data-id");
  assert.equal(await page.evaluate(() => location.hash), `#${second}`);
  const elsewhere = await open(`file://${report}`);
  await elsewhere.evaluate((id) => { location.hash = id; }, second);
  await elsewhere.waitForFunction(() => document.body.dataset.drawn === "1");
  await elsewhere.close();
  await page.keyboard.press("k");
  await drawn(0);
  // A status is there again in the next visit, and in what is exported.
  await page.selectOption("#status", "accepted");
  await page.reload();
  await drawn(0);
  assert.equal(await page.inputValue("#status"), "accepted");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#export")]);
  const exported = JSON.parse(readFileSync(await download.path(), "utf8")).findings;
  assert.deepEqual(exported.map(({ status }) => status === "accepted"), exported.map((_, index) => index === 0));
  await page.selectOption("#with-status", "accepted");
  assert.equal(await page.locator("tbody tr").count(), 1);
  await page.selectOption("#with-status", "");
  const rows = await page.locator("tbody tr").count();
  assert.equal(rows, exported.length);
  await page.click("th:nth-child(3)");
  const names = await page.locator("tbody tr td:nth-child(3)").allTextContents();
  assert.deepEqual(names, [...names].sort((p, q) => p.localeCompare(q)));
  await page.locator("input[data-class=hard]").uncheck();
  assert.equal(await page.locator("tbody tr .hard").count(), 0);
  await page.locator("input[data-class=hard]").check();
  await page.fill("#find", "fit-");
  assert.ok((await page.locator("tbody tr").count()) < rows);
  // Two sets: in whatever order, and no part is in both.
  await page.fill("#find", "");
  const pair = await page.locator("tbody tr:first-child td:nth-child(n+3):nth-child(-n+4)").allTextContents();
  await page.fill("#find", `${pair[1]} : ${pair[0]}`);
  assert.equal(await page.locator("tbody tr").count(), 1);
  await page.fill("#find", `${pair[0]} : ${pair[0]}`);
  assert.equal(await page.locator("tbody tr").count(), 0);
  await page.fill("#find", "");
  const group = page.locator("#group option").nth(1);
  await page.selectOption("#group", await group.getAttribute("value"));
  assert.ok((await group.textContent()).startsWith(`${await page.locator("tbody tr").count()} ×`));
  await page.selectOption("#group", "");
  // The whole: a mark at each finding, which a click chooses.
  await page.click("#overview");
  await drawn(-1);
  await shot(page, "clash-overview");
  assert.ok((await seen()).covered > 0.02);
  const [x, y] = await page.evaluate(() => { const box = document.querySelector("canvas").getBoundingClientRect(), [x, y] = onScreen(everything().spots[0].at); return [box.x + x, box.y + y]; });
  await page.mouse.click(x, y);
  await page.waitForFunction(() => document.body.dataset.drawn !== "-1");
  await page.close();
});

test("the page of an NC check is scrubbed through, and goes to its findings", async () => {
  const report = join(FOLDER, "nc.html");
  run("nc", "--demo", "--html", "nc.html");
  assert.ok(existsSync(report));
  const page = await open(`file://${report}`);
  await page.setViewportSize({ width: 1500, height: 1000 });
  const look = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
    // The drawing is gone once it is shown: asked for again, and read before that.
    document.getElementById("slider").dispatchEvent(new Event("input"));
    requestAnimationFrame(() => {
      const canvas = document.getElementById("view"), gl = canvas.getContext("webgl"), data = new Uint8Array(4 * canvas.width * canvas.height);
      gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, data);
      let [drawn, red] = [0, 0];
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] > 0) drawn += 1;
        if (data[i] > 60 && data[i] > 3 * data[i + 1] && data[i] > 2 * data[i + 2]) red += 1;
      }
      done({ drawn: drawn / (canvas.width * canvas.height), red });
    });
  }))));
  // A drawing that was under way already may be shown before it is read: then once more.
  const colours = async () => {
    let seen = await look();
    for (let tries = 0; seen.drawn === 0 && tries < 50; tries += 1) seen = await look();
    return seen;
  };
  const rows = await page.locator("#rows tr").count();
  assert.ok(rows > 2, `${rows} findings`);
  // It begins at the first finding: the piece of the tool is red.
  assert.match(await page.textContent("#verdict"), / and /);
  const first = await colours();
  assert.ok(first.drawn > 0.03 && first.red > 100, JSON.stringify(first));
  await shot(page, "nc");
  await page.click(`#rows tr:nth-child(${rows})`);
  // What is said changes with the drawing, a frame after the click.
  const line = (await page.textContent(`#rows tr:nth-child(${rows}) td:first-child`)).trim();
  await page.waitForFunction((line) => document.getElementById("place").textContent.startsWith(`line ${line}:`), line);
  const last = await page.textContent("#place");
  await page.click("#back");
  await page.waitForFunction((last) => document.getElementById("place").textContent !== last, last);
  await page.evaluate(() => { const slider = document.getElementById("slider"); slider.value = 0; slider.dispatchEvent(new Event("input")); });
  await page.waitForFunction(() => !document.getElementById("verdict").classList.contains("found"));
  await page.click("#play");
  await page.waitForFunction(() => Number(document.getElementById("slider").value) > 0.2);
  await page.click("#play");
  await page.close();
});
