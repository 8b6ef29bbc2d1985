import type { Context } from '../../kernel/context.ts'

/** A repository of container images. */
export interface ContainerRepository {
  id: number
  /** Below the project's path; empty for the repository of the project itself. */
  name: string
  /** The project's full path and the name, in lower case: `acme/web/worker`. */
  path: string
  projectId: number
  /** What `docker pull` is given: `registry.example/acme/web/worker`. */
  location: string
  createdAt: string
  /** Where it was asked for. */
  tagsCount?: number
  /** Where they were asked for. */
  tags?: readonly ContainerTag[]
}

/** A tag in lists. */
export interface ContainerTag {
  name: string
  /** `acme/web/worker:v1`. */
  path: string
  location: string
}

/** One tag, with what it stands for. */
export interface ContainerTagDetail extends ContainerTag {
  /** Hexadecimal digits of the digest of the image's configuration; null for a manifest that has none. */
  revision: string | null
  /** The first nine of them. */
  shortRevision: string | null
  /** Of the manifest: `sha256:…`. */
  digest: string
  /** When the image was made; ISO 8601. */
  createdAt: string | null
  /** Bytes of its layers. */
  totalSize: number | null
}

/** A repository and the project that it belongs to, as they are stored. */
export interface RepositoryRow {
  readonly id: number
  readonly name: string
  readonly projectId: number
  readonly createdAt: string
  readonly leaving: boolean
  readonly fullPath: string
}

/** Names of images have small letters only, whatever the project is called. */
export const pathOf = ({ fullPath, name }: Pick<RepositoryRow, 'fullPath' | 'name'>): string =>
  (name === '' ? fullPath : `${fullPath}/${name}`).toLowerCase()

/** What names of images begin with: the registry's own host, or that of the site. */
const hostOf = ({ ports, call }: Pick<Context, 'ports' | 'call'>): string =>
  ports.registry.host ?? (call.siteUrl === undefined ? 'localhost' : new URL(call.siteUrl).host)

export const toRepository = (ctx: Pick<Context, 'ports' | 'call'>, row: RepositoryRow): ContainerRepository => {
  const { id, name, projectId, createdAt } = row
  const path = pathOf(row)
  return { id, name, path, projectId, location: `${hostOf(ctx)}/${path}`, createdAt }
}

export const toTag = (
  { path, location }: Pick<ContainerRepository, 'path' | 'location'>,
  name: string,
): ContainerTag => ({
  name,
  path: `${path}:${name}`,
  location: `${location}:${name}`,
})

/** Path components below a project (OCI distribution specification 1.1, section "Pulling manifests"). */
export const isRepositoryName = (text: string): boolean =>
  text.length <= 255 && text.split('/').every((part) => /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/.test(part))
