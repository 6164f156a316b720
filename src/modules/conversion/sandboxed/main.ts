// The workshop: the program that opens files of strangers. It runs behind walls, reads one file,
// writes into one folder, and says on standard output what it has made.
import { createInterface } from 'node:readline';
import type { ConverterEvent } from './events.ts';
import { isStackOverflow } from './nesting-limit.ts';
import { RejectedFileError } from './rejection-reasons.ts';
import type { Commands } from './render-pdf.ts';

const say = (event: ConverterEvent) => process.stdout.write(`${JSON.stringify(event)}\n`);

function listen(): Commands {
  const { promise: isThere, resolve: go } = Promise.withResolvers<void>();
  const commands: Commands = { wanted: [], isStopped: false, isThere };
  type Command = { want?: number[]; stop?: boolean; go?: boolean };
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { want = [], stop = false, go: isSaid = false } = JSON.parse(line) as Command;
    commands.wanted.push(...want);
    commands.isStopped ||= stop;
    if (isSaid) go();
  });
  return commands;
}

/** Comes on standard input: arguments of a process can be read by others. */
async function readPassword(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin }))
    return (JSON.parse(line) as { password: string }).password;
  throw new Error('no password came');
}

async function main([task = '', file = '', folder = '', options = '{}']: string[]) {
  const parsed = { ...JSON.parse(options), file, folder };
  // Only what the task needs is loaded: somebody waits for the first page.
  if (task === 'pdf') await (await import('./render-pdf.ts')).renderPdf(parsed, say, listen());
  else if (task === 'sharp') await (await import('./render-hi-res.ts')).renderHiRes(parsed, say);
  else if (task === 'flow') await (await import('./flow/convert-to-flow.ts')).convertToFlow(parsed, say);
  else if (task === 'sheet') await (await import('./sheet/convert-to-sheets.ts')).convertToSheets(parsed, say);
  else if (task === 'accept-changes') await (await import('./accept-tracked-changes.ts')).acceptTrackedChanges(parsed);
  else if (task === 'remove-deleted-rows') await (await import('./remove-deleted-rows.ts')).removeDeletedRows(parsed);
  else if (task === 'decrypt') await (await import('./decrypt.ts')).decrypt(parsed, await readPassword());
  else throw new Error(`no such task: ${task}`);
  say({ type: 'done' });
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (failure: unknown) => {
    const error = isStackOverflow(failure) ? new RejectedFileError('nested') : failure;
    if (error instanceof RejectedFileError) {
      say({ type: 'refused', refusal: error.refusal, detail: error.message.slice(0, 2000) });
      process.exit(0);
    }
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exit(1);
  },
);
