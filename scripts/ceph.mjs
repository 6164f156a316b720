// A temporary Ceph cluster with an S3 gateway for test-s3.mjs.
import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePorts } from './free-ports.mjs';
import { SetupError } from './setup.mjs';

const execute = promisify(execFile);

/** @param {string} folder empty; contains all files of the cluster */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its functions share its state, as the methods of a class
export function startCeph(folder) {
  const daemons = [];
  const conf = path.join(folder, 'ceph.conf');
  const inFolder = (name) => path.join(folder, name);
  const runTool = (command, ...args) => execute(command, args, { cwd: folder, timeout: 60_000 });

  function startDaemon(name, command, ...args) {
    const log = openSync(inFolder(`log/${name}.out`), 'a');
    daemons.push(spawn(command, args, { cwd: folder, stdio: ['ignore', log, log] }));
  }

  async function start() {
    for (const name of ['mon', 'mgr', 'osd0', 'rgw', 'run', 'log']) mkdirSync(inFolder(name));
    const [v2, v1, http] = await freePorts(3);
    const monitor = `[v2:127.0.0.1:${v2},v1:127.0.0.1:${v1}]`;
    const cluster = randomUUID();
    writeFileSync(conf, configuration(folder, cluster, monitor));
    const keyring = inFolder('keyring');
    await runTool('ceph-authtool', '--create-keyring', keyring, '--gen-key', '-n', 'mon.', ...allowAll('mon'));
    await runTool('ceph-authtool', keyring, '--gen-key', '-n', 'client.admin', ...allowAll('mon', 'osd', 'mgr'));
    await runTool('monmaptool', '--create', '--addv', 'a', monitor, '--fsid', cluster, inFolder('monmap'));
    const mkfsOptions = ['--mkfs', '-i', 'a', '--monmap', inFolder('monmap'), '--keyring', keyring];
    await runTool('ceph-mon', '-c', conf, ...mkfsOptions);
    startDaemon('mon', 'ceph-mon', '-c', conf, '-i', 'a', '-f');
    startDaemon('mgr', 'ceph-mgr', '-c', conf, '-i', 'x', '-f');
    const disk = randomUUID();
    await waitFor('monitor', () => runTool('ceph', '-c', conf, 'osd', 'new', disk));
    await runTool('ceph-osd', '-c', conf, '-i', '0', '--mkfs', '--osd-uuid', disk);
    startDaemon('osd', 'ceph-osd', '-c', conf, '-i', '0', '-f');
    await waitFor('disk', async () => {
      const { stdout } = await runTool('ceph', '-c', conf, 'osd', 'stat');
      if (!stdout.includes('1 up')) throw new Error(stdout);
    });
    const gateway = ['-n', 'client.admin', `--keyring=${keyring}`, `--rgw_data=${inFolder('rgw')}`];
    // radosgw requests an encrypted monitor connection, which needs authentication.
    const unencryptedOptions = ['--ms_mon_client_mode=crc', `--rgw_frontends=beast endpoint=127.0.0.1:${http}`];
    startDaemon('rgw', 'radosgw', '-c', conf, ...gateway, ...unencryptedOptions, '-f');
    const host = `127.0.0.1:${http}`;
    await waitFor('gateway', async () => {
      const response = await fetch(`http://${host}/`, { signal: AbortSignal.timeout(2_000) });
      if (!(await response.text()).includes('ListAll')) throw new Error('not yet');
    });
    const accessKey = randomBytes(10).toString('hex');
    // Contains the characters that must be escaped in a URL.
    const secretKey = `${randomBytes(15).toString('hex')}/+=`;
    const user = ['--uid=app', '--display-name=app'];
    const keys = [`--access-key=${accessKey}`, `--secret-key=${secretKey}`];
    await runTool('radosgw-admin', '-c', conf, 'user', 'create', ...user, ...keys);
    return { host, accessKey, secretKey };
  }

  async function waitFor(service, attempt) {
    let lastError;
    for (const deadline = Date.now() + 90_000; Date.now() < deadline; ) {
      if (daemons.some((process) => process.exitCode !== null)) break;
      try {
        return await attempt();
      } catch (error) {
        lastError = error;
        await sleep(250);
      }
    }
    const names = ['mon', 'mgr', 'osd', 'rgw'].slice(0, daemons.length);
    for (const name of names) console.error(readFileSync(inFolder(`log/${name}.out`), 'utf8').slice(-2000));
    throw new SetupError(`Ceph 的 ${service} 没有启动：${lastError?.message ?? '进程已退出'}`);
  }

  /** Stops the gateway first, then the services that it uses. */
  async function stop() {
    for (const process of daemons.toReversed()) {
      if (process.exitCode !== null || process.signalCode !== null) continue;
      const exit = new Promise((resolve) => process.once('exit', resolve));
      process.kill('SIGTERM');
      const killTimer = setTimeout(() => process.kill('SIGKILL'), 5_000);
      await exit;
      clearTimeout(killTimer);
    }
  }

  return { ready: start(), stop };
}

const allowAll = (...services) => services.flatMap((service) => ['--cap', service, 'allow *']);

const configuration = (folder, cluster, monitor) => `[global]
fsid = ${cluster}
mon_initial_members = a
mon_host = ${monitor}
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_warn_on_pool_no_redundancy = false
run_dir = ${folder}/run
admin_socket = ${folder}/run/$name.asok
log_file = ${folder}/log/$name.log
mon_data = ${folder}/mon
mgr_data = ${folder}/mgr
osd_data = ${folder}/osd0
osd_objectstore = memstore
memstore_device_bytes = 1073741824
keyring = ${folder}/keyring
`;
