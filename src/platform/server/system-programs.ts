import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { executableSearchPath, projectRoot } from './config.ts';

const program = z.object({
  name: z.string(),
  /** Name of the Debian package. */
  package: z.string(),
  /** A package that works as well, if the first is not available. */
  fallbackPackage: z.optional(z.string()),
  /** The program is installed if any of these commands or files exists. */
  commands: z.optional(z.array(z.string())),
  files: z.optional(z.array(z.string())),
  /** `optional`: used if it is installed, but not installed by the setup. */
  use: z.enum(['runtime', 'optional', 'tests']),
  required: z.boolean(),
  /** The function of the site that needs the program. */
  purpose: z.string(),
});

export type Program = z.infer<typeof program> & { isInstalled: boolean };

/** The setup script (scripts/system-programs.mjs) reads the same table. */
export async function listPrograms(): Promise<Program[]> {
  const text = await readFile(path.join(projectRoot, 'scripts/programs.json'), 'utf8');
  const table = z.parse(z.array(program), JSON.parse(text));
  const folders = executableSearchPath();
  return Promise.all(
    table.map(async (row) => {
      const commands = (row.commands ?? []).flatMap((command) => folders.map((folder) => path.join(folder, command)));
      const areReadable = await Promise.all([...commands, ...(row.files ?? [])].map(isReadable));
      return { ...row, isInstalled: areReadable.includes(true) };
    }),
  );
}

/** The path of a command, or null. Not cached: programs can be installed while the site runs. */
export async function findProgram(command: string): Promise<string | null> {
  for (const folder of executableSearchPath()) {
    const file = path.join(folder, command);
    if (await isReadable(file)) return file;
  }
  return null;
}

const isReadable = (file: string) =>
  access(file, constants.R_OK).then(
    () => true,
    () => false,
  );
