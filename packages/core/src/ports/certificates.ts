/** A certificate and its private key, both PEM; the certificate with all above it up to an authority. */
export interface IssuedCertificate {
  /** PEM, with the chain behind it. */
  readonly certificate: string
  /** PEM. */
  readonly key: string
}

/** Who vouches for host names. */
export interface Certificates {
  /** PEM texts, one certificate each, of the authorities that need nobody above them. Default: those that Node.js brings along. */
  readonly roots?: readonly string[]
  /**
   * A new certificate for a host name whose owner has proven to be its owner, from an authority such as an ACME server (RFC
   * 8555). Undefined where certificates are not to be had by themselves. May take minutes; a rejection is tried again later.
   */
  issue(domain: string): Promise<IssuedCertificate | undefined>
}

/** People bring their certificates themselves. */
export const noCertificates: Certificates = { issue: async () => undefined }
