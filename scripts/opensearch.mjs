// A throw-away OpenSearch cluster of two nodes, for test-opensearch.mjs.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, openSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from './free-ports.mjs';
import { SetupError } from './setup.mjs';

const VERSION = '2.19.1';
const ARTIFACT = `org.opensearch.distribution.integ-test-zip:opensearch:${VERSION}:zip`;
const NOBODY = '65534';
const START_LIMIT_MS = 180_000;

/** Fetches the distribution by its name from the registry Maven is set up for. Gives its folder. */
export function fetchOpenSearch(folder) {
  const args = ['-q', '-B', 'dependency:copy', `-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${folder}`];
  const fetched = spawnSync('mvn', args, { cwd: folder, encoding: 'utf8', timeout: 300_000 });
  const archive = readdirSync(folder).find((name) => name.endsWith('.zip'));
  if (fetched.status !== 0 || !archive)
    throw new SetupError(
      `OpenSearch 测试没有运行：取不到 ${ARTIFACT}\n${`${fetched.stdout}${fetched.stderr}`.slice(-1000)}`,
    );
  const unpacked = spawnSync('unzip', ['-q', '-o', archive], { cwd: folder });
  if (unpacked.status !== 0) throw new SetupError('OpenSearch 测试没有运行：安装包无法解开');
  return path.join(folder, `opensearch-${VERSION}`);
}

/** It refuses to run as root, who hands it to nobody. */
const asSomebody = (command) =>
  process.getuid?.() === 0
    ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', ...command]
    : command;

const javaHome = () => {
  const found = spawnSync('sh', ['-c', 'command -v java'], { encoding: 'utf8' }).stdout.trim();
  return path.dirname(path.dirname(realpathSync(found)));
};

/** @param {string} folder holds the distribution and all that the nodes write */
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
  if (process.getuid?.() === 0) spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, folder]);
  const start = ({ name }) => {
    const log = openSync(path.join(folder, `${name}.out`), 'a');
    const [command, ...args] = asSomebody([path.join(distribution, 'bin/opensearch')]);
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
  const running = nodes.map(start);
  const url = `http://127.0.0.1:${http1}`;
  const stop = async () => {
    for (const node of running) {
      if (node.exitCode !== null || node.signalCode !== null) continue;
      const gone = new Promise((resolve) => node.once('exit', resolve));
      node.kill('SIGTERM');
      const hard = setTimeout(() => node.kill('SIGKILL'), 10_000);
      await gone;
      clearTimeout(hard);
    }
  };
  for (const end = Date.now() + START_LIMIT_MS; Date.now() < end; await sleep(500)) {
    if (running.some(({ exitCode }) => exitCode !== null)) break;
    const health = await fetch(`${url}/_cluster/health`, { signal: AbortSignal.timeout(2_000) })
      .then((answer) => answer.json())
      .catch(() => ({}));
    if (health.number_of_nodes === nodes.length) return { url, stop };
  }
  await stop();
  for (const { name } of nodes) console.error(readFileSync(path.join(folder, `${name}.out`), 'utf8').slice(-2000));
  throw new SetupError('OpenSearch 测试没有运行：集群没有启动，原因见上');
}
