import type { UserDetail } from '../profiles/user-detail.ts'

/** A public SSH key: specification 2, "SSH key record". */
export interface Key {
  id: number
  title: string
  /** Type, key and comment: `ssh-ed25519 AAAA… bob@laptop`. */
  key: string
  createdAt: string
  expiresAt: string | null
}

/** A key as administrators look it up. */
export interface KeyRecord extends Key {
  /** Whose it is; of a deploy key who added it, null when a host did or they are gone. */
  user: UserDetail | null
  /** Present for deploy keys only. */
  deployKeysProjects?: readonly DeployKeyProject[]
}

/** A project that a deploy key opens. */
export interface DeployKeyProject {
  id: number
  deployKeyId: number
  projectId: number
  createdAt: string
  updatedAt: string
  canPush: boolean
}

/** A deploy key as a project has it. */
export interface DeployKey extends Key {
  canPush: boolean
}
