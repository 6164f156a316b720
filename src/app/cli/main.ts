import { runProgram } from './run-program.ts';

// Whoever reads only the beginning, as `head` does, has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

await runProgram(process.argv.slice(2));
