/** Where the failures of the installation are reported to. */
export interface InternalKey {
  readonly projectId: number;
  /** 32 hexadecimal digits. */
  readonly publicKey: string;
}
