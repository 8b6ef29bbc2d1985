import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A commit and a tag of it, both signed with the same key of SSH. */
export interface SignedObjects {
  readonly publicKey: string
  readonly commit: string
  readonly tag: string
}

const person = 'Bob Builder <bob@example.com> 1767225600 +0000'

/** Writes a signed commit and the signed tag `signed` into a repository, with a new key. */
export const writeSignedObjects = (directory: string): SignedObjects => {
  const folder = mkdtempSync(join(tmpdir(), 'forgelet-signer-'))
  const run = (program: string, args: readonly string[], input?: string) =>
    execFileSync(program, args, { cwd: folder, input, stdio: ['pipe', 'pipe', 'ignore'] }).toString()
  const git = (args: readonly string[], input?: string) => run('git', ['--git-dir', directory, ...args], input).trim()
  const sign = (payload: string) => {
    writeFileSync(join(folder, 'payload'), payload)
    run('ssh-keygen', ['-Y', 'sign', '-f', 'key', '-n', 'git', 'payload'])
    const signature = readFileSync(join(folder, 'payload.sig'), 'utf8')
    rmSync(join(folder, 'payload.sig'))
    return signature
  }
  try {
    run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'signer', '-f', 'key'])
    const tree = git(['rev-parse', 'main^{tree}'])
    const headers = `tree ${tree}\nauthor ${person}\ncommitter ${person}\n`
    const signature = sign(`${headers}\nSigned\n`).trimEnd().replaceAll('\n', '\n ')
    const commit = git(['hash-object', '-t', 'commit', '-w', '--stdin'], `${headers}gpgsig ${signature}\n\nSigned\n`)
    const tagged = `object ${commit}\ntype commit\ntag signed\ntagger ${person}\n\nSigned\n`
    const tag = git(['hash-object', '-t', 'tag', '-w', '--stdin'], `${tagged}${sign(tagged)}`)
    git(['update-ref', 'refs/tags/signed', tag])
    return { publicKey: readFileSync(join(folder, 'key.pub'), 'utf8').trim(), commit, tag }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
