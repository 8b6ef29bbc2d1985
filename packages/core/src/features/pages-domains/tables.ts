import type { Generated } from 'kysely'

export interface PagesDomainTables {
  /** A domain under which the pages of a project are found. A name belongs to one project, whatever its case. */
  pagesDomain: {
    id: Generated<number>
    projectId: number
    name: string
    autoSslEnabled: boolean
    /** PEM, as it was given. */
    certificate: string | null
    /** The private key, sealed for `pages_domain.<id>.key`. */
    sealedKey: string | null
    certificateStartsAt: string | null
    certificateEndsAt: string | null
    /** What the owner puts into the name service to show that the domain is theirs. */
    verificationCode: string
    /** Null until the code was found, and again when it is found no longer. */
    verifiedAt: string | null
    /** Until when the last proof holds. */
    enabledUntil: string | null
    createdAt: string
    updatedAt: string
  }
}
