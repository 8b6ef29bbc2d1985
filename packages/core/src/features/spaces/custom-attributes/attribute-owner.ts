import * as v from 'valibot'
import { findGroup } from '../../../access/namespaces.ts'
import { findProject } from '../../../access/projects.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { exactlyOne, IdOrName } from '../../../kernel/inputs.ts'
import type { SubjectLoader } from '../../../kernel/operation.ts'
import { defined } from '../../../shared/defined.ts'
import { findUser } from '../../accounts/users/queries.ts'

type Ref = number | string

export const ownerEntries = {
  /**
   * Id (number) or username (string, case-insensitive) of the user. Exactly one of `user`, `group` and `project` is
   * required.
   */
  user: v.optional(IdOrName),
  /**
   * Id (number) or full path (string, case-insensitive) of the group. Exactly one of `user`, `group` and `project` is
   * required.
   */
  group: v.optional(IdOrName),
  /**
   * Id (number) or full path (string, case-insensitive) of the project. Exactly one of `user`, `group` and `project` is
   * required.
   */
  project: v.optional(IdOrName),
}

type OwnerReference =
  | { readonly user: Ref; readonly group?: undefined; readonly project?: undefined }
  | { readonly group: Ref; readonly user?: undefined; readonly project?: undefined }
  | { readonly project: Ref; readonly user?: undefined; readonly group?: undefined }

/**
 * Loads the instance and not the owner: the permission check (administrators only) precedes the lookup of the owner, so a
 * `forbidden` error does not reveal whether the owner exists.
 */
export const attributeOwner: SubjectLoader<'instance', typeof ownerEntries, OwnerReference> = {
  kinds: ['instance'],
  entries: ownerEntries,
  rules: [exactlyOne('user', 'group', 'project')],
  load: async () => ({ kind: 'instance' }),
}

/** The owner column of an attribute's row, and the owner's id. */
export type OwnerColumn = readonly ['userId' | 'groupId' | 'projectId', number]

interface OwnerInput {
  readonly user?: Ref | undefined
  readonly group?: Ref | undefined
  readonly project?: Ref | undefined
}

/** @throws PlatformError `not_found` with the kind of the missing owner */
export async function findOwner(ctx: Context, { user, group, project }: OwnerInput): Promise<OwnerColumn> {
  if (user !== undefined) return ['userId', (await findUser(ctx, user)).id]
  if (group !== undefined) {
    const row = await findGroup(ctx, group)
    if (!row) throw notFound('Group')
    return ['groupId', row.id]
  }
  const row = await findProject(ctx, defined(project))
  if (!row) throw notFound('Project')
  return ['projectId', row.id]
}
