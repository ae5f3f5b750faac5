/** Starts an example as its README says, on a free port, and waits for the address that it prints. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { PageServer } from './app-server.ts';

export function exampleDir(name: string): string {
  return fileURLToPath(new URL(`../examples/${name}`, import.meta.url));
}

export interface ExampleProcess extends PageServer {
  /** What it wrote so far, to either stream. */
  output(): string;
}

export async function startExample(
  name: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<ExampleProcess> {
  const child = spawn(process.execPath, [...args], {
    cwd: exampleDir(name),
    env: { ...process.env, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the example ended with ${code}:\n${output}`)));
    lines.on('line', (line) => {
      output += `${line}\n`;
      if (line.startsWith('http://')) resolve(line.replace('localhost', '127.0.0.1'));
    });
  });
  return { url, output: () => output, [Symbol.asyncDispose]: stop };
}

/** Runs the example's build to its end. */
export async function buildExample(
  name: string,
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const bin = fileURLToPath(new URL(`../node_modules/.bin/${command}`, import.meta.url));
  const child = spawn(bin, [...args], { cwd: exampleDir(name), env: { ...process.env, ...environment } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${command} failed:\n${output}`);
}
