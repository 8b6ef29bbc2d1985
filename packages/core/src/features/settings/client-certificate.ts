import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'

const certificateIn = (pem: string): X509Certificate | undefined => {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}

const privateKeyIn = (pem: string, passphrase: string | null): KeyObject | undefined => {
  try {
    return createPrivateKey(passphrase ? { key: pem, passphrase } : pem)
  } catch {
    return undefined
  }
}

/** What is wrong with a certificate (PEM), with its private key (PEM), or with both together. */
export interface ClientCertificateProblems {
  readonly certificate?: string
  readonly key?: string
}

/**
 * Judges a certificate and its private key: both must be readable, the key with the passphrase if it has one,
 * and belong together.
 */
export const clientCertificateProblems = (
  certificatePem: string,
  keyPem: string,
  passphrase: string | null,
): ClientCertificateProblems => {
  const certificate = certificateIn(certificatePem)
  const key = privateKeyIn(keyPem, passphrase)
  if (certificate && key) {
    return certificate.checkPrivateKey(key) ? {} : { key: 'private key does not match certificate.' }
  }
  return {
    ...(!certificate && { certificate: 'is not a valid X509 certificate.' }),
    ...(!key && { key: 'could not read private key, is the passphrase correct?' }),
  }
}
