/** The package of Node brings headers and manuals, half as large as the program; nothing here is compiled against them. */
import { globSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const nodes = fileURLToPath(new URL('../node_modules/node/node_modules', import.meta.url));

for (const path of globSync('*/{include,share,CHANGELOG.md}', { cwd: nodes })) {
  rmSync(`${nodes}/${path}`, { recursive: true });
}
