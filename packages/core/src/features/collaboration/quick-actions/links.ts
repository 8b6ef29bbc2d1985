import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { loadVisible } from '../../../policy/visible.ts'
import type { IssueLinkType } from '../../planning/issue-links/issue-link.ts'
import { createLink, removeLink } from '../../planning/issue-links/mutations.ts'
import { selectLinks } from '../../planning/issue-links/queries.ts'
import { cloneIssue, moveIssue } from '../../planning/issues/move.ts'
import { issue } from '../../planning/issues/subject.ts'
import { insertNote } from '../notes/mutations.ts'
import { toNoteKey } from '../notes/noteable.ts'
import { ignorePlatformError, onIssue } from './handler.ts'
import { findReferences } from './references.ts'
import { notApplicableError, updateTarget } from './target.ts'

const findIssues = (ctx: Context, target: Subjects['issue'], argument: string) => {
  const references = findReferences(ctx, argument).filter(({ kind }) => kind === 'issue')
  if (!references.length || !hasAbility(ctx.actor, target, 'issueLink.manage')) throw notApplicableError()
  return references.map(({ project, value }) => ({
    targetProject: project ?? target.project.id,
    targetIssue: Number(value),
  }))
}

const createLinkHandler = (linkType: IssueLinkType, describe: (written: string) => string) =>
  onIssue(async (ctx, target, argument) => {
    let linked = 0
    for (const reference of findIssues(ctx, target, argument)) {
      const link = await ignorePlatformError(createLink(ctx, target, { ...reference, linkType }))
      if (link) linked++
    }
    if (!linked) throw notApplicableError()
    return { changes: {}, message: describe(argument) }
  })

export const relate = createLinkHandler('relates_to', (written) => `Linked ${written} as related to this issue.`)
export const blocks = createLinkHandler('blocks', (written) => `Marked this issue as blocking ${written}.`)
export const blockedBy = createLinkHandler('is_blocked_by', (written) => `Marked this issue as blocked by ${written}.`)

export const unlink = onIssue(async (ctx, target, argument) => {
  const [reference] = findIssues(ctx, target, argument)
  if (!reference) throw notApplicableError()
  const { targetProject: project, targetIssue } = reference
  const other = await loadVisible(ctx, issue, { project, issue: targetIssue })
  const links = (await selectLinks(ctx, target.issue.id)).where('issue.id', '=', other.issue.id)
  const row = await links.executeTakeFirst()
  if (!row) throw notApplicableError()
  await removeLink(ctx, target, row.issueLinkId)
  return { changes: {}, message: `Removed linked item ${argument}.` }
})

/** `#1`, or `acme/web#1` for readers in another project. */
const formatIssue = ({ project, issue }: Subjects['issue'], reader: Subjects['issue']): string =>
  `${project.id === reader.project.id ? '' : project.fullPath}#${issue.iid}`

const insertSystemNote = async (ctx: Context, target: Subjects['issue'], body: string) => {
  if (ctx.actor.kind === 'user')
    await insertNote(ctx, toNoteKey(target), { authorId: ctx.actor.id, body, system: true })
}

export const duplicate = onIssue(async (ctx, target, argument) => {
  const [reference] = findReferences(ctx, argument)
  if (reference?.kind !== 'issue') throw notApplicableError()
  const project = reference.project ?? target.project.id
  const original = await loadVisible(ctx, issue, { project, issue: Number(reference.value) })
  if (original.issue.id === target.issue.id || !hasAbility(ctx.actor, original, 'note.create'))
    throw notApplicableError()
  await updateTarget(ctx, target, { stateEvent: 'close' })
  await insertSystemNote(ctx, target, `marked this issue as a duplicate of ${formatIssue(original, target)}`)
  await insertSystemNote(ctx, original, `marked ${formatIssue(target, original)} as a duplicate of this issue`)
  const link = { targetProject: project, targetIssue: original.issue.iid, linkType: 'relates_to' } as const
  if (hasAbility(ctx.actor, target, 'issueLink.manage')) await ignorePlatformError(createLink(ctx, target, link))
  return {
    changes: { canonicalIssueId: original.issue.id },
    message: `Closed this issue. Marked as related to, and a duplicate of, ${formatIssue(original, target)}.`,
  }
})

export const move = onIssue(async (ctx, target, argument) => {
  if (argument === '' || !hasAbility(ctx.actor, target, 'issue.triage')) throw notApplicableError()
  await moveIssue(ctx, target, argument)
  return { changes: {}, message: `Moved this issue to ${argument}.` }
})

/** Without a path, the copy is in the same project. */
export const clone = onIssue(async (ctx, target, argument) => {
  if (!hasAbility(ctx.actor, target, 'issue.triage')) throw notApplicableError()
  const words = argument.split(/\s+/)
  const [path = target.project.fullPath] = words.filter((word) => word !== '' && !word.startsWith('--'))
  await cloneIssue(ctx, target, { toProject: path, withNotes: words.includes('--with_notes') })
  return { changes: {}, message: `Cloned this issue to ${path}.` }
})
