/** The commands of the guide, as they stand there. */
import { readFileSync } from 'node:fs';

const guide = readFileSync(new URL('../../../docs/guides/move-in.md', import.meta.url), 'utf8');

/** Words after `culprit import`, with the address of the tracker that runs here; without where the token is. */
export function commandsFor(tracker: string, url: string): string[][] {
  return [...guide.matchAll(/^culprit import (.*)$/gm)]
    .map(([, line = '']) => line.split(' '))
    .filter(([first]) => first === tracker)
    .map((words) =>
      words
        .filter((word, index) => word !== '--token-file' && words[index - 1] !== '--token-file')
        .map((word) => (word.startsWith('https://') ? url : word)),
    );
}
