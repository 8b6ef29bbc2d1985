import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'

const parseCertificate = (pem: string): X509Certificate | undefined => {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}

const parsePrivateKey = (pem: string, passphrase: string | null): KeyObject | undefined => {
  try {
    return createPrivateKey(passphrase ? { key: pem, passphrase } : pem)
  } catch {
    return undefined
  }
}

/** A message for each invalid part. */
export interface ClientCertificateProblems {
  readonly certificate?: string
  readonly key?: string
}

/** Validates a PEM certificate and its PEM private key, which may be encrypted with the passphrase. */
export const findClientCertificateProblems = (
  certificatePem: string,
  keyPem: string,
  passphrase: string | null,
): ClientCertificateProblems => {
  const certificate = parseCertificate(certificatePem)
  const key = parsePrivateKey(keyPem, passphrase)
  if (certificate && key) {
    return certificate.checkPrivateKey(key) ? {} : { key: 'private key does not match certificate.' }
  }
  return {
    ...(!certificate && { certificate: 'is not a valid X509 certificate.' }),
    ...(!key && { key: 'could not read private key, is the passphrase correct?' }),
  }
}
