import * as v from 'valibot'
import { accessTokenScopes } from '../features/spaces/access-tokens/access-token.ts'
import { DateOnly, Instant } from '../kernel/inputs.ts'
import { deployTokenScopes } from '../kernel/scopes.ts'
import { namedIn } from './identity.ts'
import { type SectionParent, toParentInput } from './section-parent.ts'
import { AccessLevel, defineSection, type Seeder, Timestamp } from './seeder.ts'

const AccessToken = v.strictObject({
  name: v.string(),
  /** A fixed secret, for the configuration of tests and clients. Default: a random one, which nothing shows. */
  secret: v.optional(v.string()),
  scopes: v.optional(v.array(v.picklist(accessTokenScopes)), ['api']),
  /** Level of the bot user. Default: maintainer. */
  access: v.optional(AccessLevel),
  /** First day on which the token is invalid, such as `2026-11-21`. Default: it does not expire. */
  expiresAt: v.optional(DateOnly),
  createdAt: Timestamp,
})

/** Access tokens of the project or group, each with a bot user. */
export const accessTokensSection = defineSection(
  'accessTokens',
  AccessToken,
  async (seeder: Seeder, { access: accessLevel, createdAt, ...fields }, parent: SectionParent) => {
    const { accessTokens } = seeder.asHost(createdAt)
    const { id, userId } = await accessTokens.create({ ...toParentInput(parent), ...fields, accessLevel })
    seeder.record('accessTokens', `${parent.path} ${fields.name}`, { id, userId })
  },
  namedIn(
    (host) => host.accessTokens,
    ({ name }) => name,
  ),
)

const DeployToken = v.strictObject({
  name: v.string(),
  /** User name of clients. Default: `gitlab+deploy-token-` and the id. */
  username: v.optional(v.string()),
  /** A fixed secret, for the configuration of tests and clients. Default: a random one, which nothing shows. */
  secret: v.optional(v.string()),
  scopes: v.optional(v.array(v.picklist(deployTokenScopes)), ['read_repository']),
  /** Time from which the token is invalid; ISO 8601, UTC without an offset. Default: it does not expire. */
  expiresAt: v.optional(Instant),
  createdAt: Timestamp,
})

/** Deploy tokens of the project or group. */
export const deployTokensSection = defineSection(
  'deployTokens',
  DeployToken,
  async (seeder: Seeder, { createdAt, ...fields }, parent: SectionParent) => {
    const { deployTokens } = seeder.asHost(createdAt)
    const { id, username } = await deployTokens.create({ ...toParentInput(parent), ...fields })
    seeder.record('deployTokens', `${parent.path} ${fields.name}`, { id, username })
  },
  namedIn(
    (host) => host.deployTokens,
    ({ name }) => name,
  ),
)
