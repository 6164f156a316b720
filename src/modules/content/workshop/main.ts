// The workshop: the program that opens files of strangers. It runs behind walls, reads one file,
// writes into one folder, and says on standard output what it has made.
import { createInterface } from 'node:readline';
import { RefusedError, type WorkshopEvent } from './events.ts';
import { makeFlow } from './flow/make-flow.ts';
import { type Commands, renderPdf } from './render-pdf.ts';
import { makeSheets } from './sheet/make-sheets.ts';

const say = (event: WorkshopEvent) => process.stdout.write(`${JSON.stringify(event)}\n`);

function listen(): Commands {
  const commands: Commands = { wanted: [], isStopped: false };
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { want = [], stop = false } = JSON.parse(line) as { want?: number[]; stop?: boolean };
    commands.wanted.push(...want);
    commands.isStopped ||= stop;
  });
  return commands;
}

async function main([task = '', file = '', folder = '', options = '{}']: string[]) {
  const parsed = { ...JSON.parse(options), file, folder };
  if (task === 'pdf') await renderPdf(parsed, say, listen());
  else if (task === 'flow') await makeFlow(parsed, say);
  else if (task === 'sheet') await makeSheets(parsed, say);
  else throw new Error(`no such task: ${task}`);
  say({ type: 'done' });
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    if (error instanceof RefusedError) {
      say({ type: 'refused', refusal: error.refusal, detail: error.message.slice(0, 2000) });
      process.exit(0);
    }
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exit(1);
  },
);
