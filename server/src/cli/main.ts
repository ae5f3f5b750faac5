/** `culprit`: reads arguments, runs a command, and turns what goes wrong into a sentence and an exit code. */
import { CodedError } from '../errors.ts';
import { version } from '../version.ts';
import { type Command, commandHelp, parseInvocation, UsageError } from './command.ts';
import { configCommand } from './config.ts';
import { doctorCommand } from './doctor.ts';
import { initCommand } from './init.ts';
import { migrateCommand } from './migrate.ts';
import { projectCommand } from './project.ts';
import { serveCommand } from './serve.ts';
import { tokenCommand } from './token.ts';
import { userCommand } from './user.ts';

const commands: readonly Command[] = [
  serveCommand,
  initCommand,
  migrateCommand,
  projectCommand,
  userCommand,
  tokenCommand,
  doctorCommand,
  configCommand,
];

function overview(): string {
  return [
    `culprit ${version}: self-hosted error and performance monitoring`,
    '',
    'Usage: culprit COMMAND [options]',
    '',
    ...commands.map((command) => `  ${command.name.padEnd(10)} ${command.summary}`),
    '',
    '"culprit COMMAND --help" shows options and examples. Exit codes: 0 done, 1 failed, 2 wrong usage.',
  ].join('\n');
}

async function main(args: readonly string[]): Promise<number> {
  const print = (text: string): void => void process.stdout.write(`${text}\n`);
  const complain = (text: string): void => void process.stderr.write(`${text}\n`);
  const [name, ...rest] = args;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    print(overview());
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v') {
    print(version);
    return 0;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) {
    complain(`culprit: there is no command "${name}".\n\n${overview()}`);
    return 2;
  }
  try {
    const invocation = parseInvocation(command, rest, print);
    if (invocation === 'help') {
      print(commandHelp(command));
      return 0;
    }
    return (await command.run(invocation)) ?? 0;
  } catch (error) {
    if (error instanceof UsageError) {
      complain(
        `culprit ${name}: ${error.message}\nUsage: culprit ${name} ${command.usage}\n"culprit ${name} --help" explains.`,
      );
      return 2;
    }
    if (error instanceof CodedError) {
      complain(`culprit ${name}: ${error.message} (${error.code})`);
      return 1;
    }
    complain(`culprit ${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
