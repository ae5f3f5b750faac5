/** Tables of the audit log. Times are ms since the epoch. */

/** The log of an organisation: its head, and where it begins. */
export interface AuditLogTable {
  organization_id: string;
  /** Number and hash of the last entry. */
  seq: number;
  hash: string;
  /** Number and hash of the last entry that was dropped for its age; 0 and '' where none was. */
  anchor_seq: number;
  anchor_hash: string;
  /** Fingerprint of the key that sealed this row; '' for none. */
  key_id: string;
  seal: string;
  /** Null: as long as unless somebody says otherwise. */
  retention_days: number | null;
}

export interface AuditEntryTable {
  organization_id: string;
  /** From 1, without holes. */
  seq: number;
  /** These repeat what `content` says, to be searched by. */
  at: number;
  action: string;
  /** `user:ID`, or the kind of an actor that has none. */
  actor: string;
  target_type: string;
  target_id: string;
  /** '' for none. */
  address: string;
  /** JSON, exactly as it was hashed. */
  content: string;
  /** SHA-256 of the hash before it and the content, hex. */
  hash: string;
}

/** How far somebody outside has been told: the webhook of an organisation, or the file of a host. */
export interface AuditStreamTable {
  organization_id: string;
  /** webhook, or `file NODE` */
  sink: string;
  /** The last entry that arrived there. */
  sent_seq: number;
  /** '' for a file. */
  url: string;
  /** Sealed; '' for none. */
  secret: string;
  /** 1 or 0. */
  enabled: number;
  due_at: number;
  attempts: number;
  claimed_by: string;
  claimed_until: number;
  /** Why the last attempt failed; '' for none. */
  detail: string;
  failing_since: number | null;
  sent_at: number | null;
}

export interface AuditTables {
  audit_log: AuditLogTable;
  audit_entry: AuditEntryTable;
  audit_stream: AuditStreamTable;
}
