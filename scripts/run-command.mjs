// Runs programs of the project with Node 24 and the installed tools first in the path.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { root, toolEnvironment } from './setup.mjs';

/** Calls `onLine` with each complete line, so that the output of parallel programs does not mix within a line. */
export function runCommand(command, args, onLine = () => {}) {
  return new Promise((resolve) => {
    const env = toolEnvironment(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {});
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on('line', (line) => {
        output += `${line}\n`;
        onLine(line);
      });
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
