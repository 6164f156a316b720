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

/** podman's names of Docker's options. */
const podmanSecurity: Record<string, string> = { 'systempaths=unconfined': 'unmask=ALL' };

/** Containers share the network of the machine: no bridge and no packet filter is needed. */
const network = ['--network', 'host'];
const engineArguments = {
  docker: { all: [], build: [], run: [], security: (option: string) => option },
  podman: {
    // crun needs control groups that a machine inside a container does not offer; runc does without.
    all: ['--runtime', 'runc'],
    build: ['--isolation', 'chroot'],
    // podman raises these limits to more than an unprivileged machine allows.
    run: ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096'],
    security: (option: string) => podmanSecurity[option] ?? option,
  },
};

/** The few commands of docker and podman that the test of the image needs; the signal ends a build. */
export function containerEngine(name: EngineName, signal: AbortSignal) {
  const own = engineArguments[name];
  const options = { maxBuffer: MAX_OUTPUT_BYTES };
  const call = async (...args: string[]): Promise<string> =>
    (await execute(name, [...own.all, ...args], options)).stdout.trim();
  const succeeds = (...args: string[]) =>
    call(...args).then(
      () => true,
      () => false,
    );
  return {
    name,
    hasImage: (image: string) => succeeds('image', 'inspect', image),
    pull: (image: string) => succeeds('pull', image),
    /** Makes an image of one layer. */
    importArchive: (file: string, image: string) => call('import', file, image),
    async build(target: string, image: string, base: string): Promise<void> {
      const args = [
        ...[...own.all, 'build', ...own.build, ...network, '--target', target, '--tag', image],
        ...['--build-arg', `BASE=${base}`, '.'],
      ];
      await execute(name, args, { ...options, signal });
    },
    sizeBytes: async (image: string) => Number(await call('image', 'inspect', '--format', '{{.Size}}', image)),
    /** Those of the paths (shell patterns) that exist in the image. */
    async listPaths(image: string, paths: readonly string[]): Promise<string[]> {
      const list = `ls -d ${paths.join(' ')} 2>/dev/null || true`;
      const command = ['--entrypoint', 'sh', image, '-c', list];
      const output = await call('run', '--rm', ...network, ...own.run, ...command);
      return output.split('\n').filter(Boolean);
    },
    /** Images without a name; podman stores every step of a build as one. */
    async unnamedImages(): Promise<string[]> {
      const rows = await call('images', '--all', '--no-trunc', '--format', '{{.Repository}} {{.ID}}');
      return rows.split('\n').flatMap((row) => /^<none> (\S+)$/.exec(row)?.[1] ?? []);
    },
    /** An image in use stays. */
    removeImages: (ids: readonly string[]) => succeeds('rmi', ...ids),
    start: ({ name: container, image, environment, volume, securityOptions }: Container) =>
      call(
        ...['run', '--detach', '--name', container, ...network, ...own.run],
        ...['--volume', `${volume}:/data`],
        ...securityOptions.flatMap((option) => ['--security-opt', own.security(option)]),
        ...Object.entries(environment).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
        image,
      ),
    hasContainer: (container: string) => succeeds('container', 'inspect', container),
    exec: (container: string, ...command: string[]) => call('exec', container, ...command),
    isRunning: async (container: string) =>
      (await call('inspect', '--format', '{{.State.Running}}', container)) === 'true',
    async logs(container: string): Promise<string> {
      const { stdout, stderr } = await execute(name, [...own.all, 'logs', container]);
      return `${stdout}${stderr}`;
    },
    /** Sends the stop signal of the image and waits. */
    async stop(container: string): Promise<{ seconds: number; exitCode: number }> {
      const startedAt = performance.now();
      await call('stop', '--time', String(MAX_STOP_SECONDS), container);
      const seconds = (performance.now() - startedAt) / 1000;
      const exitCode = await call('inspect', '--format', '{{.State.ExitCode}}', container);
      return { seconds, exitCode: Number(exitCode) };
    },
    remove: (container: string) => call('rm', '--force', container),
    removeVolume: (volume: string) => call('volume', 'rm', '--force', volume),
  };
}

export type ContainerEngine = ReturnType<typeof containerEngine>;
