// Runs a TypeScript program of the project on Node 24 and forwards signals and the exit code.
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { node24Path, root } from './setup.mjs';

/** Ctrl-C arrives twice, from the terminal and from npm; the program would take the second signal as a forced stop. */
const DUPLICATE_SIGNAL_MS = 400;

/** A small young generation: without this option each process holds 120 MB more, most of it garbage. */
const nodeOptions = ({ NODE_OPTIONS = '' }) => `--max-semi-space-size=8 ${NODE_OPTIONS}`.trim();

/** @param {string} program path from the project's root @param {NodeJS.ProcessEnv} env */
export function runNode24(program, args, env = process.env) {
  // The server loads hundreds of TypeScript files; the compile cache makes that several times faster.
  const NODE_COMPILE_CACHE = path.join(root, 'node_modules/.cache/compiled');
  const child = spawn(node24Path(), [path.join(root, program), ...args], {
    // Image and password threads would otherwise each reserve an arena that stays idle later.
    env: { NODE_COMPILE_CACHE, MALLOC_ARENA_MAX: '2', ...env, NODE_OPTIONS: nodeOptions(env) },
    // The program stops when the IPC channel closes because this process was killed.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // In its own process group, so that signals of the terminal arrive only through this process, once each.
    detached: true,
  });
  const lastSignalAt = new Map();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (Date.now() - (lastSignalAt.get(signal) ?? 0) < DUPLICATE_SIGNAL_MS) return;
      lastSignalAt.set(signal, Date.now());
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

/** Runs the steps of a script; prints a SetupError as one line. */
export async function main(steps) {
  try {
    await steps();
  } catch (error) {
    console.error(error?.constructor?.name === 'SetupError' ? error.message : error);
    process.exitCode = 1;
  }
}
