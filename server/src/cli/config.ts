import { type Config, type SettingName, settings, withoutPassword } from '../base/config.ts';
import { type Command, isSettingName } from './command.ts';
import { config as texts } from '../base/texts/cli.ts';

export const configCommand: Command = {
  name: 'config',
  summary: texts.summary,
  usage: '[--json]',
  options: {},
  examples: ['culprit config', 'CULPRIT_PORT=8080 culprit config --json'],
  async run({ config, print }) {
    const rows = Object.entries(settings).flatMap(([name, setting]) => {
      if (!isSettingName(name)) return [];
      const value = config[name];
      const text = textOf(value);
      return [
        {
          name: setting.env,
          flag: 'isSecret' in setting ? '' : `--${setting.flag}`,
          value: 'isSecret' in setting ? text && '***' : withoutPassword(text),
          default: setting.fallback,
          help: setting.help,
        },
      ];
    });
    print(
      Object.fromEntries(rows.map(({ name, value }) => [name, value])),
      rows.map(({ name, value, help }) => `${name.padEnd(30)} ${(value || texts.unset).padEnd(28)} ${help}`),
    );
  },
};

function textOf(value: Config[SettingName]): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'object' ? value.join(',') : String(value);
}
