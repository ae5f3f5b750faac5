/** What builds upload: chunks, artifact bundles, and how source maps are doing. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, pageQuery, projectParams } from '../shared/schemas.ts';

const sha1 = z.string().regex(/^[0-9a-f]{40}$/i, 'must be a SHA-1 of 40 hexadecimal digits');
const tag = 'Source maps';

export const getChunkUpload = endpoint({
  method: 'GET',
  url: '/organizations/:org/chunk-upload/',
  id: 'getChunkUpload',
  tag,
  summary: 'How to upload: where to, in pieces of which size, compressed how',
  access: 'project:releases',
  params: orgParams,
  response: z
    .object({
      url: z.string().describe('Where chunks are posted to, absolute.'),
      chunkSize: z.int().describe('Bytes of a chunk, before compression.'),
      chunksPerRequest: z.int(),
      maxRequestSize: z.int().describe('Bytes of a request.'),
      maxFileSize: z.int().describe('Bytes of all chunks of a bundle.'),
      concurrency: z.int(),
      hashAlgorithm: z.literal('sha1'),
      compression: z.array(z.string()),
      accept: z.array(z.string()).describe('What is done with what is uploaded.'),
    })
    .meta({ id: 'ChunkUpload' }),
});

export const postChunks = endpoint({
  method: 'POST',
  url: '/organizations/:org/chunk-upload/',
  id: 'postChunks',
  tag,
  summary: 'Upload chunks',
  description:
    'multipart/form-data, a part per chunk: the name is `file`, or `file_gzip` for one that is compressed; the file name is the SHA-1 of the uncompressed chunk.',
  access: 'project:releases',
  upload: true,
  params: orgParams,
  status: 200,
});

const assembleState = z.enum(['ok', 'not_found', 'created', 'assembling', 'error']);

const Assembled = z
  .object({
    state: assembleState.describe(
      'not_found: chunks are missing; created, assembling: all is there and is being worked on; then ok or error.',
    ),
    missingChunks: z.array(z.string()),
    detail: z.string().optional().describe('What is wrong and what to do, in words.'),
  })
  .meta({ id: 'Assembled' });

export const assembleBundle = endpoint({
  method: 'POST',
  url: '/organizations/:org/artifactbundle/assemble/',
  id: 'assembleBundle',
  tag,
  summary: 'Put uploaded chunks together to a bundle, or hear which are missing',
  access: 'project:releases',
  params: orgParams,
  body: z
    .object({
      checksum: sha1.describe('Of the whole bundle.'),
      chunks: z.array(sha1).min(1, 'must name at least one chunk').max(8192),
      projects: z.array(z.string().max(200)).max(100).describe('Slugs.'),
      version: z.string().max(250).nullish().describe('The release that the files belong to.'),
      dist: z.string().max(64).nullish(),
    })
    .meta({ id: 'AssembleBundleRequest' }),
  response: Assembled,
});

export const assembleDebugFiles = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/files/difs/assemble/',
  id: 'assembleDebugFiles',
  tag,
  summary: 'Debug information files of native code, which are not supported yet; the answer says so for each',
  access: 'project:releases',
  params: projectParams,
  body: z.record(sha1, z.unknown()),
  response: z.record(z.string(), Assembled),
});

export const Bundle = z
  .object({
    bundleId: z.string(),
    associations: z
      .array(z.object({ release: z.string(), dist: z.string().nullable() }))
      .describe('The release that it was uploaded for; empty where it goes by debug ids alone.'),
    checksum: z.string().describe('SHA-1.'),
    state: z.enum(['created', 'assembling', 'ok', 'error']),
    detail: z.string().nullable().describe('Why it was refused, and what to do.'),
    date: dateTime('When it was first uploaded.'),
    dateModified: dateTime('When it was last uploaded.'),
    dateIndexed: dateTime().nullable(),
    dateLastUsed: dateTime('When a frame was last resolved with it.').nullable(),
    sizeBytes: z.int(),
    fileCount: z.int().describe('Of everything in it.'),
    projects: z.array(z.string()).describe('Slugs.'),
    scripts: z.int().describe('Scripts in it, or maps without one.'),
    mapped: z.int().describe('Those of them that have a usable map.'),
    broken: z.int().describe('Those of them that name a map which is missing or cannot be used.'),
    framesResolved: z.int(),
  })
  .meta({ id: 'ArtifactBundle' });

export const Artifact = z
  .object({
    id: z.string(),
    bundleId: z.string(),
    name: z.string().describe('URL of the script, ~ for any scheme and host.'),
    debugId: z.string().nullable(),
    dist: z.string().nullable(),
    mapUrl: z.string().nullable(),
    scriptSize: z.int().describe('Bytes.'),
    mapSize: z.int().describe('Bytes.'),
    sources: z.int().describe('Source files that the map names.'),
    mapped: z.boolean().describe('Whether its map can be used.'),
    problem: z.string().nullable().describe('Why its map cannot be used, and what to do.'),
    framesResolved: z.int(),
    dateLastUsed: dateTime().nullable(),
  })
  .meta({ id: 'Artifact' });

export const listBundles = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/files/artifact-bundles/',
  id: 'listArtifactBundles',
  tag,
  summary: 'Artifact bundles of a project, the last uploaded first',
  access: 'project:read',
  params: projectParams,
  query: z.object({
    ...pageQuery,
    query: z.string().max(250).optional().describe('A debug id, a part of a URL, a release or a bundle id.'),
    release: z.string().max(250).optional().describe('Only those uploaded for this release.'),
  }),
  response: z.array(Bundle),
});

export const deleteBundle = endpoint({
  method: 'DELETE',
  url: '/projects/:org/:project/files/artifact-bundles/',
  id: 'deleteArtifactBundle',
  tag,
  summary: 'Take a bundle away from a project; without projects it is deleted',
  access: 'project:releases',
  params: projectParams,
  query: z.object({ bundleId: z.string().max(20) }),
  status: 204,
});

export const getBundleFiles = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/artifact-bundles/:bundle/files/',
  id: 'getArtifactBundleFiles',
  tag,
  summary: 'A bundle with the scripts and maps in it, the most used first',
  access: 'project:read',
  params: projectParams.extend({ bundle: z.string().max(20) }),
  query: z.object(pageQuery),
  response: Bundle.extend({ files: z.array(Artifact) }).meta({ id: 'ArtifactBundleFiles' }),
});

export const listReleaseFiles = endpoint({
  method: 'GET',
  url: '/organizations/:org/releases/:version/files/',
  id: 'listReleaseFiles',
  tag,
  summary: 'Scripts and maps uploaded for a release, with how many frames each resolved, the most used first',
  access: 'project:read',
  params: orgParams.extend({ version: z.string().max(250) }),
  query: z.object(pageQuery),
  response: z.array(Artifact),
});

export const getSourceMaps = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/source-maps/',
  id: 'getSourceMaps',
  tag,
  summary: 'Whether source maps of a project are there and usable',
  access: 'project:read',
  params: projectParams,
  response: z
    .object({
      state: z
        .enum(['none', 'indexing', 'ok', 'problems', 'error'])
        .describe(
          'none: nothing was uploaded; indexing: the last upload is being worked on; problems: maps of the last upload cannot be used; error: the last upload was refused.',
        ),
      detail: z.string().nullable().describe('What is wrong with the last upload and what to do.'),
      bundles: z.int(),
      indexing: z.int().describe('Bundles that are being worked on.'),
      scripts: z.int(),
      mapped: z.int().describe('Scripts with a usable map.'),
      broken: z.int().describe('Scripts that name a map which is missing or cannot be used.'),
      framesResolved: z.int(),
      lastUpload: dateTime().nullable(),
      lastUsed: dateTime('When a frame was last resolved.').nullable(),
      lastBundle: Bundle.nullable(),
    })
    .meta({ id: 'SourceMaps' }),
});
