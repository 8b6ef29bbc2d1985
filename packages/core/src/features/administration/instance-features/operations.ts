import * as v from 'valibot'
import { instance } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, paginateArray, pagingEntries } from '../../../kernel/paging.ts'
import { resolveActors } from './actors.ts'
import { type FeatureState, offState, switchState, toFeature } from './gates.ts'
import type { FeatureDefinition, InstanceFeature } from './instance-feature.ts'

const maxTargets = 1_000

const Names = v.optional(v.pipe(v.array(v.pipe(v.string(), v.nonEmpty(), v.maxLength(1_024))), v.maxLength(100)), [])

const nameInput = {
  /** Name of the feature: 1 to 255 letters, digits, `_`, `-` and `.`. */
  name: v.pipe(v.string(), v.regex(/^[\w.-]{1,255}$/, 'is invalid')),
}

const columns = ['name', 'enabled', 'percentageOfActors', 'percentageOfTime', 'actors', 'featureGroups'] as const

const selectFeatures = (ctx: Context) => ctx.db.selectFrom('instanceFeature').select(columns)

const storeState = async (ctx: Context, name: string, isNew: boolean, state: FeatureState): Promise<void> => {
  if (isNew) {
    await ctx.db
      .insertInto('instanceFeature')
      .values({ name, ...state, createdAt: ctx.now } satisfies CompleteRow<'instanceFeature'>)
      .execute()
  } else await ctx.db.updateTable('instanceFeature').set(state).where('name', '=', name).execute()
}

export const instanceFeatures = {
  /** Lists the feature flags of the instance that were set, by name. */
  list: query({
    on: instance,
    can: 'instanceFeature.manage',
    input: pagingEntries,
    run: (ctx, paging) => paginate(selectFeatures(ctx).orderBy('name'), paging, toFeature),
  }),

  /** Lists the features that the platform ships with: none. */
  listDefinitions: query({
    on: instance,
    can: 'instanceFeature.manage',
    input: pagingEntries,
    run: async (_ctx, paging): Promise<Page<FeatureDefinition>> => paginateArray([], paging),
  }),

  /**
   * Sets a feature flag of the instance, which is created if it does not exist. It is data for clients and has no effect on the
   * platform.
   *
   * @throws PlatformError `invalid` for an unknown user, group, namespace or project, and for a percentage of targets
   */
  set: command({
    on: instance,
    can: 'instanceFeature.manage',
    input: {
      ...nameInput,
      /** Whether it is on, or a percentage from 0 to 100. */
      value: v.union([
        v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(100)),
        v.boolean(),
        v.picklist(['true', 'false']),
      ]),
      /** What a percentage is of. */
      key: v.optional(v.picklist(['percentage_of_actors', 'percentage_of_time']), 'percentage_of_time'),
      /** Name of a group of actors that clients define, at most 255 characters. */
      featureGroup: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))),
      /** Usernames; at most 100. */
      user: Names,
      /** Full paths of groups; at most 100. */
      group: Names,
      /** Full paths of groups and personal namespaces; at most 100. */
      namespace: Names,
      /** Full paths of projects; at most 100. */
      project: Names,
      /** Full paths of projects, with or without `.git`; at most 100. */
      repository: Names,
      /** Accepted because clients send it: features need no definition. */
      force: v.optional(v.boolean()),
    },
    async run(ctx, { name, value, key, featureGroup, force: _force, ...actorNames }): Promise<InstanceFeature> {
      const targets = {
        actors: await resolveActors(ctx, actorNames),
        featureGroups: featureGroup === undefined ? [] : [featureGroup],
      }
      const row = await selectFeatures(ctx).where('name', '=', name).executeTakeFirst()
      const { name: _name, ...before } = row ?? { ...offState, name }
      let state: FeatureState
      if (typeof value === 'number') {
        if (targets.actors.length || targets.featureGroups.length)
          throw invalid('A percentage cannot be set for users, groups, projects and feature groups')
        const percentage = key === 'percentage_of_time' ? { percentageOfTime: value } : { percentageOfActors: value }
        state = { ...before, ...percentage }
      } else state = switchState(before, value === true || value === 'true', targets)
      if (state.actors.length > maxTargets || state.featureGroups.length > maxTargets)
        throw invalid(`A feature has at most ${maxTargets} actors and feature groups`)
      await storeState(ctx, name, row === undefined, state)
      return toFeature({ name, ...state })
    },
  }),

  /** Removes a feature flag of the instance; succeeds also if there is none. */
  remove: command({
    on: instance,
    can: 'instanceFeature.manage',
    input: nameInput,
    async run(ctx, { name }) {
      await ctx.db.deleteFrom('instanceFeature').where('name', '=', name).execute()
    },
  }),
}
