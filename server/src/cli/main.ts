/** `culprit`: what a shell starts. */
import { run } from './run.ts';

// What is stored belongs to the user that runs it, also where the data directory was made by somebody else.
process.umask(0o077);
process.exitCode = await run(process.argv.slice(2), {
  print: (text) => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`${text}\n`),
});
