import { expect, test } from 'vitest';
import { commandHelp } from './command.ts';
import { commands } from './commands.ts';

test.each([...commands])('%s: its name, options and examples are in its help', async (name, load) => {
  const command = await load();
  expect(command.name).toBe(name);
  expect(commandHelp(command)).toMatch(new RegExp(`^culprit ${name}[^]*\\nOptions\\n[^]*\\nExamples\\n {2}`));
});
