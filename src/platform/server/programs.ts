import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { programFolders, projectRoot } from './config.ts';

const program = z.object({
  name: z.string(),
  /** Name of the Debian package. */
  package: z.string(),
  /** Another package that does as well. */
  otherwise: z.optional(z.string()),
  /** Any of these commands or files shows that it is there. */
  commands: z.optional(z.array(z.string())),
  files: z.optional(z.array(z.string())),
  use: z.enum(['runtime', 'tests']),
  required: z.boolean(),
  /** What does not work without it. */
  purpose: z.string(),
});

export type Program = z.infer<typeof program> & { isInstalled: boolean };

/** The programs of the operating system we use, from the table the set-up step reads as well. */
export async function listPrograms(): Promise<Program[]> {
  const text = await readFile(path.join(projectRoot, 'scripts/programs.json'), 'utf8');
  const table = z.parse(z.array(program), JSON.parse(text));
  const folders = programFolders();
  return Promise.all(
    table.map(async (row) => {
      const commands = (row.commands ?? []).flatMap((command) => folders.map((folder) => path.join(folder, command)));
      const found = await Promise.all([...commands, ...(row.files ?? [])].map(isReadable));
      return { ...row, isInstalled: found.includes(true) };
    }),
  );
}

/** Where a command lies, or null; asked anew each time, for programs come and go. */
export async function findProgram(command: string): Promise<string | null> {
  for (const folder of programFolders()) {
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
