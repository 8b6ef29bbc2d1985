import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const version = spawnSync('openssl', ['version'], { encoding: 'utf8' }).stdout ?? ''

export const hasOpenssl = version.startsWith('OpenSSL')

/** The installed OpenSSL prints the text form that `certificateText` reproduces; other versions use other whitespace. */
export const hasReferenceTextForm = /^OpenSSL 3\.[01]\./.test(version)

if (!hasOpenssl) console.warn('!!! openssl is not installed: certificates are NOT checked against it in this run !!!')
else if (!hasReferenceTextForm)
  console.warn(`!!! ${version.trim()} prints another text form: texts are NOT compared in this run !!!`)

/** A certificate and its private key, both PEM. */
export interface CertificateWithKey {
  readonly certificate: string
  readonly key: string
}

export interface CertificateOptions {
  /** Parameters of `openssl genpkey`. Default: a key on P-256. */
  readonly key?: readonly string[]
  readonly subject?: string
  /** Lines of an extension section, followed by other sections. `''` creates a certificate of version 1. */
  readonly extensions?: string
  readonly issuer?: CertificateWithKey
  readonly serial?: string
  /** Start and end, as `20260101000000Z`. Default: one year from now. */
  readonly validity?: readonly [from: string, to: string]
  /** Further parameters of the signing command. */
  readonly options?: readonly string[]
  /** Lines of the `[req]` section. */
  readonly request?: string
}

/** Creates certificates with openssl in a temporary folder. With `reuseKey` all certificates with the default key share it. */
export const certificateFactory = ({ reuseKey = false } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'))
  const file = (name: string, content?: string) => {
    const path = join(folder, name)
    if (content !== undefined) writeFileSync(path, content)
    return path
  }
  const run = (...parameters: readonly string[]) => {
    const { status, stderr } = spawnSync('openssl', parameters, { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`openssl ${parameters.join(' ')}\n${stderr}`)
  }

  const createKey = (parameters: readonly string[]): string => {
    run('genpkey', ...parameters, '-out', 'key.pem')
    return readFileSync(file('key.pem'), 'utf8')
  }

  let sharedKey: string | undefined

  const defaultKey = (): string => {
    const key = sharedKey ?? createKey(['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'])
    if (reuseKey) sharedKey = key
    return key
  }

  const create = (input: CertificateOptions = {}): CertificateWithKey => {
    const { subject = '/CN=example.com', issuer, options = [], extensions = 'basicConstraints=CA:FALSE' } = input
    const key = input.key === undefined ? defaultKey() : createKey(input.key)
    const keyFile = file('key.pem', key)
    const config = file(
      'config',
      `[req]\ndistinguished_name=none\n${input.request ?? ''}\n[none]\n[extensions]\n${extensions}\n`,
    )
    const request = ['req', '-new', '-key', keyFile, '-subj', subject, '-config', config, '-utf8']
    const fields = ['-days', '365', '-set_serial', input.serial ?? '0x5d3c0ffee0ddba11feed0000000000000000abcd']
    const [from, to] = input.validity ?? []
    if (from !== undefined && to !== undefined) {
      // In OpenSSL 3.0 only `openssl ca` accepts both ends of the validity.
      run(...request, '-out', 'request.pem')
      file('database', '')
      const section = 'database=database\nnew_certs_dir=.\nrand_serial=yes\ndefault_md=sha256\npolicy=any'
      const authority = file('ca-config', `[ca]\ndefault_ca=here\n[here]\n${section}\n[any]\ncommonName=optional\n`)
      const dates = ['-startdate', from, '-enddate', to]
      const files = ['-in', 'request.pem', '-out', 'certificate.pem']
      run('ca', '-batch', '-notext', '-config', authority, '-selfsign', '-keyfile', keyFile, ...dates, ...files)
    } else if (issuer === undefined && extensions !== '') {
      run(...request, '-x509', ...fields, '-extensions', 'extensions', ...options, '-out', 'certificate.pem')
    } else {
      run(...request, '-out', 'request.pem')
      const signer =
        issuer === undefined
          ? ['-signkey', keyFile]
          : ['-CA', file('issuer.pem', issuer.certificate), '-CAkey', file('issuer-key.pem', issuer.key)]
      const section = extensions === '' ? [] : ['-extfile', config, '-extensions', 'extensions']
      const files = ['-in', 'request.pem', '-out', 'certificate.pem']
      run('x509', '-req', ...signer, ...fields, ...section, ...options, ...files)
    }
    return { certificate: readFileSync(file('certificate.pem'), 'utf8'), key }
  }

  /** The output of `openssl x509` for a certificate: `-text`, `-subject`. */
  const opensslOutput = (certificate: string, ...options: readonly string[]) =>
    execFileSync('openssl', ['x509', '-noout', ...options], { input: certificate, encoding: 'utf8' })

  return { create, opensslOutput, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
