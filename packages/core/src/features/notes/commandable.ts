import type { Context } from '../../kernel/context.ts'
import { forbidden, type PlatformError } from '../../kernel/errors.ts'
import { may, type Subjects } from '../../policy.ts'
import { changeEpic, reload as reloadEpic, setState as setEpicState } from '../epics/changing.ts'
import { changeIssue, reload as reloadIssue } from '../issues/changing.ts'
import type { Issue } from '../issues/issue.ts'
import { changeMergeRequest, reload as reloadMergeRequest } from '../merge-requests/changing.ts'

/** What commands can be given to. */
export type Commandable = Subjects['issue'] | Subjects['mergeRequest'] | Subjects['epic']

/** What a command changes. */
export interface Change {
  readonly stateEvent?: 'close' | 'reopen'
  readonly title?: string
  readonly confidential?: boolean
  readonly discussionLocked?: boolean
  readonly labels?: readonly string[]
  readonly addLabels?: readonly string[]
  readonly removeLabels?: readonly string[]
  readonly assignees?: readonly number[]
  readonly milestone?: string | null
}

/** What of it commands look at; an epic has fewer of these. */
export type Present = Pick<Issue, 'state' | 'title'> & Partial<Pick<Issue, 'assignees' | 'labels' | 'milestone'>>

export const nouns = { issue: 'issue', mergeRequest: 'merge request', epic: 'epic' } as const

/** The thing as it is now: an earlier command may have changed it. */
export const again = async (ctx: Context, found: Commandable): Promise<{ found: Commandable; present: Present }> => {
  switch (found.kind) {
    case 'issue': {
      const issue = await reloadIssue(ctx, found.issue)
      return { found: { ...found, issue }, present: issue }
    }
    case 'mergeRequest': {
      const mergeRequest = await reloadMergeRequest(ctx, found.mergeRequest)
      return { found: { ...found, mergeRequest }, present: mergeRequest as Present }
    }
    case 'epic': {
      const epic = await reloadEpic(ctx, found.epic)
      return { found: { ...found, epic }, present: epic }
    }
  }
}

/** A command that the caller may not give, or that means nothing here. */
export const refused = (): PlatformError => forbidden('The command cannot be applied')

/** Changes it through what the operations on it do, with the permissions of whoever wrote the command. */
export const change = async (ctx: Context, found: Commandable, wanted: Change): Promise<Present> => {
  const { confidential, ...others } = wanted
  const lists = {
    ...others,
    ...(wanted.labels && { labels: [...wanted.labels] }),
    ...(wanted.addLabels && { addLabels: [...wanted.addLabels] }),
    ...(wanted.removeLabels && { removeLabels: [...wanted.removeLabels] }),
    ...(wanted.assignees && { assignees: [...wanted.assignees] }),
  } as object
  switch (found.kind) {
    case 'issue':
      if (!may(ctx.actor, found, 'issue.update')) throw refused()
      return changeIssue(ctx, { ...lists, ...(confidential !== undefined && { confidential }) }, found)
    case 'mergeRequest':
      if (confidential !== undefined || !may(ctx.actor, found, 'mergeRequest.update')) throw refused()
      return (await changeMergeRequest(ctx, lists, found)) as Present
    case 'epic': {
      const { stateEvent, title } = wanted
      if (!may(ctx.actor, found, 'epic.update')) throw refused()
      if (stateEvent) return setEpicState(ctx, found.epic, stateEvent === 'close' ? 'closed' : 'opened')
      if (title === undefined && confidential === undefined) throw refused()
      return changeEpic(ctx, { ...(title !== undefined && { title }), ...(confidential && { confidential }) }, found)
    }
  }
}
