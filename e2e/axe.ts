/** Axe, run in a page; its script is given to a page once, and collects nothing but what it minds. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * Axe is written for old browsers: each part of a colour lies in a `WeakMap` of its own, and each colour is parsed
 * wherever it is met. Kept on the objects themselves, and parsed once, they leave six tenths of the processor time.
 */
const weakMap = `class WeakMap {
  #key = Symbol();
  has(object) { return this.#key in object; }
  get(object) { return object[this.#key]; }
  set(object, value) { object[this.#key] = value; return this; }
  delete(object) { return delete object[this.#key]; }
}`;

const rememberColors = `{
  const known = new Map();
  const { prototype } = axe.commons.color.Color;
  const { parseString } = prototype;
  prototype.parseString = function (text) {
    if (!known.has(text)) known.set(text, parseString.call(new this.constructor(0, 0, 0), text));
    const { r, g, b, alpha } = known.get(text);
    return Object.assign(this, { r, g, b, alpha });
  };
}`;

const script = `(() => { ${weakMap}\n${axe.source}\n})();\n${rememberColors}`;

/** What Base UI keeps the focus within a popup by: it passes the focus on at once. */
const guards = '[data-base-ui-focus-guard]';

/** Of a long list or table each row is of the same parts, and so is each group of one. */
const moreRows = ['main :is(li, tr):nth-child(n + 7)', 'main nav > section:nth-child(n + 4)'];

export interface Minded {
  readonly disabledRules?: readonly string[];
  /** All of a list, not only its first rows. */
  readonly whole?: boolean;
}

/** What axe minds, by rule with the places. */
export async function violations(
  page: Page,
  type: 'tag' | 'rule',
  values: string[],
  { disabledRules = [], whole = true }: Minded = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(script);
  const options: axe.RunOptions = {
    runOnly: { type, values },
    resultTypes: ['violations'],
    rules: Object.fromEntries(disabledRules.map((rule) => [rule, { enabled: false }])),
  };
  return page.evaluate(
    async ({ runOptions, exclude }) => {
      const run: typeof axe.run = Reflect.get(Reflect.get(globalThis, 'axe'), 'run');
      const result = await run({ exclude }, runOptions);
      return result.violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
      );
    },
    { runOptions: options, exclude: whole ? [guards] : [guards, ...moreRows] },
  );
}
