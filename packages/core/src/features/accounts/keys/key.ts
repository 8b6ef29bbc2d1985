import type { UserDetail } from '../users/user-detail.ts'

/** What a key may be used for. */
export const keyUsages = ['auth', 'signing', 'auth_and_signing'] as const

/** What a key may be used for. */
export type KeyUsage = (typeof keyUsages)[number]

/** A public SSH key: specification 2, "SSH key record". */
export interface Key {
  /** Unique among keys of users and deploy keys. */
  id: number
  /** Name for people, at most 255 characters. */
  title: string
  /** Public key: type, base64 and comment, such as `ssh-ed25519 AAAA… bob@laptop`. */
  key: string
  /** Time of creation; ISO 8601 in UTC with milliseconds. */
  createdAt: string
  /** Time after which the host should reject the key, ISO 8601 in UTC with milliseconds; null if it does not expire. */
  expiresAt: string | null
  /** The last sign-in with the key over SSH, ISO 8601 in UTC with milliseconds; null without one. */
  lastUsedAt: string | null
  /** What the key may be used for: to sign in (`auth`), to sign commits (`signing`), or both; always both for deploy keys. */
  usageType: KeyUsage
}

/** Who an SSH key belongs to. */
export interface KeyOwner {
  /** The user name; null for a deploy key whose creator was removed. */
  username: string | null
}

/** A key with its owner, for administrators. */
export interface KeyRecord extends Key {
  /** The owner. For a deploy key, the user who added it; null if the host added it or the user was removed. */
  user: UserDetail | null
  /** The projects that a deploy key can access; omitted for keys of users. */
  deployKeysProjects?: readonly DeployKeyProject[]
}

/** The access of a deploy key to a project. */
export interface DeployKeyProject {
  /** Unique among accesses of deploy keys. */
  id: number
  /** Id of the deploy key. */
  deployKeyId: number
  /** Id of the project that the key can access. */
  projectId: number
  /** Time at which the key was added to the project; ISO 8601 in UTC with milliseconds. */
  createdAt: string
  /** Time of the last change; ISO 8601 in UTC with milliseconds. */
  updatedAt: string
  /** Whether the key can push to the repository; otherwise it can only read. */
  canPush: boolean
}
