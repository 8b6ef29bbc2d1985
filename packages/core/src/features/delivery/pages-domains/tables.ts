import type { Generated } from 'kysely'

export interface PagesDomainTables {
  /** A domain that serves the pages of a project. Names are unique across projects, ignoring case. */
  pagesDomain: {
    id: Generated<number>
    projectId: number
    name: string
    autoSslEnabled: boolean
    /** The submitted PEM text. */
    certificate: string | null
    /** The private key, encrypted in the context `pages_domain.<id>.key`. */
    sealedKey: string | null
    certificateStartsAt: string | null
    certificateEndsAt: string | null
    /** The owner publishes it in a DNS text record to prove control of the domain. */
    verificationCode: string
    /** Null before the first successful verification and after one that does not find the code. */
    verifiedAt: string | null
    /** End of the period that the last successful verification covers. */
    enabledUntil: string | null
    createdAt: string
    updatedAt: string
  }
}
