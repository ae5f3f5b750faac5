import { createLogger } from '../base/logger.ts';
import { releaseAfterStart } from '../base/release-memory.ts';
import type { Command } from './command.ts';
import { serve as texts } from '../base/texts/cli.ts';

/** Longest that a graceful stop may take, ms; then the process ends as it is, which costs nothing that was acknowledged. */
const stopMs = 9_000;

/** Longest that a crash waits for its report, ms. */
const reportMs = 2_000;

export const serveCommand: Command = {
  name: 'serve',
  summary: texts.summary,
  usage: '[--port N] [--host ADDRESS] [--data-dir DIR] [--url URL]',
  options: {},
  examples: ['culprit serve', 'culprit serve --host 0.0.0.0 --port 8080 --url https://culprit.example.com'],
  async run({ config, json }) {
    const logger = createLogger(config.logLevel, { pretty: process.stdout.isTTY && !json });
    // Listened for before the start, so that a signal during it ends the engine in order, too.
    const asked = stopSignal((signal) => {
      logger.info({ signal }, 'stopping');
      setTimeout(() => process.exit(0), config.drainSeconds * 1_000 + stopMs).unref();
    });
    // Loaded here, so that no other command waits for it.
    const { startProgram } = await import('../program.ts');
    const program = await startProgram(config, logger);
    // A process in an unknown state ends; whoever runs it starts it again, and nothing acknowledged is lost.
    const crash = async (error: unknown): Promise<void> => {
      program.failures.note(error, { message: 'the server stops after an unexpected error', fatal: true });
      await program.reported(reportMs);
      process.exit(1);
    };
    process.once('uncaughtException', (error) => void crash(error));
    process.once('unhandledRejection', (reason) => void crash(reason));
    const { url, listening } = program;
    const setUpLink = await program.setUpLink();
    process.stdout.write(
      json
        ? `${JSON.stringify({ url, listening, ...(setUpLink && { setUpLink }) })}\n`
        : setUpLink
          ? `\n${texts.setUp(setUpLink)}\n\n`
          : `\n${texts.ready(url)}\n\n`,
    );
    releaseAfterStart();
    await asked;
    await program.drain();
    await program.close().catch((error: unknown) => logger.error({ err: error }, 'could not stop cleanly'));
    // Handles of native modules may outlive their close.
    process.exit(0);
  },
};

/** Resolves at the first signal to stop; a second one ends the process at once. */
function stopSignal(heard: (signal: string) => void): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    const stop = (signal: string): void => {
      if (stopping) process.exit(1);
      stopping = true;
      heard(signal);
      resolve();
    };
    process.on('SIGTERM', () => stop('SIGTERM'));
    process.on('SIGINT', () => stop('SIGINT'));
  });
}
