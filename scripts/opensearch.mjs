// A temporary OpenSearch cluster of two nodes for test-opensearch.mjs.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, openSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from './free-ports.mjs';
import { SetupError } from './setup.mjs';

const VERSION = '2.19.1';
const ARTIFACT = `org.opensearch.distribution.integ-test-zip:opensearch:${VERSION}:zip`;
const UNPRIVILEGED_USER_ID = '65534';
const START_TIMEOUT_MS = 180_000;

/** Downloads the distribution with Maven and returns its folder. */
export function fetchOpenSearch(folder) {
  const args = ['-q', '-B', 'dependency:copy', `-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${folder}`];
  const download = spawnSync('mvn', args, { cwd: folder, encoding: 'utf8', timeout: 300_000 });
  const archive = readdirSync(folder).find((name) => name.endsWith('.zip'));
  if (download.status !== 0 || !archive)
    throw new SetupError(
      `OpenSearch 测试没有运行：取不到 ${ARTIFACT}\n${`${download.stdout}${download.stderr}`.slice(-1000)}`,
    );
  const extraction = spawnSync('unzip', ['-q', '-o', archive], { cwd: folder });
  if (extraction.status !== 0) throw new SetupError('OpenSearch 测试没有运行：安装包无法解开');
  return path.join(folder, `opensearch-${VERSION}`);
}

/** OpenSearch refuses to run as root. */
const asUnprivilegedUser = (command) =>
  process.getuid?.() === 0
    ? ['setpriv', `--reuid=${UNPRIVILEGED_USER_ID}`, `--regid=${UNPRIVILEGED_USER_ID}`, '--clear-groups', ...command]
    : command;

const javaHome = () => {
  const javaPath = spawnSync('sh', ['-c', 'command -v java'], { encoding: 'utf8' }).stdout.trim();
  return path.dirname(path.dirname(realpathSync(javaPath)));
};

/** @param {string} folder contains the distribution and all files of the nodes */
export async function startOpenSearch(folder, distribution) {
  const [http1, http2, transport1, transport2] = await freePorts(4);
  const nodes = [
    { name: 'one', http: http1, transport: transport1 },
    { name: 'two', http: http2, transport: transport2 },
  ];
  for (const { name, http, transport } of nodes) {
    const config = path.join(folder, name, 'config');
    mkdirSync(path.join(folder, name, 'tmp'), { recursive: true });
    cpSync(path.join(distribution, 'config'), config, { recursive: true });
    writeFileSync(
      path.join(config, 'opensearch.yml'),
      [
        'cluster.name: douku-test',
        `node.name: ${name}`,
        `path.data: ${path.join(folder, name, 'data')}`,
        `path.logs: ${path.join(folder, name, 'logs')}`,
        'network.host: 127.0.0.1',
        `http.port: ${http}`,
        `transport.port: ${transport}`,
        `discovery.seed_hosts: ["127.0.0.1:${transport1}", "127.0.0.1:${transport2}"]`,
        'cluster.initial_cluster_manager_nodes: ["one", "two"]',
        'cluster.routing.allocation.disk.threshold_enabled: false',
      ].join('\n'),
    );
  }
  if (process.getuid?.() === 0) spawnSync('chown', ['-R', `${UNPRIVILEGED_USER_ID}:${UNPRIVILEGED_USER_ID}`, folder]);
  const start = ({ name }) => {
    const log = openSync(path.join(folder, `${name}.out`), 'a');
    const [command, ...args] = asUnprivilegedUser([path.join(distribution, 'bin/opensearch')]);
    return spawn(command, args, {
      cwd: folder,
      stdio: ['ignore', log, log],
      env: {
        ...process.env,
        OPENSEARCH_PATH_CONF: path.join(folder, name, 'config'),
        OPENSEARCH_JAVA_HOME: javaHome(),
        OPENSEARCH_JAVA_OPTS: '-Xms512m -Xmx512m',
        OPENSEARCH_TMPDIR: path.join(folder, name, 'tmp'),
      },
    });
  };
  const processes = nodes.map(start);
  const url = `http://127.0.0.1:${http1}`;
  const stop = async () => {
    for (const node of processes) {
      if (node.exitCode !== null || node.signalCode !== null) continue;
      const exit = new Promise((resolve) => node.once('exit', resolve));
      node.kill('SIGTERM');
      const killTimer = setTimeout(() => node.kill('SIGKILL'), 10_000);
      await exit;
      clearTimeout(killTimer);
    }
  };
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await sleep(500)) {
    if (processes.some(({ exitCode }) => exitCode !== null)) break;
    const health = await fetch(`${url}/_cluster/health`, { signal: AbortSignal.timeout(2_000) })
      .then((response) => response.json())
      .catch(() => ({}));
    if (health.number_of_nodes === nodes.length) return { url, stop };
  }
  await stop();
  for (const { name } of nodes) console.error(readFileSync(path.join(folder, `${name}.out`), 'utf8').slice(-2000));
  throw new SetupError('OpenSearch 测试没有运行：集群没有启动，原因见上');
}
