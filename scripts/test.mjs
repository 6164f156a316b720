// `npm test`: the checks, the unit, API and component tests and the main journeys in a browser.
// `npm run test:full`: also the tests in `*.full.test.ts`, which take long. The last line counts every
// test and every other check. `npm test -- <part of a file name>` or `npm test -- -t <part of a test
// name>`: those tests alone, of both tiers.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { bundleCheck, checks } from './checks.mjs';
import { runCommand } from './run-command.mjs';
import { main } from './run-node24.mjs';
import { ensureNodeModules, root } from './setup.mjs';
import { ensureSystemPrograms, programsFor } from './system-programs.mjs';
import { beginTestRun, endTestRun, processorSeconds } from './test-run.mjs';

/** `failed` names each failure and says why: told again at the end, where one looks first. */
const total = { passed: 0, failed: [] };

function count({ passed, failed }) {
  total.passed += passed;
  total.failed.push(...failed);
}

/** Runs a check and shows what it printed when it fails. */
async function check({ name, command, args }) {
  const startedAt = Date.now();
  const { code, output } = await runCommand(command, args);
  report(name, code === 0, startedAt, output);
}

function report(name, isPassed, startedAt, output = '') {
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${isPassed ? '✓' : '✗'} ${name}  ${seconds} s`);
  if (!isPassed && output) console.log(output.trimEnd());
  count(isPassed ? { passed: 1, failed: [] } : { passed: 0, failed: [name] });
}

async function build() {
  const startedAt = Date.now();
  const code =
    "import('./scripts/setup.mjs').then((setup) => setup.ensureBuild()).catch((error) => { console.error(error.message); process.exitCode = 1; })";
  const { code: status, output } = await runCommand(process.execPath, ['-e', code]);
  report('build', status === 0, startedAt, output);
}

async function vitest(folder, projects, filters) {
  const file = path.join(folder, `report-${projects.join('-')}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const chosen = projects.flatMap((name) => ['--project', name]);
  const args = ['run', ...reporters, ...chosen, ...filters];
  const { code } = await runCommand('vitest', args, console.log);
  const counted = readReport(file);
  // Exit code and report must agree: an error outside any test is a failure too.
  if (code !== 0 && counted.failed.length === 0)
    counted.failed.push(`${projects.join(', ')}: an error outside any test`);
  if (counted.passed === 0 && counted.failed.length === 0) counted.failed.push(`没有匹配的测试：${filters.join(' ')}`);
  count(counted);
}

function readReport(file) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: ['vitest ended before it could write its report'] };
  }
  const failed = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const inFile = path.relative(root, name);
    const tests = assertionResults.filter((test) => test.status === 'failed');
    // A file that cannot be loaded has failed without having a test that did.
    if (status === 'failed' && tests.length === 0) return [`${inFile}\n${shorten(message)}`];
    return tests.map(
      ({ fullName, failureMessages }) => `${inFile} > ${fullName}\n${shorten(failureMessages.join('\n'))}`,
    );
  });
  return { passed: report.numPassedTests, failed };
}

const shorten = (message) => message.split('\n').slice(0, 12).join('\n');

/** Side by side: browsers often wait, and so do tests of the server. */
async function everything(folder, browserTests) {
  await build();
  await Promise.all([
    (async () => {
      await check(bundleCheck);
      if (browserTests.length > 0) await vitest(folder, browserTests, []);
    })(),
    (async () => {
      for (const each of checks) await check(each);
    })(),
    vitest(folder, ['unit', 'web', 'component'], []),
  ]);
}

/** Nothing that a test started may outlive the run. */
async function end(folder) {
  for (const command of await endTestRun(folder)) total.failed.push(`left running: ${command}`);
}

const inMinutes = (seconds) => `${(seconds / 60).toFixed(1)} min`;

await main(async () => {
  ensureNodeModules();
  const missing = ensureSystemPrograms([...programsFor('runtime'), ...programsFor('tests')]);
  const lacking = missing.filter(({ required }) => required);
  for (const { name } of lacking) report(`${name} 没有安装，浏览器测试没有运行`, false, Date.now());
  const startedAt = Date.now();
  const folder = beginTestRun();
  const startedWith = processorSeconds(folder);
  const isFull = process.argv.includes('--full');
  const filters = process.argv.slice(2).filter((argument) => argument !== '--full');
  if (isFull || filters.length > 0) process.env.TEST_TIER = 'full';
  const browserTests = lacking.length === 0 ? ['e2e'] : [];
  if (filters.length > 0) {
    await build();
    await vitest(folder, ['unit', 'web', 'component', ...browserTests], filters);
  } else await everything(folder, browserTests);
  const processors = inMinutes(processorSeconds(folder) - startedWith);
  await end(folder);
  for (const failure of total.failed) console.log(`✗ ${failure}`);
  const wall = inMinutes((Date.now() - startedAt) / 1000);
  console.log(`${total.passed} passed, ${total.failed.length} failed, ${wall} wall, ${processors} CPU`);
  process.exitCode = total.failed.length > 0 ? 1 : 0;
});
