/**
 * Pages that people begin with, and the files that each is made of. The server names them in the HTML, so that they come
 * beside the entry and not one after the other.
 */
/** By the path, in which `*` stands for one part: the module of the page below `src/pages`. */
export declare const firstPages: Readonly<Record<string, string>>;
export interface Chunk {
    readonly file: string;
    readonly isEntry?: boolean;
    readonly imports?: readonly string[];
    readonly css?: readonly string[];
}
/** By the path: tags for what the page needs beyond the entry. */
export declare function linksOfPages(manifest: Readonly<Record<string, Chunk>>): Record<string, string>;
