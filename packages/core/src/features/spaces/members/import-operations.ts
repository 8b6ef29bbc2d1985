import { Access } from '../../../access/levels.ts'
import { project as projectSubject } from '../../../access/subjects.ts'
import { isUnexpired } from '../../../db/functions.ts'
import { today } from '../../../kernel/context.ts'
import { IdOrName } from '../../../kernel/inputs.ts'
import { command } from '../../../kernel/operation.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import { loadVisible } from '../../../policy/visible.ts'
import type { AddedMembers } from './member.ts'
import { addMember } from './mutations.ts'
import { directMembers, type MemberRow, toMembers } from './queries.ts'
import { describeRejection } from './rejection.ts'

export const memberImport = {
  /**
   * Adds the direct members of another project, with the same levels and expiry dates; owners become maintainers. Members of
   * the project and the bots of the other one are skipped. `errors` contains those who could not be added.
   */
  import: command({
    on: projectSubject,
    can: 'member.manage',
    serializes: 'instance',
    input: {
      /** Id or full path of the project whose members the current user can read. */
      from: IdOrName,
    },
    async run(ctx, { from }, subject): Promise<AddedMembers> {
      const source = await loadVisible(ctx, projectSubject, { project: from })
      assertAbility(ctx.actor, source, 'member.read')
      const present = new Set((await directMembers(ctx, subject).execute()).map(({ id }) => id))
      const candidates = await directMembers(ctx, source)
        .where('user.bot', '=', false)
        .where(isUnexpired('membership.expiresAt', today(ctx)))
        .orderBy('membership.id')
        .execute()
      const rows: MemberRow[] = []
      const errors: Record<string, string> = {}
      for (const { id, username, expiresAt, ...member } of candidates.filter(({ id }) => !present.has(id))) {
        const accessLevel = Math.min(member.accessLevel, Access.maintainer)
        const rejection = await describeRejection(
          async () => void rows.push(await addMember(ctx, subject, id, { accessLevel, expiresAt })),
        )
        if (rejection !== undefined) errors[username] = rejection
      }
      return { members: await toMembers(ctx, rows), errors }
    },
  }),
}
