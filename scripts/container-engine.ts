import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const MAX_STOP_SECONDS = 60;

type EngineName = 'docker' | 'podman';
type Container = {
  name: string;
  image: string;
  environment: Record<string, string>;
  /** Mounted at /data. */
  volume: string;
  /** Values of `security_opt` in compose.yaml. */
  securityOptions: readonly string[];
};

/** Docker options that podman names differently. */
const podmanSecurity: Record<string, string> = { 'systempaths=unconfined': 'unmask=ALL' };

/** Containers use the host network, because a bridge and a packet filter may be unavailable. */
const network = ['--network', 'host'];
const engineArguments = {
  docker: { all: [], build: [], run: [], security: (option: string) => option },
  podman: {
    // crun needs control groups that are missing on a machine inside a container; runc does not.
    all: ['--runtime', 'runc'],
    build: ['--isolation', 'chroot'],
    // The default limits of podman are higher than an unprivileged machine allows.
    run: ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096'],
    security: (option: string) => podmanSecurity[option] ?? option,
  },
};

/** Commands of docker and podman that the image test uses. The signal aborts a build. */
export function containerEngine(name: EngineName, signal: AbortSignal) {
  const engineOptions = engineArguments[name];
  const options = { maxBuffer: MAX_OUTPUT_BYTES };
  const runEngine = async (...args: string[]): Promise<string> =>
    (await execute(name, [...engineOptions.all, ...args], options)).stdout.trim();
  const succeeds = (...args: string[]) =>
    runEngine(...args).then(
      () => true,
      () => false,
    );
  return {
    name,
    hasImage: (image: string) => succeeds('image', 'inspect', image),
    pull: (image: string) => succeeds('pull', image),
    /** Creates an image with one layer. */
    importArchive: (file: string, image: string) => runEngine('import', file, image),
    async build(target: string, image: string, base: string): Promise<void> {
      const args = [
        ...[...engineOptions.all, 'build', ...engineOptions.build, ...network, '--target', target, '--tag', image],
        ...['--build-arg', `BASE=${base}`, '.'],
      ];
      await execute(name, args, { ...options, signal });
    },
    sizeBytes: async (image: string) => Number(await runEngine('image', 'inspect', '--format', '{{.Size}}', image)),
    /** Paths that exist in the image; `paths` may contain shell patterns. */
    async listPaths(image: string, paths: readonly string[]): Promise<string[]> {
      const list = `ls -d ${paths.join(' ')} 2>/dev/null || true`;
      const command = ['--entrypoint', 'sh', image, '-c', list];
      const output = await runEngine('run', '--rm', ...network, ...engineOptions.run, ...command);
      return output.split('\n').filter(Boolean);
    },
    /** Images without a name; podman stores every step of a build as one. */
    async unnamedImages(): Promise<string[]> {
      const rows = await runEngine('images', '--all', '--no-trunc', '--format', '{{.Repository}} {{.ID}}');
      return rows.split('\n').flatMap((row) => /^<none> (\S+)$/.exec(row)?.[1] ?? []);
    },
    /** Does not remove an image that is in use. */
    removeImages: (ids: readonly string[]) => succeeds('rmi', ...ids),
    start: ({ name: container, image, environment, volume, securityOptions }: Container) =>
      runEngine(
        ...['run', '--detach', '--name', container, ...network, ...engineOptions.run],
        ...['--volume', `${volume}:/data`],
        ...securityOptions.flatMap((option) => ['--security-opt', engineOptions.security(option)]),
        ...Object.entries(environment).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
        image,
      ),
    hasContainer: (container: string) => succeeds('container', 'inspect', container),
    exec: (container: string, ...command: string[]) => runEngine('exec', container, ...command),
    isRunning: async (container: string) =>
      (await runEngine('inspect', '--format', '{{.State.Running}}', container)) === 'true',
    async logs(container: string): Promise<string> {
      const { stdout, stderr } = await execute(name, [...engineOptions.all, 'logs', container]);
      return `${stdout}${stderr}`;
    },
    /** Sends the stop signal of the image and waits. */
    async stop(container: string): Promise<{ seconds: number; exitCode: number }> {
      const startedAt = performance.now();
      await runEngine('stop', '--time', String(MAX_STOP_SECONDS), container);
      const seconds = (performance.now() - startedAt) / 1000;
      const exitCode = await runEngine('inspect', '--format', '{{.State.ExitCode}}', container);
      return { seconds, exitCode: Number(exitCode) };
    },
    remove: (container: string) => runEngine('rm', '--force', container),
    removeVolume: (volume: string) => runEngine('volume', 'rm', '--force', volume),
  };
}

export type ContainerEngine = ReturnType<typeof containerEngine>;
