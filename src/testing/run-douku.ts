import { vi } from 'vitest';
import { runProgram } from '#app/cli/run-program.ts';
import { environmentKeys } from '#platform/server/config.ts';

export type CommandResult = { code: number | null; output: string };

/** The environment of a command that uses the database and the folder of a test. */
export const commandEnvironment = (url: string, folder: string): Record<string, string> => ({
  ...Object.fromEntries(environmentKeys.map((key) => [key, ''])),
  DATABASE_URL: url,
  DATA_DIR: folder,
});

export async function runDouku({ url, folder }: { url: string; folder: string }, args: string[]) {
  let output = '';
  const { exitCode } = process;
  const workingFolder = process.cwd();
  for (const [key, value] of Object.entries(commandEnvironment(url, folder))) vi.stubEnv(key, value);
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      output += chunk;
      return true;
    });
  process.chdir(folder);
  process.exitCode = 0;
  try {
    await runProgram(args);
    const result: CommandResult = { code: Number(process.exitCode), output };
    return result;
  } finally {
    process.exitCode = exitCode;
    process.chdir(workingFolder);
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
}
