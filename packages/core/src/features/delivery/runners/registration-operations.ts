import * as v from 'valibot'
import { instance, place } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { conflict, forbidden } from '../../../kernel/errors.ts'
import { command } from '../../../kernel/operation.ts'
import { findPlaceByToken, insertRunner, replaceToken, toRunnerPlace } from './registration.ts'
import { runnerTypes } from './runner.ts'
import { RunnerInfo, runnerSettingsInput } from './settings.ts'
import { runnerByIdOrToken } from './subject.ts'

const secretInput = {
  /** The token itself, 1 to 255 printable ASCII characters without blanks, for tests. Default: a random one. */
  secret: v.optional(v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,255}$/))),
}

/** The part of `runners` for their registration and tokens. */
export const runnerRegistration = {
  /** Creates a runner of a project, a group or the instance. Only the result contains its token. */
  create: command({
    on: place,
    can: 'runner.manage',
    scopes: ['create_runner'],
    serializes: 'instance',
    input: {
      /** The type that follows from the place, for callers that state it. */
      runnerType: v.optional(v.picklist(runnerTypes)),
      ...runnerSettingsInput,
      ...secretInput,
    },
    rules: [
      ({ runnerType, project, group }) => {
        const field = runnerType === 'project_type' ? 'project' : 'group'
        if (runnerType === 'project_type' && project === undefined) return { fields: [field], message: 'is missing' }
        if (runnerType === 'group_type' && group === undefined) return { fields: [field], message: 'is missing' }
        return runnerType === 'instance_type' && (project ?? group) !== undefined
          ? { fields: ['runnerType'], message: 'does not fit the project or group' }
          : undefined
      },
    ],
    run: (ctx, { runnerType: _, ...settings }, subject) => insertRunner(ctx, toRunnerPlace(subject), settings),
  }),

  /**
   * Registers a runner with the registration token of a project, a group or the instance. Callers need no other identity.
   *
   * @throws PlatformError `forbidden` for an unknown token
   */
  register: command({
    on: instance,
    can: 'runner.register',
    input: {
      /** Registration token: of a project or group from its details, of the instance from `runners.resetRegistrationToken`. */
      registrationToken: v.pipe(v.string(), v.nonEmpty(), v.maxLength(255)),
      /** What the runner says about itself: `name`, `version`, `revision`, `platform`, `architecture`. */
      info: RunnerInfo,
      ...runnerSettingsInput,
    },
    async run(ctx, { registrationToken, ...settings }) {
      const place = await findPlaceByToken(ctx, registrationToken)
      if (place === undefined) throw forbidden('invalid token supplied')
      return insertRunner(ctx, place, settings)
    },
  }),

  /** Replaces the registration token of a project, a group or the instance, which has none before. */
  resetRegistrationToken: command({
    on: place,
    can: 'runner.manage',
    serializes: 'instance',
    input: secretInput,
    async run(ctx, { secret }, subject) {
      const token = secret ?? Buffer.from(ctx.ports.random.bytes(20)).toString('base64url')
      if (await findPlaceByToken(ctx, token)) throw conflict('This secret belongs to another token')
      const { projectId, groupId } = toRunnerPlace(subject)
      if (projectId === null) {
        const others = ctx.db.deleteFrom('runnersToken')
        await others.where('groupId', groupId === null ? 'is' : '=', groupId).execute()
        await ctx.db
          .insertInto('runnersToken')
          .values({ groupId, token } satisfies CompleteRow<'runnersToken'>)
          .execute()
      } else {
        await ctx.db.updateTable('project').set({ runnersToken: token }).where('id', '=', projectId).execute()
      }
      return {
        /** The new registration token. */
        token,
        /** Always null: registration tokens do not expire. */
        tokenExpiresAt: null,
      }
    },
  }),

  /** Replaces the authentication token of a runner, which its id or its token identifies. */
  rotateToken: command({
    on: runnerByIdOrToken,
    can: 'runner.rotateToken',
    scopes: ['manage_runner'],
    serializes: 'instance',
    run: (ctx, _input, { runner }) => replaceToken(ctx, runner),
  }),
}
