/** A copy of the built console that a test may break: its files are replaced, deleted and deployed anew. */
import { cpSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** CULPRIT_CONSOLE_DIR: another build than the one that came along. */
const built = process.env['CULPRIT_CONSOLE_DIR'] ?? fileURLToPath(new URL('../console/dist/', import.meta.url));

export class OwnConsole implements AsyncDisposable {
  readonly dir: string;
  readonly #whole: string;

  private constructor(dir: string, whole: string) {
    this.dir = dir;
    this.#whole = whole;
  }

  static async create(): Promise<OwnConsole> {
    const [dir, whole] = [
      await mkdtemp(join(tmpdir(), 'culprit-console-')),
      await mkdtemp(join(tmpdir(), 'culprit-whole-')),
    ];
    // Compressed copies would be served in the place of what is changed.
    cpSync(built, whole, { recursive: true, filter: (path) => !/\.(?:br|gz|map)$/.test(path) });
    const own = new OwnConsole(dir, whole);
    await own.mend();
    return own;
  }

  /** As it was built. */
  async mend(): Promise<void> {
    for (const name of await readdir(this.dir)) await rm(join(this.dir, name), { recursive: true });
    cpSync(this.#whole, this.dir, { recursive: true });
  }

  /** Path of the script of a page, or of the entry (`index`), as the browser asks for it. */
  async script(name: string): Promise<string> {
    const pattern = new RegExp(`^${name}-[\\w-]{7}\\.js$`);
    const html = await readFile(join(this.#whole, 'index.html'), 'utf8');
    const files = (await readdir(join(this.dir, 'assets'))).filter((file) => pattern.test(file));
    const file = files.length > 1 ? files.find((each) => html.includes(each)) : files[0];
    if (!file) throw new Error(`the build has no ${name}`);
    return `/assets/${file}`;
  }

  async replace(path: string, content: string): Promise<void> {
    await writeFile(join(this.dir, path), content);
  }

  async remove(path: string): Promise<void> {
    await rm(join(this.dir, path));
  }

  /** A deployment: the page's script has another name now, and whatever names it another content and therefore name too. */
  async deploy(): Promise<void> {
    const assets = join(this.dir, 'assets');
    const scripts = (await readdir(assets)).filter((file) => file.endsWith('.js'));
    // Several scripts may be alike but for their hashes.
    const renamed = (name: string): string =>
      name.replace(/-([\w-]{7})\.js$/, (_, hash: string) => `-${[...hash].toReversed().join('')}.js`);
    const fresh = (text: string): string => scripts.reduce((all, name) => all.replaceAll(name, renamed(name)), text);
    for (const name of scripts) {
      await writeFile(join(assets, name), fresh(await readFile(join(assets, name), 'utf8')));
      await rename(join(assets, name), join(assets, fresh(name)));
    }
    const index = join(this.dir, 'index.html');
    await writeFile(index, fresh(await readFile(index, 'utf8')));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.dir, { recursive: true, force: true });
    await rm(this.#whole, { recursive: true, force: true });
  }
}
