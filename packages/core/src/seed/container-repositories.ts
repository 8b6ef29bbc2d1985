import { hash } from 'node:crypto'
import * as v from 'valibot'
import { namedIn } from './identity.ts'
import { projectOf, type SectionParent } from './section-parent.ts'
import { defineSection, type Seeder, Timestamp } from './seeder.ts'

const Tag = v.strictObject({
  /** Such as `latest` or `1.0.0`. */
  name: v.string(),
  /** `sha256:…`. Default: derived from the name of the tag, and therefore reproducible. */
  digest: v.optional(v.string()),
  /** 64 hexadecimal digits. Default: derived from the name of the tag. */
  revision: v.optional(v.string()),
  /** Bytes. */
  totalSize: v.optional(v.number(), 0),
  /** Creation time of the image. */
  createdAt: Timestamp,
})

const Repository = v.strictObject({
  /** Path below the project. Default: the root repository of the project. */
  name: v.optional(v.string(), ''),
  createdAt: Timestamp,
  /** Tags of the repository. */
  tags: v.optional(v.array(Tag), []),
})

const generateDigest = (...parts: readonly string[]) => hash('sha256', parts.join('\n'), 'hex')

/** Container repositories with the tags in the database. */
export const containerRepositoriesSection = defineSection(
  'containerRepositories',
  Repository,
  async (seeder: Seeder, { name, createdAt, tags }, parent: SectionParent) => {
    const project = projectOf(parent)
    const { id, path } = await seeder.asHost(createdAt).containerRepositories.create({ project, name })
    for (const { name: tag, digest, revision, createdAt: imageCreatedAt, totalSize } of tags) {
      await seeder.asHost(createdAt).containerTags.set({
        project,
        repository: id,
        tag,
        digest: digest ?? `sha256:${generateDigest(path, tag, 'manifest')}`,
        revision: revision ?? generateDigest(path, tag, 'configuration'),
        totalSize,
        ...(imageCreatedAt !== undefined && { createdAt: imageCreatedAt }),
      })
    }
    seeder.record('containerRepositories', path, { id })
  },
  namedIn(
    (host) => host.containerRepositories,
    ({ name }) => name,
  ),
)
