import { project } from '../../access/subjects.ts'
import { notFound } from '../../kernel/errors.ts'
import { Id, Reference } from '../../kernel/inputs.ts'
import type { Subject } from '../../kernel/operation.ts'
import type { Subjects } from '../../policy.ts'
import { visible } from '../../policy.ts'
import { findMergeRequest } from './queries.ts'

const entries = { project: Reference, mergeRequest: Id }

/** A merge request, by its target project and iid. */
export const mergeRequest: Subject<'mergeRequest', typeof entries> = {
  kinds: ['mergeRequest'],
  entries,
  async load(ctx, ref): Promise<Subjects['mergeRequest']> {
    const place = await project.load(ctx, ref)
    // An invisible project is missed as a project, before its merge requests are looked at.
    if (!visible.project.holds(ctx.actor, place)) throw notFound('Project')
    const record = await findMergeRequest(ctx, place.project.id, ref.mergeRequest)
    if (!record) throw notFound()
    return { ...place, kind: 'mergeRequest', mergeRequest: record }
  },
}
