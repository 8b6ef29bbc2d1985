import type { Abortable } from './git.ts'

/** A certificate with its private key. */
export interface IssuedCertificate {
  /** PEM, followed by its intermediates. */
  readonly certificate: string
  /** PEM. */
  readonly key: string
}

/** Certificate authorities: which ones are trusted, and how certificates are issued. */
export interface CertificateIssuer {
  /** Trusted root certificates, one PEM text each. Default: those bundled with Node.js. */
  readonly roots?: readonly string[]
  /**
   * Issues a certificate for a verified domain, for example from an ACME server (RFC 8555). Returns `undefined` if the host issues
   * none. May take minutes; the job retries after a rejection.
   * The signal aborts when the platform shuts down.
   */
  issue(domain: string, options?: Abortable): Promise<IssuedCertificate | undefined>
}

/** Issues nothing: maintainers upload certificates. */
export const noCertificateIssuer: CertificateIssuer = { issue: async () => undefined }
