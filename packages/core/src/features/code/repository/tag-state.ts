import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import type { TransactionRunner } from '../../../kernel/deferred.ts'
import type { Repository } from '../../../ports/git.ts'
import type { ReferenceAccess } from '../protected-references/reference-access.ts'
import type { RepositoryCommit, Tag, TagRelease } from './repository.ts'

const findReleases = async ({ db }: Context, projectId: number, names: readonly string[]) => {
  const rows = await db
    .selectFrom('release')
    .where('projectId', '=', projectId)
    .where('tag', 'in', names)
    .select(['tag', 'description'])
    .execute()
  return new Map(rows.map(({ tag, description }): [string, TagRelease] => [tag, { tagName: tag, description }]))
}

/** Adds annotations and releases to the names and commits of tags. */
export const addTagState = async (
  repository: Repository,
  { read }: Pick<TransactionRunner, 'read'>,
  { project, access }: { readonly project: Pick<Project, 'id'>; readonly access: ReferenceAccess },
  tags: readonly { readonly name: string; readonly commit: RepositoryCommit }[],
): Promise<Tag[]> => {
  if (tags.length === 0) return []
  const names = tags.map(({ name }) => name)
  const releases = await read((ctx) => findReleases(ctx, project.id, names))
  return Promise.all(
    tags.map(async ({ name, commit }) => {
      const target = (await repository.reference(`refs/tags/${name}`)) ?? commit.id
      const annotation = target === commit.id ? undefined : await repository.annotation(target)
      return {
        name,
        commit,
        target,
        message: annotation?.message ?? '',
        createdAt: annotation?.taggedAt ?? null,
        release: releases.get(name) ?? null,
        protected: access.isProtected('tag', name),
      }
    }),
  )
}
