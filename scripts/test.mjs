// `npm test`: every check there is. The last line counts every test and every other check.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { main } from './run-node24.mjs';
import { ensureNodeModules, root, toolEnvironment } from './setup.mjs';
import { ensureSystemPrograms, programsFor } from './system-programs.mjs';

const total = { passed: 0, failed: 0 };

function count({ passed, failed }) {
  total.passed += passed;
  total.failed += failed;
}

/** Runs a check and shows what it printed when it fails. */
async function check(name, command, args) {
  const startedAt = Date.now();
  const { code, output } = await run(command, args, 'pipe');
  report(name, code === 0, startedAt, output);
}

function report(name, isPassed, startedAt, output = '') {
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${isPassed ? '✓' : '✗'} ${name}  ${seconds} s`);
  if (!isPassed && output) console.log(output.trimEnd());
  count(isPassed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
}

function run(command, args, stdio) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: toolEnvironment(),
      stdio: ['ignore', stdio, stdio],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Two at a time: what the smallest machine this is meant for can do at once. */
async function inPairs(steps) {
  const waiting = [...steps];
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) await step();
  };
  await Promise.all([worker(), worker()]);
}

async function build() {
  const startedAt = Date.now();
  const code =
    "import('./scripts/setup.mjs').then((setup) => setup.ensureBuild()).catch((error) => { console.error(error.message); process.exitCode = 1; })";
  const { code: status, output } = await run(process.execPath, ['-e', code], 'pipe');
  report('build', status === 0, startedAt, output);
}

async function vitest(hasBrowser, filters) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'douku-test-report-'));
  const file = path.join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const projects = hasBrowser ? [] : ['--project', 'unit'];
  const { code } = await run('vitest', ['run', ...reporters, ...projects, ...filters], 'inherit');
  const counted = readReport(file);
  // Exit code and report must agree: an error outside any test is a failure too.
  if (code !== 0 && counted.failed === 0) counted.failed = 1;
  count(counted);
  rmSync(folder, { recursive: true });
}

function readReport(file) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 1 }; // vitest ended before it could write one
  }
  // A file that cannot be loaded has failed without having a test that did.
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + brokenFiles.length };
}

await main(async () => {
  ensureNodeModules();
  const missing = ensureSystemPrograms([...programsFor('runtime'), ...programsFor('tests')]);
  const lacking = missing.filter(({ required }) => required);
  for (const { name } of lacking) report(`${name} 没有安装，浏览器测试没有运行`, false, Date.now());
  const checks = readdirSync(path.join(root, 'scripts'))
    .filter((name) => /^check-.*\.ts$/.test(name))
    .sort();
  await inPairs([
    build,
    () => check('biome ci', 'biome', ['ci', ...(process.stdout.isTTY ? [] : ['--colors=off'])]),
    () => check('tsc server', 'tsc', ['-p', 'tsconfig.json']),
    () => check('tsc web', 'tsc', ['-p', 'tsconfig.web.json']),
    () => check('tsc e2e', 'tsc', ['-p', 'tsconfig.e2e.json']),
    () => check('knip', 'knip', []),
  ]);
  // Some of these look at the built pages.
  await inPairs(checks.map((name) => () => check(name, 'node', [path.join('scripts', name)])));
  await vitest(lacking.length === 0, process.argv.slice(2));
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed > 0 ? 1 : 0;
});
