/** Traefik itself is not run: its file in the guide is YAML, and leads to the server. */
import { readFile } from 'node:fs/promises';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';

test('the file for Traefik', async () => {
  const guide = await readFile(new URL('../../../docs/guides/behind-a-proxy.md', import.meta.url), 'utf8');
  const [, code = ''] = /^```yaml\n([^]*?)```$/m.exec(guide) ?? [];
  expect(load(code)).toMatchObject({
    http: {
      routers: { culprit: { rule: 'Host(`culprit.example.com`)', service: 'culprit' } },
      services: { culprit: { loadBalancer: { servers: [{ url: 'http://127.0.0.1:7420' }] } } },
    },
  });
});
