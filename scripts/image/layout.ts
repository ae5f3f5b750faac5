/** Images as the OCI image format lays them out: blobs by their digest, and an index of what is there. */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { directories, type Entry, entriesOf, tarOf } from './tar.ts';

export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

export interface Layer extends Descriptor {
  /** Of what is unpacked, by which an image's configuration names it. */
  readonly diffId: string;
  readonly unpackedSize: number;
  readonly made: string;
}

export interface Manifest extends Descriptor {
  readonly platform: { readonly os: 'linux'; readonly architecture: string };
  readonly config: string;
  readonly layers: readonly string[];
}

const type = (name: string): string => `application/vnd.oci.image.${name}`;
const blobs = (layout: string): string => join(layout, 'blobs/sha256');
const blobOf = (digest: string): string => `blobs/${digest.replace(':', '/')}`;

/** Hashes what passes. */
function meter(): { readonly through: Transform; digest(): string; bytes(): number } {
  const hash = createHash('sha256');
  let bytes = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(undefined, chunk);
    },
  });
  return { through, digest: () => `sha256:${hash.digest('hex')}`, bytes: () => bytes };
}

function addBlob(layout: string, mediaType: string, value: object): Descriptor {
  const bytes = Buffer.from(JSON.stringify(value));
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  writeFileSync(join(layout, blobOf(digest)), bytes);
  return { mediaType, digest, size: bytes.length };
}

export function startLayout(layout: string): void {
  rmSync(layout, { recursive: true, force: true });
  mkdirSync(blobs(layout), { recursive: true });
  writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
}

/** A layer with these entries, and the directories on the way to them. */
export async function addLayer(layout: string, made: string, entries: readonly Entry[], time: number): Promise<Layer> {
  const named = new Map(entries.flatMap(({ path }) => directories(path)).map((entry) => [entry.path, entry]));
  for (const entry of entries) named.set(entry.path, entry);
  const path = join(blobs(layout), `making-${randomUUID()}`);
  const [unpacked, packed] = [meter(), meter()];
  const tar = Readable.from(tarOf([...named.values()], time));
  await pipeline(tar, unpacked.through, createGzip({ level: 6 }), packed.through, createWriteStream(path));
  const digest = packed.digest();
  renameSync(path, join(layout, blobOf(digest)));
  const mediaType = type('layer.v1.tar+gzip');
  return { mediaType, digest, size: packed.bytes(), diffId: unpacked.digest(), unpackedSize: unpacked.bytes(), made };
}

const described = ({ mediaType, digest, size }: Descriptor): Descriptor => ({ mediaType, digest, size });

/** An image of these layers, the lowest first. */
export function addImage(
  layout: string,
  architecture: string,
  config: object,
  layers: readonly Layer[],
  time: number,
): Manifest {
  const created = new Date(time * 1000).toISOString();
  const configured = addBlob(layout, type('config.v1+json'), {
    created,
    architecture,
    os: 'linux',
    config,
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ made }) => ({ created, created_by: made })),
  });
  const manifest = addBlob(layout, type('manifest.v1+json'), {
    schemaVersion: 2,
    mediaType: type('manifest.v1+json'),
    config: configured,
    layers: layers.map(described),
  });
  return {
    ...manifest,
    platform: { os: 'linux', architecture },
    config: configured.digest,
    layers: layers.map(({ digest }) => digest),
  };
}

/** Ends the layout: under this name and tag, one image, or one for each platform. */
export function nameImages(layout: string, name: string, tag: string, images: readonly Manifest[]): Descriptor {
  const manifests = images.map((image) => ({ ...described(image), platform: image.platform }));
  const [first, ...others] = manifests;
  if (!first) throw new Error('no image');
  const mediaType = type('index.v1+json');
  const named = others.length ? addBlob(layout, mediaType, { schemaVersion: 2, mediaType, manifests }) : first;
  const annotations = {
    'org.opencontainers.image.ref.name': tag,
    // As Docker writes a name that has no registry.
    'io.containerd.image.name': `docker.io/library/${name}:${tag}`,
  };
  const index = { schemaVersion: 2, mediaType, manifests: [{ ...named, annotations }] };
  writeFileSync(join(layout, 'index.json'), JSON.stringify(index));
  // `docker load` of older releases reads this list, which cannot tell platforms apart.
  const list = images.map(({ config, layers }) => ({
    Config: blobOf(config),
    RepoTags: [`${name}:${tag}`],
    Layers: layers.map(blobOf),
  }));
  if (images.length === 1) writeFileSync(join(layout, 'manifest.json'), JSON.stringify(list));
  return named;
}

/** The layout as one file. Resolves to its bytes. */
export async function archive(layout: string, to: string): Promise<number> {
  await pipeline(Readable.from(tarOf(entriesOf(layout, ''), 0)), createWriteStream(to));
  return statSync(to).size;
}
