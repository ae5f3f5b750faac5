/**
 * Attributes as two lists, in the order in which they came; the last value of a name counts. An object for each span takes
 * several times as long to fill and to walk, for names of all kinds make it a table.
 */
export class AttributeList {
  readonly names: string[];
  readonly values: unknown[];
  /** Made once there are many, so that time follows their number. */
  #places: Map<string, number> | undefined;

  constructor(names: string[] = [], values: unknown[] = []) {
    this.names = names;
    this.values = values;
  }

  get(name: string): unknown {
    return this.values[this.#placeOf(name)];
  }

  set(name: string, value: unknown): void {
    const place = this.#placeOf(name);
    if (place >= 0) this.values[place] = value;
    else this.add(name, value);
  }

  /** A name that is not there yet. */
  add(name: string, value: unknown): void {
    this.#places?.set(name, this.names.length);
    this.names.push(name);
    this.values.push(value);
  }

  /** Of a name that both have, the other's value counts. */
  append({ names, values }: AttributeList): void {
    this.#places = undefined;
    for (let index = 0; index < names.length; index++) {
      this.names.push(names[index] ?? '');
      this.values.push(values[index]);
    }
  }

  /** Without a prototype, so that every name is an ordinary one. */
  toObject(): Record<string, unknown> {
    const object = Object.create(null) as Record<string, unknown>;
    for (const [index, name] of this.names.entries()) object[name] = this.values[index];
    return object;
  }

  #placeOf(name: string): number {
    if (this.names.length <= fewNames) return this.names.lastIndexOf(name);
    this.#places ??= new Map(this.names.map((known, index) => [known, index]));
    return this.#places.get(name) ?? -1;
  }
}

const fewNames = 40;
