// The viewer and the clash report in a real browser: load, drag, turn, see the shown distance equal the command's, draw volumes, play a flight.
// Run by scripts/test-viewer, which says where the command and the browser are. With SHOTS set, pictures are left in that folder.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
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
async function view(...parameters) {
  const server = spawn(NEARHIT, ["view", "--no-open", ...parameters], { cwd: FOLDER });
  servers.push(server);
  const url = await new Promise((found, failed) => {
    let text = "";
    server.stdout.on("data", (bytes) => {
      text += bytes;
      const match = text.match(/http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\//);
      if (match) found(match[0]);
    });
    server.on("exit", () => failed(new Error(`nearhit view ended: ${text}`)));
  });
  const page = await open(url);
  await page.waitForFunction(() => document.body.dataset.ready === "yes");
  return { page, url };
}

async function open(url) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
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

// What the command says where the page says that the bodies are.
function commands(a, b, places) {
  const where = JSON.parse(places).flatMap(({ rotation, translation }, i) => [`--${"ab"[i]}-quaternion=${rotation.join(" ")}`, `--${"ab"[i]}-translate=${translation.join(" ")}`]);
  return JSON.parse(run("distance", a, b, ...where, "--json")).upper;
}

function near(found, expected) {
  assert.ok(Math.abs(found - expected) <= 1e-12 * Math.max(1, expected), `${found} is not ${expected}`);
}

// A colour in the picture that neither body nor background has.
const reddish = (page) => page.evaluate(() => {
  const from = document.getElementById("view"), copy = document.createElement("canvas");
  Object.assign(copy, { width: from.width, height: from.height });
  const context = copy.getContext("2d");
  context.drawImage(from, 0, 0);
  const { data } = context.getImageData(0, 0, copy.width, copy.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200 && data[i] > 180 && data[i + 1] < 80 && data[i + 2] < 110) count++;
  return count;
});

const PISTON = ["cases/engine/a.obj", "cases/engine/b.obj"];

test("a dragged body's distance is the command's", async () => {
  const { page } = await view(...PISTON, "--a-translate", "0 0 3.5");
  let told = await shown(page);
  assert.equal(told.distance, commands(...PISTON, told.places));
  await shot(page, "view");
  const screen = (...what) => page.evaluate((what) => window.onScreen(...what), what);
  await page.mouse.click(...(await screen(0)));
  assert.equal((await shown(page)).picked, "0");
  const drag = async (axis, [dx, dy]) => {
    const from = await screen(0, axis);
    await page.mouse.move(...from);
    await page.mouse.down();
    for (const share of [0.25, 0.5, 0.75, 1]) await page.mouse.move(from[0] + share * dx, from[1] + share * dy);
    await page.mouse.up();
    await settled(page);
  };
  await drag(2, [0, -60]);
  const moved = await shown(page);
  assert.ok(JSON.parse(moved.places)[0].translation[2] > 3.6 && moved.distance > told.distance, moved.places);
  near(moved.distance, commands(...PISTON, moved.places));
  await page.keyboard.press("r");
  await drag(0, [15, 45]);
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
  assert.ok((await reddish(page)) > 20, "contacts are drawn");
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
  const plot = await page.locator("#plot").boundingBox();
  await page.mouse.click(plot.x + plot.width * 0.5, plot.y + plot.height * 0.5);
  await page.waitForFunction(() => document.body.dataset.pose !== "44");
  await shot(page, "flight");
  await page.close();
});

test("the clash report has pictures, sorts, filters and fetches nothing", async () => {
  const report = join(FOLDER, "clashes.html");
  run("clash", "cases/assembly/assembly.glb", "--clearance", "0.05", "--html", "clashes.html");
  assert.ok(existsSync(report));
  const page = await open(`file://${report}`);
  await page.waitForFunction(() => document.querySelector("figure canvas").width !== 300);
  const drawn = await page.evaluate(() => {
    const canvas = document.querySelector("figure canvas"), { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return data.filter((value, i) => i % 4 === 3 && value > 100).length / (canvas.width * canvas.height);
  });
  assert.ok(drawn > 0.03, `the first picture is drawn: ${drawn}`);
  await page.setViewportSize({ width: 1500, height: 1000 });
  await shot(page, "clash");
  const rows = await page.locator("tbody tr").count();
  assert.equal(await page.locator("figure").count(), rows);
  await page.click("th:nth-child(3)");
  const names = await page.locator("tbody tr td:nth-child(3)").allTextContents();
  assert.deepEqual(names, [...names].sort((p, q) => p.localeCompare(q)));
  await page.locator("input[data-class=hard]").uncheck();
  assert.equal(await page.locator("tbody tr:visible .hard").count(), 0);
  await page.fill("#find", "fit-");
  assert.ok((await page.locator("tbody tr:visible").count()) < rows);
  await page.fill("#find", "");
  await page.locator("input[data-class=hard]").check();
  await page.close();
});
