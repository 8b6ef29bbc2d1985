import * as v from 'valibot'
import { invalid } from '../kernel/errors.ts'
import { DateOnly } from '../kernel/inputs.ts'
import { namedIn } from './identity.ts'
import { type SectionParent, toParentInput } from './section-parent.ts'
import { AccessLevel, defineSection, type Seeder } from './seeder.ts'

const Invitation = v.strictObject({
  /** An address that no user of the seed has. */
  email: v.string(),
  access: AccessLevel,
  /** The first day without access, such as `2026-11-21`. Default: the membership does not end. */
  expiresAt: v.optional(DateOnly),
})

/** Invited e-mail addresses of a project or a group. */
export const invitationsSection = defineSection(
  'invitations',
  Invitation,
  async (seeder: Seeder, { email, access: accessLevel, expiresAt = null }, parent: SectionParent) => {
    const { errors } = await seeder
      .asHost()
      .invitations.create({ ...toParentInput(parent), emails: [email], accessLevel, expiresAt })
    const [reason] = Object.values(errors)
    if (reason !== undefined) throw invalid(`${email}: ${reason}`)
  },
  namedIn(
    (host) => host.invitations,
    (item) => ('inviteEmail' in item ? item.inviteEmail : item.email).toLowerCase(),
  ),
)
