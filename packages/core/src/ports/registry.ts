import type { Abortable } from './git.ts'

/**
 * The container registry. Repositories always are rows of the database, with an id and a project. Their tags are rows too,
 * unless `images` is set.
 */
export interface Registry {
  /** The host in image names: `registry.example:5000`. Default: the host of the site. */
  readonly host?: string
  /** An external registry that stores the tags. */
  readonly images?: ImageStore
}

/**
 * An external registry. Paths are those of repositories, such as `acme/web/worker`; an unknown repository has no tags.
 *
 * Every call throws `unavailable`, with the reason `registry`, when the registry does not respond, responds with an error or
 * with an invalid body, or rejects the platform's credentials.
 */
export interface ImageStore {
  /** The paths of all repositories, in no particular order. */
  repositories(options?: Abortable): Promise<readonly string[]>
  /** The names of all tags, in byte order. */
  tags(path: string, options?: Abortable): Promise<readonly string[]>
  /** The image that a tag currently points to. */
  image(path: string, tag: string, options?: Abortable): Promise<Image | undefined>
  /**
   * Removes tags. Other tags of the same images stay; tags that do not exist are ignored. After a failure, the registry may
   * still list a tag without an image; calling `untag` again with that tag completes the removal.
   *
   * @throws PlatformError `invalid` when deletion is disabled in the registry
   */
  untag(path: string, tags: readonly TagRemoval[], options?: Abortable): Promise<void>
}

/** A tag to remove, with the digest that it had when it was selected. */
export interface TagRemoval {
  /** `latest` */
  readonly name: string
  /** The digest that the caller expects, null for no image: the tag stays when it now points to another image. */
  readonly digest?: string | null | undefined
}

/** An image in a container registry. */
export interface Image {
  /** Digest of the manifest: `sha256:…`. */
  readonly digest: string
  /** Hexadecimal digest of the image configuration; null for a manifest without one. */
  readonly revision: string | null
  /** ISO 8601, UTC. Null when the image does not contain it. */
  readonly createdAt: string | null
  /** Sum of the layers in bytes; null when unknown. */
  readonly totalSize: number | null
}

/** Stores tags in the database; the host writes them. */
export const databaseRegistry = ({ host }: { readonly host?: string } = {}): Registry =>
  host === undefined ? {} : { host }

/** Tests a tag name (OCI distribution specification 1.1, section "Pulling manifests"). */
export const isTagName = (text: string): boolean => /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/.test(text)

/** Tests a digest. SHA-256 is the only algorithm that every registry supports. */
export const isDigest = (text: string): boolean => /^sha256:[0-9a-f]{64}$/.test(text)
