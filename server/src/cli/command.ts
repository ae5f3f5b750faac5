/** What a command of the CLI is, and what it gets. */
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { type Config, readConfig, type SettingName, settings } from '../base/config.ts';
import { general } from '../base/texts/cli.ts';

/** Wrong words on the command line: exit code 2, with the help's first lines. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface Option {
  readonly type: 'string' | 'boolean';
  /** One line. */
  readonly help: string;
  /** What stands for the value in the help, e.g. `EMAIL`. */
  readonly placeholder?: string;
}

export interface Invocation {
  readonly config: Config;
  /** Words that are no flags. */
  readonly words: readonly string[];
  readonly json: boolean;
  text(name: string): string | undefined;
  flag(name: string): boolean;
  /** The value of an option that must be given; throws UsageError. */
  required(name: string): string;
  /** Prints `data` as JSON with --json, else the lines. */
  print(data: unknown, lines: readonly string[]): void;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** After `culprit NAME`, e.g. `create NAME [--platform P]`. */
  readonly usage: string;
  readonly options: Readonly<Record<string, Option>>;
  /** How many words that are no flags it takes; none unless told. */
  readonly words?: number;
  readonly examples: readonly string[];
  /** Resolves to the exit code, 0 unless told. */
  run(invocation: Invocation): Promise<number | void>;
}

const shared: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', help: general.json },
  help: { type: 'boolean', help: general.showHelp },
};

export function isSettingName(name: string): name is SettingName {
  return name in settings;
}

/** Flags of all settings, by flag name. */
const settingFlags = new Map<string, SettingName>(
  Object.entries(settings).flatMap(([name, setting]) =>
    isSettingName(name) && !('isSecret' in setting) ? [[setting.flag, name] as const] : [],
  ),
);

export function parseInvocation(
  command: Command,
  args: readonly string[],
  print: (text: string) => void,
): Invocation | 'help' {
  const options: ParseArgsOptionsConfig = {};
  for (const [name, { type }] of Object.entries({ ...shared, ...command.options })) options[name] = { type };
  options.help = { type: 'boolean', short: 'h' };
  for (const flag of settingFlags.keys()) options[flag] ??= { type: 'string' };
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split('. ')[0] : String(error), { cause: error });
  }
  const { values, positionals } = parsed;
  if (values.help) return 'help';
  const surplus = positionals[command.words ?? 0];
  if (surplus !== undefined) throw new UsageError(general.surplus(surplus));
  const flags: Partial<Record<SettingName, string>> = {};
  for (const [flag, name] of settingFlags) {
    const value = values[flag];
    if (!(flag in command.options) && typeof value === 'string') flags[name] = value;
  }
  const json = values.json === true;
  const text = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    config: readConfig(flags),
    words: positionals,
    json,
    text,
    flag: (name) => values[name] === true,
    required(name) {
      const value = text(name);
      if (!value) throw new UsageError(general.missing(name));
      return value;
    },
    print: (data, lines) => print(json ? JSON.stringify(data, null, 2) : lines.join('\n')),
  };
}

function optionLine(name: string, option: Option): string {
  const left = `--${name}${option.type === 'string' ? ` ${option.placeholder ?? 'VALUE'}` : ''}`;
  return `  ${left.padEnd(30)} ${option.help}`;
}

export function commandHelp(command: Command): string {
  const own = Object.entries({ ...command.options, ...shared }).map(([name, option]) => optionLine(name, option));
  return [
    `culprit ${command.name} ${command.usage}`.trimEnd(),
    '',
    command.summary,
    '',
    general.options,
    ...own,
    '',
    general.settings,
    `  ${[...settingFlags.keys()].map((flag) => `--${flag}`).join(' ')}`,
    '',
    general.examples,
    ...command.examples.map((example) => `  ${example}`),
  ].join('\n');
}
