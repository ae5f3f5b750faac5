/** Traefik itself is not run: its file in the guide is YAML, and leads to the server. */
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { codeBlocks, guideText } from '../guides.ts';

test('the file for Traefik', async () => {
  const [code = ''] = codeBlocks(await guideText('behind-a-proxy'), 'yaml');
  expect(load(code)).toMatchObject({
    http: {
      routers: { culprit: { rule: 'Host(`culprit.example.com`)', service: 'culprit' } },
      services: { culprit: { loadBalancer: { servers: [{ url: 'http://127.0.0.1:7420' }] } } },
    },
  });
});
