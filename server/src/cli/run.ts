/** Reads arguments, runs a command, and turns what goes wrong into a sentence and an exit code. */
import { CodedError } from '../base/errors.ts';
import { version } from '../base/version.ts';
import { type Command, commandHelp, parseInvocation, UsageError } from './command.ts';
import { general } from '../base/texts/cli.ts';
import { commands } from './commands.ts';

async function overview(): Promise<string> {
  const all = await Promise.all([...commands.values()].map((load) => load()));
  return [
    general.title(version),
    '',
    general.usage,
    '',
    ...all.map((command) => `  ${command.name.padEnd(13)} ${command.summary}`),
    '',
    general.hint,
  ].join('\n');
}

interface Said {
  /** Takes lines for the standard output. */
  print(text: string): void;
  /** Takes lines for the standard error. */
  complain(text: string): void;
}

/** Resolves to the exit code. */
export async function run(args: readonly string[], said: Said): Promise<number> {
  const { print, complain } = said;
  const [name, ...rest] = args;
  if (name === 'help' && rest[0] !== undefined) return run([rest[0], '--help'], said);
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    print(await overview());
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v') {
    print(version);
    return 0;
  }
  const load = commands.get(name);
  if (!load) {
    complain(`${general.unknownCommand(name)}\n\n${await overview()}`);
    return 2;
  }
  const command = await load();
  try {
    const invocation = parseInvocation(command, rest, print);
    if (invocation === 'help') {
      print(commandHelp(command));
      return 0;
    }
    return (await command.run(invocation)) ?? 0;
  } catch (error) {
    const code = error instanceof UsageError ? 2 : 1;
    complain(
      rest.includes('--json') ? JSON.stringify(described(error)) : `culprit ${name}: ${sentence(error, command)}`,
    );
    return code;
  }
}

/** For --json: `code` is that of the error table, USAGE or INTERNAL. */
function described(error: unknown): { code: string; message: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof CodedError) return { code: error.code, message };
  return { code: error instanceof UsageError ? 'USAGE' : 'INTERNAL', message };
}

function sentence(error: unknown, { name, usage }: Command): string {
  if (error instanceof UsageError) return general.wrongUsage(error.message, name, usage);
  if (!(error instanceof CodedError)) return error instanceof Error ? (error.stack ?? error.message) : String(error);
  // That the engine does not answer says nothing to somebody whose engine has never started.
  const cause = error.code === 'ENGINE_UNAVAILABLE' && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message} (${error.code})${cause}`;
}
