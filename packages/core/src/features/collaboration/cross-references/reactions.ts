import type { Context } from '../../../kernel/context.ts'
import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { findIssuableReferences } from '../../../ports/markdown/issuable-references.ts'
import { findStorageKey } from '../../code/repository/queries.ts'
import { maximumReferences } from './cross-reference.ts'
import type { ReferenceSource } from './source.ts'

/** A job stores the notes, because the transaction of a call can exclude only commands of its project. */
const enqueueReferences = async (ctx: Context, source: ReferenceSource, text: string, before = '') => {
  if (ctx.actor.kind !== 'user' || text === before) return
  const references = findIssuableReferences(text).slice(0, maximumReferences)
  if (references.length) await ctx.enqueue('crossReferences.insert', { userId: ctx.actor.id, source, references })
}

interface Described {
  readonly projectId: number
  readonly iid: number
  readonly title: string
  readonly description: string | null
}

const textOf = ({ title, description }: Described) => `${title}\n\n${description ?? ''}`

const enqueueDescribed = (ctx: Context, kind: 'issue' | 'mergeRequest', after: Described, before?: Described) =>
  enqueueReferences(
    ctx,
    { kind, projectId: after.projectId, value: String(after.iid) },
    textOf(after),
    before && textOf(before),
  )

const noteReaction = (name: 'note.created' | 'note.updated') =>
  defineReaction(name, async (ctx, { note, target: { kind, projectId, iid } }) => {
    // Others who read the mentioned item could not read the source.
    if (note.confidential || iid === null || projectId === null || (kind !== 'issue' && kind !== 'mergeRequest')) return
    await enqueueReferences(ctx, { kind, projectId, value: String(iid) }, note.body)
  })

/** Issues and merge requests that texts and commits mention receive system notes. */
export const crossReferenceReactions: readonly Reaction[] = [
  defineReaction('issue.opened', async (ctx, { issue }) => {
    if (!issue.confidential) await enqueueDescribed(ctx, 'issue', issue)
  }),
  defineReaction('issue.updated', async (ctx, { before, after }) => {
    if (!after.confidential) await enqueueDescribed(ctx, 'issue', after, before)
  }),
  defineReaction('mergeRequest.opened', (ctx, { mergeRequest }) => enqueueDescribed(ctx, 'mergeRequest', mergeRequest)),
  defineReaction('mergeRequest.updated', (ctx, { before, after }) =>
    enqueueDescribed(ctx, 'mergeRequest', after, before),
  ),
  noteReaction('note.created'),
  noteReaction('note.updated'),
  defineReaction('code.pushed', async (ctx, { projectId, userId, push }) => {
    const { refType, ref: branch, commitFrom: before, commitTo: after } = push
    if (refType !== 'branch' || branch === null || after === null || userId === null) return
    if ((await findStorageKey(ctx, projectId)) === undefined) return
    await ctx.enqueue('crossReferences.readCommits', { projectId, userId, branch, before, after })
  }),
]
