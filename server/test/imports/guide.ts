/** The commands of the guide, as they stand there. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { argumentsOf, guideText } from '../guides.ts';
import type { Server } from '../harness.ts';

/** Words after `culprit import`, with the address of the tracker that runs here, and where its token is. */
export async function commandsFor(tracker: string, url: string, token: string, server: Server): Promise<string[][]> {
  const file = join(server.dataDir, 'token');
  await writeFile(file, `${token}\n`, { mode: 0o600 });
  return argumentsOf(await guideText('move-in'), 'import')
    .map((line) => line.split(' '))
    .filter(([first]) => first === tracker)
    .map((words) =>
      words.map((word, index) =>
        words[index - 1] === '--token-file' ? file : word.startsWith('https://') ? url : word,
      ),
    );
}
