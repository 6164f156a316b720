// A throw-away Ceph cluster with an S3 gateway, for test-s3.mjs.
import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePorts } from './free-ports.mjs';
import { SetupError } from './setup.mjs';

const execute = promisify(execFile);

/** @param {string} folder an empty one; everything the cluster writes is below it */
export function startCeph(folder) {
  const daemons = [];
  const conf = path.join(folder, 'ceph.conf');
  const at = (name) => path.join(folder, name);
  const tool = (command, ...args) => execute(command, args, { cwd: folder, timeout: 60_000 });

  function daemon(name, command, ...args) {
    const log = openSync(at(`log/${name}.out`), 'a');
    daemons.push(spawn(command, args, { cwd: folder, stdio: ['ignore', log, log] }));
  }

  async function start() {
    for (const name of ['mon', 'mgr', 'osd0', 'rgw', 'run', 'log']) mkdirSync(at(name));
    const [v2, v1, http] = await freePorts(3);
    const monitor = `[v2:127.0.0.1:${v2},v1:127.0.0.1:${v1}]`;
    const cluster = randomUUID();
    writeFileSync(conf, configuration(folder, cluster, monitor));
    const keyring = at('keyring');
    await tool('ceph-authtool', '--create-keyring', keyring, '--gen-key', '-n', 'mon.', ...all('mon'));
    await tool('ceph-authtool', keyring, '--gen-key', '-n', 'client.admin', ...all('mon', 'osd', 'mgr'));
    await tool('monmaptool', '--create', '--addv', 'a', monitor, '--fsid', cluster, at('monmap'));
    const make = ['--mkfs', '-i', 'a', '--monmap', at('monmap'), '--keyring', keyring];
    await tool('ceph-mon', '-c', conf, ...make);
    daemon('mon', 'ceph-mon', '-c', conf, '-i', 'a', '-f');
    daemon('mgr', 'ceph-mgr', '-c', conf, '-i', 'x', '-f');
    const disk = randomUUID();
    await until('monitor', () => tool('ceph', '-c', conf, 'osd', 'new', disk));
    await tool('ceph-osd', '-c', conf, '-i', '0', '--mkfs', '--osd-uuid', disk);
    daemon('osd', 'ceph-osd', '-c', conf, '-i', '0', '-f');
    await until('disk', async () => {
      const { stdout } = await tool('ceph', '-c', conf, 'osd', 'stat');
      if (!stdout.includes('1 up')) throw new Error(stdout);
    });
    const gateway = ['-n', 'client.admin', `--keyring=${keyring}`, `--rgw_data=${at('rgw')}`];
    // radosgw asks for an encrypted monitor connection, which cannot be had without authentication.
    const plain = ['--ms_mon_client_mode=crc', `--rgw_frontends=beast endpoint=127.0.0.1:${http}`];
    daemon('rgw', 'radosgw', '-c', conf, ...gateway, ...plain, '-f');
    const host = `127.0.0.1:${http}`;
    await until('gateway', async () => {
      const answer = await fetch(`http://${host}/`, { signal: AbortSignal.timeout(2_000) });
      if (!(await answer.text()).includes('ListAll')) throw new Error('not yet');
    });
    const accessKey = randomBytes(10).toString('hex');
    // With the characters that need care in an address.
    const secretKey = `${randomBytes(15).toString('hex')}/+=`;
    const user = ['--uid=app', '--display-name=app'];
    const keys = [`--access-key=${accessKey}`, `--secret-key=${secretKey}`];
    await tool('radosgw-admin', '-c', conf, 'user', 'create', ...user, ...keys);
    return { host, accessKey, secretKey };
  }

  async function until(what, attempt) {
    let problem;
    for (const end = Date.now() + 90_000; Date.now() < end; ) {
      if (daemons.some((process) => process.exitCode !== null)) break;
      try {
        return await attempt();
      } catch (error) {
        problem = error;
        await sleep(250);
      }
    }
    const names = ['mon', 'mgr', 'osd', 'rgw'].slice(0, daemons.length);
    for (const name of names) console.error(readFileSync(at(`log/${name}.out`), 'utf8').slice(-2000));
    throw new SetupError(`Ceph 的 ${what} 没有启动：${problem?.message ?? '进程已退出'}`);
  }

  /** The gateway first, then what it stands on. */
  async function stop() {
    for (const process of daemons.toReversed()) {
      if (process.exitCode !== null || process.signalCode !== null) continue;
      const gone = new Promise((resolve) => process.once('exit', resolve));
      process.kill('SIGTERM');
      const hard = setTimeout(() => process.kill('SIGKILL'), 5_000);
      await gone;
      clearTimeout(hard);
    }
  }

  return { ready: start(), stop };
}

const all = (...services) => services.flatMap((service) => ['--cap', service, 'allow *']);

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
