import { execFile } from 'node:child_process'
import { hash, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The result of a command. */
export interface SkopeoResult {
  readonly code: number
  readonly output: string
}

/** Runs `skopeo`, a client of registries, without the configuration of this machine. */
export const skopeo = (folder: string, ...args: readonly string[]): Promise<SkopeoResult> =>
  new Promise((resolve) => {
    const env = { PATH: process.env.PATH, HOME: folder, REGISTRY_AUTH_FILE: join(folder, 'auth.json') }
    execFile('skopeo', args, { env, cwd: folder, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
    )
  })

/** Writes an image with one random layer as an OCI image layout, and returns its reference for `skopeo copy`. */
export const writeImage = (folder: string, created = '2026-01-01T00:00:00Z'): string => {
  const layout = join(folder, `image-${randomBytes(4).toString('hex')}`)
  mkdirSync(join(layout, 'blobs/sha256'), { recursive: true })
  const store = (content: Buffer | object) => {
    const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content))
    const digest = hash('sha256', bytes, 'hex')
    writeFileSync(join(layout, 'blobs/sha256', digest), bytes)
    return { digest: `sha256:${digest}`, size: bytes.length }
  }
  const type = 'application/vnd.oci.image'
  const layer = store(randomBytes(64))
  const rootfs = { type: 'layers', diff_ids: [layer.digest] }
  const config = store({ architecture: 'amd64', os: 'linux', created, rootfs })
  const manifest = store({
    schemaVersion: 2,
    mediaType: `${type}.manifest.v1+json`,
    config: { mediaType: `${type}.config.v1+json`, ...config },
    layers: [{ mediaType: `${type}.layer.v1.tar`, ...layer }],
  })
  const annotations = { 'org.opencontainers.image.ref.name': 'image' }
  const entry = { mediaType: `${type}.manifest.v1+json`, ...manifest, annotations }
  writeFileSync(join(layout, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [entry] }))
  writeFileSync(join(layout, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}')
  return `oci:${layout}:image`
}
