import type { Key } from '../../accounts/keys/key.ts'

/** A project that a deploy key can access. */
export interface DeployKeyProjectIdentity {
  /** Unique among projects. */
  id: number
  /** Text about the project; null without one. */
  description: string | null
  /** Display name. */
  name: string
  /** Names of the ancestor groups and of the project, joined with ` / `. */
  nameWithNamespace: string
  /** Last segment of the full path. */
  path: string
  /** Full path: `acme/web`. */
  fullPath: string
  /** Time of creation; ISO 8601 in UTC with milliseconds. */
  createdAt: string
}

/** A public SSH key that gives access to repositories of projects and belongs to no user. */
export interface DeployKey extends Key {
  /** Fingerprint by MD5: 16 hexadecimal pairs with colons. */
  fingerprint: string
  /** Fingerprint by SHA-256: `SHA256:` and base64 without padding. */
  fingerprintSha256: string
  /** Whether the key can push to the repository of the project; otherwise it can only read. Null in lists over several projects. */
  canPush: boolean | null
  /** Projects whose repositories the key can push to; only in the list of the instance and for a key without a project. */
  projectsWithWriteAccess?: readonly DeployKeyProjectIdentity[]
  /** Projects whose repositories the key can only read; present as `projectsWithWriteAccess`. */
  projectsWithReadonlyAccess?: readonly DeployKeyProjectIdentity[]
}
