import * as v from 'valibot'
import { projectCreationLevels } from '../access/levels.ts'
import { badgesSection } from './badges.ts'
import { boardsSection } from './boards.ts'
import { ciVariablesSection } from './ci-variables.ts'
import { epicsSection } from './epics.ts'
import { invitationsSection } from './invitations.ts'
import { PushRule, seedPushRule } from './push-rules.ts'
import { sectionFields, seedSections } from './sections.ts'
import { defineSection, getOrCreate, type Seeder, Settings, Timestamp } from './seeder.ts'
import { sharedSections, Visibility } from './shared-sections.ts'
import { accessTokensSection, deployTokensSection } from './tokens.ts'
import { wikiPagesSection } from './wiki-pages.ts'

const Token = v.strictObject({
  /** A fixed secret, for the configuration of the identity provider. */
  secret: v.string(),
})

const Identity = v.strictObject({
  /** A username. */
  user: v.string(),
  /** Identifier of the user at the identity provider. */
  externUid: v.string(),
  /** Whether the identity provider manages the profile of the user. */
  provisioned: v.optional(v.boolean(), false),
})

/** Single sign-on of a group with its identities and SCIM tokens. */
const SingleSignOn = v.strictObject({
  /** Name of the identity provider. Default: the path of the group. */
  provider: v.optional(v.string()),
  /** False disables single sign-on after its identities are linked. */
  enabled: v.optional(v.boolean(), true),
  /** Tokens for the SCIM API of the group. */
  scimTokens: v.optional(v.array(Token), []),
  /** Accounts of users at the identity provider. */
  identities: v.optional(v.array(Identity), []),
})

/** Does not add members to the group. */
async function seedSingleSignOn(
  seeder: Seeder,
  group: number,
  { provider, enabled, scimTokens, identities }: v.InferOutput<typeof SingleSignOn>,
): Promise<void> {
  const { sso } = seeder.asHost()
  await sso.enable({ group, ...(provider !== undefined && { provider }) })
  for (const { secret } of scimTokens) await sso.createToken({ group, secret })
  for (const { user, externUid: externalUid, provisioned } of identities) {
    await sso.linkIdentity({ group, user, externalUid, provisioned })
  }
  if (!enabled) await sso.disable({ group })
}

/** The sections of a group, in seeding order. */
const groupSections = [
  ...sharedSections,
  invitationsSection,
  accessTokensSection,
  deployTokensSection,
  ciVariablesSection,
  badgesSection,
  boardsSection,
  wikiPagesSection,
  epicsSection,
] as const

const Group = v.strictObject({
  /** The full path. Parent groups must precede their subgroups. */
  path: v.string(),
  name: v.optional(v.string()),
  /** Text in Markdown. */
  description: v.optional(v.string()),
  visibility: Visibility,
  requestAccessEnabled: v.optional(v.boolean()),
  /** URL of the picture. */
  avatarUrl: v.optional(v.string()),
  shareWithGroupLock: v.optional(v.boolean()),
  projectCreationLevel: v.optional(v.picklist(projectCreationLevels)),
  subgroupCreationLevel: v.optional(v.picklist(['owner', 'maintainer'])),
  /** Settings by name; validated by the operation. */
  settings: Settings,
  /** Archived after its projects are created. */
  archived: v.optional(v.boolean(), false),
  createdAt: Timestamp,
  /** Single sign-on with SAML, and SCIM. */
  sso: v.optional(SingleSignOn),
  /** The rule that pushes to new projects must comply with. */
  pushRule: v.optional(PushRule),
  ...sectionFields(groupSections),
})

/** Groups with their content. Parent groups precede their subgroups. */
export const groupsSection = defineSection(
  'groups',
  Group,
  async (seeder, { path: fullPath, createdAt, archived: _afterProjects, ...fields }) => {
    const lastSlash = fullPath.lastIndexOf('/')
    const path = fullPath.slice(lastSlash + 1)
    const { name = path, description, visibility, requestAccessEnabled, avatarUrl, settings } = fields
    const { shareWithGroupLock, projectCreationLevel, subgroupCreationLevel } = fields
    const details = {
      name,
      description,
      visibility,
      avatarUrl,
      projectCreationLevel,
      subgroupCreationLevel,
      ...(settings && { settings: settings }),
    }
    const { groups } = seeder.asHost(createdAt)
    const parentPath = lastSlash > 0 ? fullPath.slice(0, lastSlash) : undefined
    const { item: group, isNew } = await getOrCreate(
      seeder,
      () => groups.get({ group: fullPath, withProjects: false }),
      () =>
        groups.create({
          parent: parentPath,
          path,
          ...details,
          visibility: visibility ?? seeder.neededVisibility(fullPath),
        }),
      ({ id }) => groups.update({ group: id, ...details }),
    )
    seeder.record('groups', fullPath, { id: group.id, path: group.fullPath })
    if (fields.sso && isNew) await seedSingleSignOn(seeder, group.id, fields.sso)
    const parent = { group: group.id, path: fullPath, isNew }
    if (isNew || seeder.existing === 'update') await seedPushRule(seeder, parent, fields.pushRule)
    await seedSections(seeder, groupSections, fields, parent)
    // Applied after access requests and shares, which they could prevent.
    const isChangeable = isNew || seeder.existing === 'update'
    if (isChangeable && (requestAccessEnabled !== undefined || shareWithGroupLock !== undefined)) {
      await groups.update({ group: group.id, requestAccessEnabled, shareWithGroupLock })
    }
  },
)

/** Archives groups, after their projects were created. */
export async function archiveGroups(
  seeder: Seeder,
  items: readonly { readonly path: string; readonly archived: boolean }[],
): Promise<void> {
  const { groups } = seeder.asHost()
  for (const { path } of items.filter(({ archived }) => archived)) {
    const { archived } = await groups.get({ group: path, withProjects: false })
    if (!archived) await groups.archive({ group: path })
  }
}
