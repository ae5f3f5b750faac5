/** Runs a scenario of a program of another language. */
import { spawn } from 'node:child_process';
import type { Program } from './toolchains.ts';

const patienceMs = 60_000;

/** What it wrote to standard error. Without an address of a server it sends nothing, and prints its errors. */
export async function runScenario(program: Program, scenario: string, server?: Server): Promise<string> {
  const [file = '', ...args] = program.command;
  const child = spawn(file, [...args, scenario], {
    cwd: program.directory,
    // Only what the program needs: an SDK may send what it finds in the environment.
    env: { PATH: process.env['PATH'], ...program.env, ...(server && addresses(server)) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const stderr = child.stderr.setEncoding('utf8').toArray();
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  const [, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, by) => resolve([code, by]));
  });
  clearTimeout(timer);
  const text = (await stderr).join('');
  if (signal === 'SIGKILL') throw new Error(`${args.join(' ')} ${scenario} did not end: ${text}`);
  return text;
}

export interface Server {
  /** `http://127.0.0.1:4711` */
  readonly origin: string;
  readonly key: string;
  /** Of the project. */
  readonly id: string;
}

function addresses({ origin, key, id }: Server): Record<string, string> {
  return {
    RECORD_DSN: origin.replace('//', `//${key}@`) + `/${id}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: origin,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Bearer%20${key}`,
    OTEL_SERVICE_NAME: 'shop',
    OTEL_RESOURCE_ATTRIBUTES: 'host.name=web-7,service.version=1.0.0,deployment.environment.name=staging',
    OTEL_METRICS_EXPORTER: 'otlp',
    OTEL_LOGS_EXPORTER: 'otlp',
  };
}
