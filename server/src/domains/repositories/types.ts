/** Repositories, and where the files of frames lie in them. */

export type Provider = 'github' | 'gitlab' | 'bitbucket' | 'other';

export interface Repository {
  readonly id: number;
  /** As clients call it, such as `acme/shop`. */
  readonly name: string;
  readonly provider: Provider;
  /** Without a trailing slash; '' for not known. */
  readonly url: string;
  /** With {path}, {line} and {commit}; '' for the provider's own. */
  readonly linkTemplate: string;
  readonly defaultBranch: string;
  /** False for one that commits only named. */
  readonly isConfigured: boolean;
  /** ms since the epoch. */
  readonly createdAt: number;
}

export interface CodeMapping {
  readonly id: number;
  readonly projectId: number;
  readonly repository: Repository;
  readonly stackRoot: string;
  readonly sourceRoot: string;
  /** '' for the repository's default. */
  readonly branch: string;
}
