/** Records of domains, asked of a DNS server. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookUpTexts } from './domains.ts';

const records: Readonly<Record<string, readonly string[]>> = {
  '_culprit.acme.example': ['v=spf1 -all', 'culprit-domain=0123'],
  '_culprit.empty.example': [],
};
let server: Socket;
let address: string;

/** RFC 1035: the name of the question, and where it ends. */
function questionOf(message: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 5 };
}

function answerTo(message: Buffer): Buffer {
  const { name, end } = questionOf(message);
  const texts = records[name];
  const head = Buffer.from(message.subarray(0, 12));
  head.writeUInt16BE(texts ? 0x8180 : name.startsWith('_culprit.broken') ? 0x8182 : 0x8183, 2);
  head.writeUInt16BE(texts?.length ?? 0, 6);
  head.writeUInt32BE(0, 8);
  const answers = (texts ?? []).map((text) => {
    const record = Buffer.alloc(13 + text.length);
    record.set([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60]);
    record.writeUInt16BE(text.length + 1, 10);
    record[12] = text.length;
    record.write(text, 13, 'latin1');
    return record;
  });
  return Buffer.concat([head, message.subarray(12, end), ...answers]);
}

beforeAll(async () => {
  server = createSocket('udp4');
  server.on('message', (message, from) => server.send(answerTo(message), from.port, from.address));
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  address = `127.0.0.1:${server.address().port}`;
});
afterAll(() => void server.close());

test('are read whole, and none is an answer too', async () => {
  expect(await lookUpTexts('_culprit.acme.example', [address])).toEqual(['v=spf1 -all', 'culprit-domain=0123']);
  expect(await lookUpTexts('_culprit.empty.example', [address])).toEqual([]);
  expect(await lookUpTexts('_culprit.other.example', [address])).toEqual([]);
});

test('a server that fails is no answer', async () => {
  await expect(lookUpTexts('_culprit.broken.example', [address])).rejects.toThrow();
});
