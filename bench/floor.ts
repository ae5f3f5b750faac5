/**
 * The floor, a process of its own: the least that a server can do that accepts an event durably. Bare `node:http`
 * reads the body, decompresses it where it says so, parses each line as JSON (protobuf by its definition), puts it into
 * LMDB and answers once that is on disk. What Culprit does on top is measured against this, on the same machine in the same run.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { open } from 'lmdb';
import { typeNamed } from '../server/src/base/otlp/made.ts';
import { readBody } from './read-body.ts';

/** The only line that it prints. */
export interface FloorReady {
  readonly port: number;
}

const { values } = parseArgs({ options: { dir: { type: 'string' }, port: { type: 'string', default: '0' } } });
if (!values.dir) {
  console.error('usage: node bench/floor.ts --dir DIR [--port N]');
  process.exit(2);
}

// As the server's log opens it: a write is done when it is on disk.
const root = open({ path: join(values.dir, 'floor.mdb'), overlappingSync: false, mapSize: 64 * 2 ** 30 });
const records = root.openDB<Buffer, number>({ name: 'records', encoding: 'binary' });
const spans = typeNamed('opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest');
let position = 0;

const server = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const text = JSON.stringify({ id: await accept(request) });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
    response.end(text);
  } catch (error) {
    console.error(error);
    response.writeHead(500, { 'content-length': 0 });
    response.end();
  }
}

async function accept(request: IncomingMessage): Promise<string> {
  const body = await readBody(request);
  const plain = request.headers['content-encoding'] === 'gzip' ? gunzip(body) : body;
  let id = '';
  if (request.headers['content-type'] === 'application/x-protobuf') spans.decode(plain);
  else
    for (const line of plain.toString('utf8').split('\n')) {
      const parsed = JSON.parse(line) as { event_id?: unknown };
      if (typeof parsed.event_id === 'string') id ||= parsed.event_id;
    }
  await records.put(++position, body);
  return id;
}

/** The end of a gzip body says how large its content is, which spares zlib from gathering pieces. */
function gunzip(body: Buffer): Buffer {
  const sizeBytes = body.readUInt32LE(body.length - 4);
  return gunzipSync(body, { chunkSize: Math.min(Math.max(sizeBytes + 1, 1024), 2 ** 20) });
}

async function stop(): Promise<void> {
  server.close();
  server.closeAllConnections();
  await root.close();
  process.exit(0);
}

process.once('SIGTERM', () => void stop());
process.once('disconnect', () => void stop());
server.listen(Number(values.port), '127.0.0.1', () => {
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the floor does not listen');
  process.stdout.write(`${JSON.stringify({ port: address.port } satisfies FloorReady)}\n`);
});
