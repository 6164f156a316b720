import { spawn } from 'node:child_process';
import { root, SetupError, toolEnvironment } from './setup.mjs';
import { ensureSystemPrograms } from './system-programs.mjs';

/** Installs the Debian packages of an external engine. `commands` maps each package to a command that it provides. */
export function ensureEngine(purpose, commands, errorMessage) {
  const packages = Object.entries(commands).map(([name, command]) => ({
    name,
    package: name,
    commands: [command],
    use: 'tests',
    required: true,
    purpose,
  }));
  if (ensureSystemPrograms(packages).length > 0) throw new SetupError(errorMessage);
}

/** Runs vitest with another configuration and resolves to its exit code. */
export function runSuite(config, environment, filters = []) {
  return new Promise((resolve) => {
    const env = toolEnvironment(environment);
    const args = ['run', '--config', config, ...filters];
    const suite = spawn('vitest', args, { cwd: root, env, stdio: 'inherit' });
    suite.once('error', () => resolve(1));
    suite.once('exit', (code) => resolve(code ?? 1));
  });
}
