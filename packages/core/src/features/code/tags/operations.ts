import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { afterTransaction } from '../../../kernel/deferred.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { IdOrName, Sort } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { cursorInsteadOfPage, type Page } from '../../../kernel/paging.ts'
import { takePrecondition } from '../../../kernel/precondition.ts'
import type { GitReference, Repository } from '../../../ports/git.ts'
import { isNewReferenceName } from '../../../ports/git-binary/reference-name.ts'
import { defined } from '../../../shared/defined.ts'
import { readViewerAccess } from '../protected-references/reference-access.ts'
import { resolvePusher } from '../repository/branch-writer.ts'
import { openRepository, readCommit, readCommitTime, resolveName } from '../repository/opened-repository.ts'
import { changeReferences, updateAnnounced } from '../repository/reference-changes.ts'
import { pageReferences, referenceFilters, sortByTime } from '../repository/reference-page.ts'
import type { Tag } from '../repository/repository.ts'
import type { ObjectVerification } from '../repository/signatures/signature.ts'
import { verifySignature } from '../repository/signatures/verify-signature.ts'
import { addTagState } from '../repository/tag-state.ts'
import { changeRepository, openForWriting } from '../repository/writable-repository.ts'

const TagName = v.pipe(v.string(), v.nonEmpty(), v.maxLength(1_024))

const compareVersions = new Intl.Collator('en', { numeric: true }).compare

const listTags = async (
  repository: Repository,
  orderBy: 'name' | 'updated' | 'version',
  sort: 'asc' | 'desc',
): Promise<readonly GitReference[]> => {
  const tags = await repository.tags()
  const sorted = orderBy === 'updated' ? await sortByTime(repository, tags) : [...tags]
  if (orderBy === 'version') sorted.sort((a, b) => compareVersions(a.name, b.name))
  return sort === 'asc' ? sorted : sorted.reverse()
}

/** Tags of the repositories of projects. */
export const tags = {
  /** Lists tags, the last updated first, each with its commit; none without a repository. */
  list: query({
    on: project,
    can: 'code.read',
    input: {
      ...referenceFilters,
      /** `updated`: by the time of its commit; `name`: by name; `version`: by the numbers in the name. */
      orderBy: v.optional(v.picklist(['name', 'updated', 'version']), 'updated'),
      /** `asc` sorts ascending, `desc` descending. */
      sort: v.optional(Sort, 'desc'),
    },
    rules: [cursorInsteadOfPage],
    async run(ctx, { orderBy, sort, ...input }, subject) {
      const opened = await openRepository(ctx, subject)
      const { project } = subject
      const access = await readViewerAccess(ctx, subject.project)
      return afterTransaction(async (runner): Promise<Page<Tag>> => {
        const page = await pageReferences(opened, (repository) => listTags(repository, orderBy, sort), input)
        const items = opened && (await addTagState(opened.repository, runner, { project, access }, page.items))
        return { ...page, items: items ?? [] }
      })
    },
  }),

  /** Gets a tag by name. */
  get: query({
    on: project,
    can: 'code.read',
    input: {
      /** Name of the tag, case-sensitive. */
      tagName: TagName,
    },
    async run(ctx, { tagName: name }, subject) {
      const opened = await openRepository(ctx, subject)
      const { project } = subject
      const access = await readViewerAccess(ctx, project)
      return afterTransaction(async (runner): Promise<Tag> => {
        const id = await opened?.repository.tag(name)
        if (opened === undefined || id === undefined) throw notFound('Tag')
        const tag = { name, commit: await readCommit(opened, id) }
        return defined((await addTagState(opened.repository, runner, { project, access }, [tag]))[0])
      })
    },
  }),

  /**
   * Gets the signature of an annotated tag, verified as signatures of commits are, with the e-mail address of the tagger.
   *
   * @throws PlatformError `not_found` for a tag without a signature
   */
  getSignature: query({
    on: project,
    can: 'code.read',
    input: {
      /** Name of the tag, case-sensitive. */
      tagName: TagName,
    },
    async run(ctx, { tagName: name }, subject) {
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async (runner): Promise<ObjectVerification> => {
        const [id, commit] = await Promise.all([
          opened?.repository.reference(`refs/tags/${name}`),
          opened?.repository.tag(name),
        ])
        if (opened === undefined || id === undefined || commit === undefined) throw notFound('Tag')
        // The signature of the commit is not that of a tag without annotation.
        const signature = id === commit ? undefined : await opened.repository.signature(id)
        if (signature === undefined) throw notFound('Signature')
        return verifySignature(runner, { projectId: subject.project.id, id, signature })
      })
    },
  }),

  /**
   * Creates a tag.
   *
   * @throws PlatformError `invalid` for an invalid or existing name, and for an unknown `ref`
   */
  create: command({
    on: project,
    can: 'code.push',
    serializes: 'project',
    input: {
      /** Name of the new tag. */
      tagName: TagName,
      /** The branch, tag or commit SHA that the tag points to. Default: the default branch. */
      ref: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(1_024))),
      /** Message of an annotated tag. Default: a tag without message. */
      message: v.optional(v.pipe(v.string(), v.maxLength(1_000_000))),
      /** Id or username of the pushing user; only the host sets it. Without it, the host records no activity. */
      pushedBy: v.optional(IdOrName),
    },
    async run(ctx, { tagName: name, message, pushedBy, ...input }, { project }) {
      const { ports, now } = ctx
      const { ref = project.defaultBranch } = input
      const pusher = await resolvePusher(ctx, pushedBy)
      const access = await readViewerAccess(ctx, project)
      return afterTransaction((runner) =>
        changeRepository({ ports, write: runner.write }, project.id, async (writer): Promise<Tag> => {
          if (!isNewReferenceName(name)) throw invalid('Tag name invalid')
          const repository = await openForWriting(writer, project.id)
          const target = repository && (await resolveName({ repository, defaultBranch: project.defaultBranch }, ref))
          if (repository === undefined || target === undefined) {
            throw invalid(`Target ${ref.slice(0, 100)} is invalid`)
          }
          if ((await repository.reference(`refs/tags/${name}`)) !== undefined) {
            throw invalid(`Tag ${name} already exists`)
          }
          const commit = await readCommit({ repository, projectPath: project.fullPath }, target)
          const { name: authorName, email } = pusher ?? { name: commit.authorName, email: commit.authorEmail }
          const annotation = message ? { message, tagger: { name: authorName, email, date: now } } : undefined
          await changeReferences(writer, repository, project.id, {
            userId: pusher?.id ?? null,
            apply: (announce) =>
              repository.createTag(
                { name, commit: target, ...(annotation && { annotation }) },
                { beforeUpdate: announce },
              ),
          })
          return defined((await addTagState(repository, runner, { project, access }, [{ name, commit }]))[0])
        }),
      )
    },
  }),

  /** Deletes a tag. Its release, if there is one, stays. */
  remove: command({
    on: project,
    can: 'code.push',
    serializes: 'project',
    input: {
      /** Name of the tag, case-sensitive. */
      tagName: TagName,
    },
    async run(ctx, { tagName: name }, { project }) {
      const { ports } = ctx
      const pusher = await resolvePusher(ctx)
      const assertUnmodified = takePrecondition(ctx)
      return afterTransaction(({ write }) =>
        changeRepository({ ports, write }, project.id, async (writer): Promise<void> => {
          const repository = await openForWriting(writer, project.id)
          const from = await repository?.reference(`refs/tags/${name}`)
          if (repository === undefined || from === undefined) throw notFound('Tag')
          if (assertUnmodified)
            assertUnmodified(await readCommitTime(repository, (await repository.peel(from)) ?? from))
          const changes = [{ name: `refs/tags/${name}`, from, to: undefined }]
          await changeReferences(writer, repository, project.id, {
            userId: pusher?.id ?? null,
            apply: updateAnnounced(repository, changes),
          })
        }),
      )
    },
  }),
}
