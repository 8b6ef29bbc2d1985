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

/** A key with its owner, for administrators. */
export interface KeyRecord extends Key {
  /** The owner. For a deploy key the user who added it; null if the host added it or the user is removed. */
  user: UserDetail | null
  /** Only for deploy keys. */
  deployKeysProjects?: readonly DeployKeyProject[]
}

/** The access of a deploy key to a project. */
export interface DeployKeyProject {
  id: number
  deployKeyId: number
  projectId: number
  createdAt: string
  updatedAt: string
  canPush: boolean
}

/** A deploy key with its permission in one project. */
export interface DeployKey extends Key {
  canPush: boolean
}
