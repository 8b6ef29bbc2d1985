import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const version = spawnSync('openssl', ['version'], { encoding: 'utf8' }).stdout ?? ''

/** The program is there and makes certificates. */
export const hasOpenssl = version.startsWith('OpenSSL')

/** It prints certificates in the form that is written here; other versions differ in blanks. */
export const printsTheSameForm = /^OpenSSL 3\.[01]\./.test(version)

if (!hasOpenssl) console.warn('!!! openssl is not installed: certificates are NOT checked against it in this run !!!')
else if (!printsTheSameForm)
  console.warn(`!!! ${version.trim()} prints another form: texts are NOT compared in this run !!!`)

export interface Made {
  /** PEM */
  readonly certificate: string
  /** PEM */
  readonly key: string
}

interface Wishes {
  /** What `openssl genpkey` shall make. Default: a key on P-256. */
  readonly key?: readonly string[]
  readonly subject?: string
  /** Lines of an extension section, further sections after it. `''` makes a certificate of version 1. */
  readonly extensions?: string
  readonly issuer?: Made
  readonly serial?: string
  /** From when to when, as `20260101000000Z`. Default: one year from now. */
  readonly validity?: readonly [from: string, to: string]
  readonly options?: readonly string[]
  /** Lines of the section that says how requests are made. */
  readonly request?: string
}

/** A folder of its own, and certificates that openssl makes in it. With `sameKey` those without a wish for a key share one. */
export const certificateMaker = ({ sameKey = false } = {}) => {
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

  let shared: string | undefined

  const keyFor = (parameters: readonly string[] | undefined): string => {
    const make = (...options: readonly string[]) => {
      run('genpkey', ...options, '-out', 'key.pem')
      return readFileSync(file('key.pem'), 'utf8')
    }
    if (parameters !== undefined) return make(...parameters)
    if (shared !== undefined) return shared
    const key = make('-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256')
    if (sameKey) shared = key
    return key
  }

  const make = (wishes: Wishes = {}): Made => {
    const { subject = '/CN=example.com', issuer, options = [], extensions = 'basicConstraints=CA:FALSE' } = wishes
    const key = keyFor(wishes.key)
    const keyFile = file('key.pem', key)
    const config = file(
      'config',
      `[req]\ndistinguished_name=none\n${wishes.request ?? ''}\n[none]\n[wanted]\n${extensions}\n`,
    )
    const request = ['req', '-new', '-key', keyFile, '-subj', subject, '-config', config, '-utf8']
    const fields = ['-days', '365', '-set_serial', wishes.serial ?? '0x5d3c0ffee0ddba11feed0000000000000000abcd']
    const [from, to] = wishes.validity ?? []
    if (from !== undefined && to !== undefined) {
      // In version 3.0 only `openssl ca` takes both ends of the validity.
      run(...request, '-out', 'request.pem')
      file('database', '')
      const section = 'database=database\nnew_certs_dir=.\nrand_serial=yes\ndefault_md=sha256\npolicy=any'
      const authority = file('ca-config', `[ca]\ndefault_ca=here\n[here]\n${section}\n[any]\ncommonName=optional\n`)
      const dates = ['-startdate', from, '-enddate', to]
      run(
        'ca',
        '-batch',
        '-notext',
        '-config',
        authority,
        '-selfsign',
        '-keyfile',
        keyFile,
        ...dates,
        '-in',
        'request.pem',
        '-out',
        'made.pem',
      )
    } else if (issuer === undefined && extensions !== '') {
      run(...request, '-x509', ...fields, '-extensions', 'wanted', ...options, '-out', 'made.pem')
    } else {
      run(...request, '-out', 'request.pem')
      const above = issuer ?? { certificate: '', key: '' }
      const signer = ['-CA', file('issuer.pem', above.certificate), '-CAkey', file('issuer-key.pem', above.key)]
      const wanted = extensions === '' ? [] : ['-extfile', config, '-extensions', 'wanted']
      const by = issuer === undefined ? ['-signkey', keyFile] : signer
      run('x509', '-req', '-in', 'request.pem', ...by, ...fields, ...wanted, ...options, '-out', 'made.pem')
    }
    return { certificate: readFileSync(file('made.pem'), 'utf8'), key }
  }

  /** What openssl prints about a certificate: `-text`, `-subject`. */
  const printed = (certificate: string, ...options: readonly string[]) =>
    execFileSync('openssl', ['x509', '-noout', ...options], { input: certificate, encoding: 'utf8' })

  return { make, printed, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
