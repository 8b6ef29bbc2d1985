import { hash, randomBytes } from 'node:crypto'

/** The content of an image. Equal descriptions with layers create the same image with the same digest. */
export interface ImageDescription {
  /** ISO 8601; omitted for an image without a creation time. */
  readonly created?: string
  /** The content of each layer. Default: one random layer. */
  readonly layers?: readonly Buffer[]
  readonly kind?: 'oci' | 'docker'
}

export interface PushedImage {
  readonly digest: string
  /** The digest of the configuration, without `sha256:`. */
  readonly revision: string
  readonly size: number
}

const sha256 = (content: Buffer) => `sha256:${hash('sha256', content, 'hex')}`

const expectStatus = async (response: Response, status: number) => {
  if (response.status !== status) throw new Error(`${response.status} ${await response.text()}`)
  return response
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value))

/** Media types of a manifest, a configuration and a layer. */
const types = {
  oci: {
    manifest: 'application/vnd.oci.image.manifest.v1+json',
    config: 'application/vnd.oci.image.config.v1+json',
    layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
    index: 'application/vnd.oci.image.index.v1+json',
  },
  docker: {
    manifest: 'application/vnd.docker.distribution.manifest.v2+json',
    config: 'application/vnd.docker.container.image.v1+json',
    layer: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
    index: 'application/vnd.docker.distribution.manifest.list.v2+json',
  },
} as const

/** Pushes images like `docker push`: every layer, the configuration and the manifest. */
export const createImagePusher = (registry: string, path: string, headers: Readonly<Record<string, string>> = {}) => {
  const base = `${registry}/v2/${path}`

  const blob = async (content: Buffer) => {
    const digest = sha256(content)
    const existing = await fetch(`${base}/blobs/${digest}`, { method: 'HEAD', headers })
    if (existing.status === 200) return { digest, size: content.length }
    const upload = await expectStatus(await fetch(`${base}/blobs/uploads/`, { method: 'POST', headers }), 202)
    const location = new URL(upload.headers.get('location') as string, base)
    location.searchParams.set('digest', digest)
    const requestHeaders = { ...headers, 'Content-Type': 'application/octet-stream' }
    await expectStatus(
      await fetch(location, { method: 'PUT', headers: requestHeaders, body: new Uint8Array(content) }),
      201,
    )
    return { digest, size: content.length }
  }

  const manifest = async (reference: string, mediaType: string, content: Buffer) => {
    const requestHeaders = { ...headers, 'Content-Type': mediaType }
    const body = new Uint8Array(content)
    await expectStatus(
      await fetch(`${base}/manifests/${reference}`, { method: 'PUT', headers: requestHeaders, body }),
      201,
    )
  }

  const image = async (
    references: readonly string[],
    { created, layers = [randomBytes(64)], kind = 'oci' }: ImageDescription = {},
  ): Promise<PushedImage> => {
    const mediaTypes = types[kind]
    const pushed = []
    for (const layer of layers) pushed.push({ mediaType: mediaTypes.layer, ...(await blob(layer)) })
    const diffs = pushed.map(({ digest }) => digest)
    const config = await blob(
      json({
        architecture: 'amd64',
        os: 'linux',
        rootfs: { type: 'layers', diff_ids: diffs },
        ...(created && { created }),
      }),
    )
    const content = json({
      schemaVersion: 2,
      mediaType: mediaTypes.manifest,
      config: { mediaType: mediaTypes.config, ...config },
      layers: pushed,
    })
    const digest = sha256(content)
    for (const reference of references.length ? references : [digest])
      await manifest(reference, mediaTypes.manifest, content)
    return {
      digest,
      revision: config.digest.slice('sha256:'.length),
      size: layers.reduce((sum, { length }) => sum + length, 0),
    }
  }

  /** Pushes an index: one tag for several platforms. */
  const index = async (tag: string, kind: 'oci' | 'docker', platforms: Readonly<Record<string, ImageDescription>>) => {
    const manifests = []
    const images: Record<string, PushedImage> = {}
    for (const [architecture, description] of Object.entries(platforms)) {
      const pushed = await image([], { ...description, kind })
      images[architecture] = pushed
      const size = Number(
        (
          await fetch(`${base}/manifests/${pushed.digest}`, { headers: { ...headers, Accept: types[kind].manifest } })
        ).headers.get('content-length'),
      )
      manifests.push({
        mediaType: types[kind].manifest,
        digest: pushed.digest,
        size,
        platform: { architecture, os: 'linux' },
      })
    }
    const content = json({ schemaVersion: 2, mediaType: types[kind].index, manifests })
    await manifest(tag, types[kind].index, content)
    return { digest: sha256(content), images }
  }

  return { image, index }
}
