import { hash } from 'node:crypto'
import * as v from 'valibot'
import type { Container } from './container.ts'
import { At, type Planting, section } from './planting.ts'

const Tag = v.strictObject({
  name: v.string(),
  /** `sha256:…`; made of the tag's name when left out, so that it is always the same. */
  digest: v.optional(v.string()),
  /** 64 hexadecimal digits, made likewise. */
  revision: v.optional(v.string()),
  /** Bytes. */
  totalSize: v.optional(v.number(), 0),
  /** When the image was made. */
  createdAt: At,
})

const Repository = v.strictObject({
  /** Below the project's path; the repository of the project itself when left out. */
  name: v.optional(v.string(), ''),
  createdAt: At,
  tags: v.optional(v.array(Tag), []),
})

const madeUp = (...words: readonly string[]) => hash('sha256', words.join('\n'), 'hex')

/** Repositories of container images, with the tags that the platform's own tables are to know. */
export const containerRepositoriesSection = section(
  'containerRepositories',
  Repository,
  async (planting: Planting, { name, createdAt, tags }, on: Container) => {
    const { project } = on as { project: number }
    const { id, path } = await planting.at(createdAt).containerRepositories.create({ project, name })
    for (const { name: tag, digest, revision, createdAt: madeAt, totalSize } of tags) {
      await planting.at(createdAt).containerTags.put({
        project,
        repository: id,
        tag,
        digest: digest ?? `sha256:${madeUp(path, tag, 'manifest')}`,
        revision: revision ?? madeUp(path, tag, 'configuration'),
        totalSize,
        ...(madeAt !== undefined && { createdAt: madeAt }),
      })
    }
    planting.note('containerRepositories', path, { id })
  },
)
