import type { Context } from '../../../kernel/context.ts'
import { getRegistryHost } from '../../spaces/projects/image-prefix.ts'
import type { ContainerRepositoryStatus } from './tables.ts'

/** A repository of container images. */
export interface ContainerRepository {
  /** Unique on the instance. */
  id: number
  /** Path below the project, such as `worker`; empty for the repository of the project itself. */
  name: string
  /** The project's full path and the name, in lower case: `acme/web/worker`. */
  path: string
  /** Id of the project. */
  projectId: number
  /** The image name for `docker pull`: `registry.example/acme/web/worker`. */
  location: string
  /** When the repository was recorded: ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** State of a requested deletion; null if none was requested. */
  status: ContainerRepositoryStatus | null
  /** When the cleanup policy of the project was last applied: ISO 8601, UTC, with milliseconds; null if never. */
  cleanupPolicyStartedAt: string | null
  /** Number of tags. Present if requested with `tagsCount`. */
  tagsCount?: number
  /** All tags. Present if requested with `tags`. */
  tags?: readonly ContainerTag[]
}

/** A tag in lists. */
export interface ContainerTag {
  /** Name of the tag, such as `latest` or `v1`. */
  name: string
  /** Path of the repository and the tag: `acme/web/worker:v1`. */
  path: string
  /** The image name for `docker pull`: `registry.example/acme/web/worker:v1`. */
  location: string
}

/** A tag with the details of its image. */
export interface ContainerTagDetail extends ContainerTag {
  /** Hexadecimal digest of the image configuration, without `sha256:`; null for a manifest without configuration. */
  revision: string | null
  /** The first nine digits of the revision; null without one. */
  shortRevision: string | null
  /** Digest of the manifest: `sha256:…`. */
  digest: string
  /** When the image was built, according to the image: ISO 8601, UTC; null if it does not say. */
  createdAt: string | null
  /** Sum of the layers in bytes; null if unknown. */
  totalSize: number | null
}

/** A stored repository with the full path of its project. */
export interface ContainerRepositoryRow {
  readonly id: number
  readonly name: string
  readonly projectId: number
  readonly createdAt: string
  readonly status: ContainerRepositoryStatus | null
  readonly cleanupPolicyStartedAt: string | null
  readonly fullPath: string
}

/** Image names are lower case, even if the project path is not. */
export const repositoryPath = ({ fullPath, name }: Pick<ContainerRepositoryRow, 'fullPath' | 'name'>): string =>
  (name === '' ? fullPath : `${fullPath}/${name}`).toLowerCase()

export const toContainerRepository = (
  ctx: Pick<Context, 'ports' | 'call'>,
  row: ContainerRepositoryRow,
): ContainerRepository => {
  const { fullPath: _, ...repository } = row
  const path = repositoryPath(row)
  return { ...repository, path, location: `${getRegistryHost(ctx)}/${path}` }
}

export const toContainerTag = (
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
