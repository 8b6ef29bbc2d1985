import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { command, query } from '../../../kernel/operation.ts'
import { digestNewSecret } from '../../accounts/tokens/rows.ts'
import { generateTokenSecret } from '../../accounts/tokens/token.ts'
import { matchesName } from '../../code/protected-references/reference-names.ts'
import type { ClientFeature, ClientFeatures, ClientStrategy, FeatureFlag, FeatureFlagsClient } from './feature-flag.ts'
import { completeFlags, selectFlags } from './queries.ts'
import { featureFlagsClient } from './subject.ts'

const toClientStrategy = ({ name, parameters, userList }: FeatureFlag['strategies'][number]): ClientStrategy =>
  name === 'gitlabUserList'
    ? { name: 'userWithId', parameters: { userIds: userList?.userXids ?? '' } }
    : { name, parameters }

/** A flag without a strategy for the environment is left out: for clients, a flag without strategies is on for everyone. */
const toClientFeature = (flag: FeatureFlag, environment: string): ClientFeature[] => {
  const strategies = flag.strategies.filter(({ scopes }) =>
    scopes.some(({ environmentScope }) => matchesName(environmentScope, environment)),
  )
  const { name, description, active: enabled } = flag
  return strategies.length
    ? [{ name, description: description ?? '', enabled, strategies: strategies.map(toClientStrategy) }]
    : []
}

/** What applications call to read feature flags, in the notation of Unleash. */
export const featureFlagClients = {
  /**
   * Gets the feature flags of a project for an application. Callers need a token of `rotateClientToken` and no other identity.
   *
   * @throws PlatformError `unauthenticated` for an unknown token
   */
  getClientFeatures: query({
    on: featureFlagsClient,
    can: 'featureFlag.evaluate',
    input: {
      /** Name of the application, which is that of its environment: 1 to 255 characters. Without it, there are no flags. */
      appName: v.optional(v.pipe(v.string(), v.maxLength(255)), ''),
    },
    async run(ctx, { appName }, { project }): Promise<ClientFeatures> {
      if (appName === '') return { version: 1, features: [] }
      const flags = await completeFlags(ctx, await selectFlags(ctx, project.id).orderBy('id').execute())
      return { version: 1, features: flags.flatMap((flag) => toClientFeature(flag, appName)) }
    },
  }),

  /**
   * Checks the token of an application. Applications also send their name and how often they used flags; nothing of it is stored.
   *
   * @throws PlatformError `unauthenticated` for an unknown token
   */
  checkClient: query({
    on: featureFlagsClient,
    can: 'featureFlag.evaluate',
    allowsReadScope: false,
    input: {},
    run: async () => ({}),
  }),

  /** Creates the token with which applications read the feature flags of a project. An earlier one becomes invalid. */
  rotateClientToken: command({
    on: project,
    can: 'featureFlag.manageClients',
    serializes: 'project',
    input: {
      /**
       * The token itself, 1 to 255 printable ASCII characters without blanks, for tests. Default: 160 random bits, prefixed with
       * `fgffct-`.
       */
      secret: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(255))),
    },
    async run(ctx, { secret }, { project: { id: projectId } }): Promise<FeatureFlagsClient> {
      const token = secret ?? generateTokenSecret(ctx.ports.random, 'fgffct')
      const digest = await digestNewSecret(ctx, token)
      await ctx.db
        .insertInto('featureFlagsClient')
        .values({ projectId, digest } satisfies CompleteRow<'featureFlagsClient'>)
        .onConflict((conflict) => conflict.column('projectId').doUpdateSet({ digest }))
        .execute()
      return { token }
    },
  }),
}
