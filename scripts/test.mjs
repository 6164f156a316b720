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
import { beginTestRun, endTestRun, processorSeconds, referenceSeconds } from './test-run.mjs';

/** `failures` holds name and reason of each failure, printed again at the end of the run. */
const total = { passed: 0, failures: [] };

function addResults({ passed, failures }) {
  total.passed += passed;
  total.failures.push(...failures);
}

/** Runs a check and prints its output if it fails. */
async function runCheck({ name, command, args }) {
  const startedAt = Date.now();
  const { code, output } = await runCommand(command, args);
  report(name, code === 0, startedAt, output);
}

function report(name, isPassed, startedAt, output = '') {
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${isPassed ? '✓' : '✗'} ${name}  ${seconds} s`);
  if (!isPassed && output) console.log(output.trimEnd());
  addResults(isPassed ? { passed: 1, failures: [] } : { passed: 0, failures: [name] });
}

async function build() {
  const startedAt = Date.now();
  const code =
    "import('./scripts/setup.mjs').then((setup) => setup.ensureBuild()).catch((error) => { console.error(error.message); process.exitCode = 1; })";
  const { code: status, output } = await runCommand(process.execPath, ['-e', code]);
  report('build', status === 0, startedAt, output);
}

async function runVitest(folder, projects, filters) {
  const file = path.join(folder, `report-${projects.join('-')}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const projectOptions = projects.flatMap((name) => ['--project', name]);
  const args = ['run', ...reporters, ...projectOptions, ...filters];
  const { code } = await runCommand('vitest', args, console.log);
  const results = readReport(file);
  // Exit code and report must agree: an error outside any test is a failure too.
  if (code !== 0 && results.failures.length === 0)
    results.failures.push(`${projects.join(', ')}: an error outside any test`);
  if (results.passed === 0 && results.failures.length === 0)
    results.failures.push(`没有匹配的测试：${filters.join(' ')}`);
  addResults(results);
}

function readReport(file) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failures: ['vitest ended before it could write its report'] };
  }
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const testFile = path.relative(root, name);
    const tests = assertionResults.filter((test) => test.status === 'failed');
    // A file that cannot be loaded has no failed test.
    if (status === 'failed' && tests.length === 0) return [`${testFile}\n${shorten(message)}`];
    return tests.map(
      ({ fullName, failureMessages }) => `${testFile} > ${fullName}\n${shorten(failureMessages.join('\n'))}`,
    );
  });
  return { passed: report.numPassedTests, failures };
}

const shorten = (message) => message.split('\n').slice(0, 12).join('\n');

/** In parallel, because browser tests and server tests often wait. */
async function runAll(folder, browserTests) {
  await build();
  await Promise.all([
    (async () => {
      await runCheck(bundleCheck);
      if (browserTests.length > 0) await runVitest(folder, browserTests, []);
      await runVitest(folder, ['component'], []);
    })(),
    (async () => {
      for (const item of checks) await runCheck(item);
    })(),
    runVitest(folder, ['unit', 'web'], []),
  ]);
}

/** A process that a test left running is a failure. */
async function failOnLeftProcesses(folder) {
  for (const command of await endTestRun(folder)) total.failures.push(`left running: ${command}`);
}

const inMinutes = (seconds) => `${(seconds / 60).toFixed(1)} min`;

await main(async () => {
  ensureNodeModules();
  const missingPrograms = ensureSystemPrograms([...programsFor('runtime'), ...programsFor('tests')]);
  const missingRequired = missingPrograms.filter(({ required }) => required);
  for (const { name } of missingRequired) report(`${name} 没有安装，浏览器测试没有运行`, false, Date.now());
  const referenceTimes = [referenceSeconds()];
  const startedAt = Date.now();
  const folder = beginTestRun();
  const cpuSecondsAtStart = processorSeconds(folder);
  const isFull = process.argv.includes('--full');
  const filters = process.argv.slice(2).filter((argument) => argument !== '--full');
  if (isFull || filters.length > 0) process.env.TEST_TIER = 'full';
  const browserTests = missingRequired.length === 0 ? ['e2e'] : [];
  if (filters.length > 0) {
    await build();
    await runVitest(folder, ['unit', 'web', 'component', ...browserTests], filters);
  } else await runAll(folder, browserTests);
  const cpuTime = inMinutes(processorSeconds(folder) - cpuSecondsAtStart);
  await failOnLeftProcesses(folder);
  for (const failure of total.failures) console.log(`✗ ${failure}`);
  const wallTime = inMinutes((Date.now() - startedAt) / 1000);
  referenceTimes.push(referenceSeconds());
  const reference = `a fixed computation took ${referenceTimes.map((seconds) => seconds.toFixed(2)).join(' and ')} s`;
  console.log(
    `${total.passed} passed, ${total.failures.length} failed, ${wallTime} wall, ${cpuTime} CPU, ${reference}`,
  );
  process.exitCode = total.failures.length > 0 ? 1 : 0;
});
