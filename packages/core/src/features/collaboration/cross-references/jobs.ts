import { findPastActor } from '../../../access/authenticate.ts'
import { findProject } from '../../../access/projects.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import type { Repository } from '../../../ports/git.ts'
import { findIssuableReferences } from '../../../ports/markdown/issuable-references.ts'
import { openRepository } from '../../code/repository/opened-repository.ts'
import { findClosedIssues } from '../merge-requests/changes/closing-pattern.ts'
import { loadProjectSettings } from '../merge-requests/mergeability.ts'
import { closeIssues } from '../merge-requests/merging/close-issues.ts'
import { insertCrossReferences } from './cross-reference.ts'

/** Further commits of one push have no effect on issues: the limit of GitLab. */
const maximumCommits = 100

/** Stores the system notes of the issues and merge requests that a text mentions. */
export const insertReferences = defineJob('crossReferences.insert', {
  async run({ write }, { userId, source, references }) {
    await write(async (ctx) =>
      insertCrossReferences(ctx.actAs(await findPastActor(ctx, userId, 'mention')), source, references),
    )
  },
})

interface PushedCommits {
  readonly branch: string
  readonly before: string | null
  readonly after: string
  readonly defaultBranch: string
}

/** The commits that a push has added to a branch, oldest first; to a new branch, those that the default branch does not contain. */
const readNewCommits = async (repository: Repository, { branch, before, after, defaultBranch }: PushedCommits) => {
  if ((await repository.commit(after)) === undefined) return []
  const known = before ?? (branch === defaultBranch ? undefined : await repository.branch(defaultBranch))
  const exclude = known !== undefined && (await repository.commit(known)) ? [known] : []
  const ids = await repository.listCommits({ tips: [after], exclude, offset: 0, limit: maximumCommits })
  const commits = await Promise.all(ids.toReversed().map((id) => repository.commit(id)))
  return commits.flatMap((commit) => commit ?? [])
}

/**
 * Closes the issues that commits on the default branch name with a keyword such as `Closes #1`, if the user who pushed may, and stores the
 * system notes of issues and merge requests that commits mention.
 */
export const readPushedCommits = defineJob('crossReferences.readCommits', {
  async run({ write }, { projectId, userId, branch, before, after }) {
    const found = await write(async (ctx) => {
      const project = await findProject(ctx, projectId)
      if (project === undefined) return undefined
      const opened = await openRepository(ctx, { project })
      const closes = (await loadProjectSettings(ctx, [projectId])).get(projectId)?.autocloseReferencedIssues ?? false
      return opened && { project, repository: opened.repository, closes: closes && branch === project.defaultBranch }
    })
    if (found === undefined) return
    const { project, repository, closes } = found
    const commits = await readNewCommits(repository, { branch, before, after, defaultBranch: project.defaultBranch })
    for (const { id, message } of commits) {
      const closed = closes ? findClosedIssues(message) : []
      const references = findIssuableReferences(message)
      if (!closed.length && !references.length) continue
      const source = { kind: 'commit', projectId, value: id } as const
      await write(async (ctx) => {
        const asPusher = ctx.actAs(await findPastActor(ctx, userId, 'push'))
        await insertCrossReferences(asPusher, source, references)
        const issues = closed.map(({ projectPath = project.fullPath, iid }) => ({ projectPath, iid }))
        await closeIssues(asPusher, issues, { source, project })
      })
    }
  },
})
