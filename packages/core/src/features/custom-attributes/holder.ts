import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { exactlyOne, Reference } from '../../kernel/inputs.ts'
import type { Subject } from '../../kernel/operation.ts'
import { findUser } from '../accounts/queries.ts'
import { findGroup } from '../groups/queries.ts'
import { findProject } from '../projects/queries.ts'

type Ref = number | string

export const holderEntries = {
  user: v.optional(Reference),
  group: v.optional(Reference),
  project: v.optional(Reference),
}

type HolderRef =
  | { readonly user: Ref; readonly group?: undefined; readonly project?: undefined }
  | { readonly group: Ref; readonly user?: undefined; readonly project?: undefined }
  | { readonly project: Ref; readonly user?: undefined; readonly group?: undefined }

/**
 * The platform as a whole, named by one of what it holds: whether the caller is an administrator is judged before anything
 * is looked up, so that a refusal does not tell what exists.
 */
export const aboutHolder: Subject<'instance', typeof holderEntries, HolderRef> = {
  kinds: ['instance'],
  entries: holderEntries,
  rules: [exactlyOne('user', 'group', 'project')],
  load: async () => ({ kind: 'instance' }),
}

/** Whose an attribute is: the column of its row, and the id there. */
export type Holder = readonly ['userId' | 'groupId' | 'projectId', number]

interface Given {
  readonly user?: Ref | undefined
  readonly group?: Ref | undefined
  readonly project?: Ref | undefined
}

/** @throws PlatformError `not_found`, naming the kind of what is missing */
export async function holderOf(ctx: Context, { user, group, project }: Given): Promise<Holder> {
  if (user !== undefined) return ['userId', (await findUser(ctx, user)).id]
  if (group !== undefined) {
    const found = await findGroup(ctx, group)
    if (!found) throw notFound('Group')
    return ['groupId', found.id]
  }
  const found = await findProject(ctx, project as Ref)
  if (!found) throw notFound('Project')
  return ['projectId', found.id]
}
