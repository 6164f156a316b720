// Runs a TypeScript program of the project on Node 24 in place of this process, as far as Node allows.
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { node24Path, root } from './setup.mjs';

/** Ctrl-C comes twice, from the terminal and from npm; the program would take that as impatience. */
const echoMs = 400;

/** What is young is collected sooner: without this each process holds 120 MB more, most of it litter. */
const nodeOptions = ({ NODE_OPTIONS = '' }) => `--max-semi-space-size=8 ${NODE_OPTIONS}`.trim();

/** @param {string} program path from the project's root @param {NodeJS.ProcessEnv} env */
export function runNode24(program, args, env = process.env) {
  // The server is many TypeScript files; kept compiled, they load in a fraction of the time.
  const NODE_COMPILE_CACHE = path.join(root, 'node_modules/.cache/compiled');
  const child = spawn(node24Path(), [path.join(root, program), ...args], {
    // Pictures and passwords are worked on in threads; a heap for each of them would lie idle later.
    env: { NODE_COMPILE_CACHE, MALLOC_ARENA_MAX: '2', ...env, NODE_OPTIONS: nodeOptions(env) },
    // By the channel the program notices when this process is killed.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // Out of the terminal's reach: signals arrive only through here, each once.
    detached: true,
  });
  const last = new Map();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (Date.now() - (last.get(signal) ?? 0) < echoMs) return;
      last.set(signal, Date.now());
      child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
    });
  }
  child.once('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
  child.once('exit', (code, signal) => {
    process.exit(code ?? 128 + (os.constants.signals[signal] ?? 0));
  });
}

/** Runs the steps of a script; a failure meant for a person is one line. */
export async function main(steps) {
  try {
    await steps();
  } catch (error) {
    console.error(error?.constructor?.name === 'SetupError' ? error.message : error);
    process.exitCode = 1;
  }
}
