/**
 * Where container images are kept. Repositories are rows of the platform in any case: they have ids, and a project. Their
 * tags are rows too unless `images` says where else they are.
 */
export interface Registry {
  /** What names of images begin with: `registry.example:5000`. Absent: the host of the site. */
  readonly host?: string
  /** A registry outside the platform. Absent: tags are rows, put there by the host. */
  readonly images?: ImageStore
}

/**
 * A registry outside the platform. Paths are those of repositories, `acme/web/worker`; one that it does not know has no tags.
 *
 * Every call is refused as `unavailable`, with the reason `registry`, when the registry does not answer, answers with an
 * error or with something that is no answer, or does not accept the platform's credentials.
 */
export interface ImageStore {
  /** Paths of everything it holds, in no order. */
  repositories(): Promise<readonly string[]>
  /** Names of all tags, ordered by their bytes. */
  tags(path: string): Promise<readonly string[]>
  /** What a tag stands for now. */
  image(path: string, tag: string): Promise<Image | undefined>
  /**
   * Takes tags away; other tags of the same images stay. Tags that are gone already are no error. After it has failed
   * half-way a tag may be listed that stands for no image: calling it again with that tag ends what was begun.
   *
   * @throws PlatformError `invalid` where the registry does not let anything be deleted
   */
  untag(path: string, tags: readonly TagToRemove[]): Promise<void>
}

/** A tag that is to go, as long as it stands for what the caller has seen. */
export interface TagToRemove {
  /** What it is called: `latest`. */
  readonly name: string
  /** What the caller has seen it stand for, null for nothing: left alone when it stands for another image by now. */
  readonly digest?: string | null | undefined
}

/** What a tag stands for. */
export interface Image {
  /** Of the manifest: `sha256:…`. */
  readonly digest: string
  /** Hexadecimal digits of the digest of the image's configuration; null for a manifest that has none. */
  readonly revision: string | null
  /** When the image was made; ISO 8601, UTC. Null when it does not say. */
  readonly createdAt: string | null
  /** Bytes of its layers; null when it does not say. */
  readonly totalSize: number | null
}

/** Images are known by what the host puts into the platform's own tables. */
export const tableRegistry = ({ host }: { readonly host?: string } = {}): Registry =>
  host === undefined ? {} : { host }

/** The name of a tag: OCI distribution specification 1.1, section "Pulling manifests". */
export const isTagName = (text: string): boolean => /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/.test(text)

/** A digest of the one algorithm that every registry knows. */
export const isDigest = (text: string): boolean => /^sha256:[0-9a-f]{64}$/.test(text)
