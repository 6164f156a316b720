import { runProgram } from './run-program.ts';

// The reader of a pipe may close it early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

await runProgram(process.argv.slice(2));
