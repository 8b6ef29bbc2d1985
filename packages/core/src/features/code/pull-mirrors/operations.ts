import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Deferred } from '../../../kernel/deferred.ts'
import { invalid } from '../../../kernel/errors.ts'
import { atLeastOne } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { keysOf } from '../../../shared/keys-of.ts'
import { afterUrlCheck, parseImportUrl } from '../../spaces/projects/import-source.ts'
import {
  changePullMirror,
  findPullMirror,
  type PullMirrorChange,
  pullMirrorOptions,
  requestPull,
} from '../../spaces/projects/pull-mirror.ts'
import type { PullMirror } from '../../spaces/projects/pull-mirror-record.ts'

const getPullMirror = async (ctx: Context, projectId: number): Promise<PullMirror> => {
  const mirror = await findPullMirror(ctx, projectId)
  if (mirror === undefined) throw invalid('The project is not mirrored')
  return mirror
}

/** Repositories from which projects are updated. */
export const pullMirrors = {
  /** Gets the repository from which a project is updated. Fails with `invalid` for a project without one. */
  get: query({
    on: project,
    can: 'mirror.manage',
    run: (ctx, _input, { project }) => getPullMirror(ctx, project.id),
  }),

  /**
   * Changes the repository from which a project is updated. Turning it on, and a new address, has a job update the project. User and
   * password are stored encrypted and never returned.
   *
   * @throws PlatformError `invalid` for a mirror without an address
   */
  update: command({
    on: project,
    can: 'mirror.manage',
    input: {
      /** Whether the project is updated. */
      enabled: v.optional(v.boolean()),
      /** Address with the scheme `https`, `http`, `ssh` or `git`, at most 2,048 characters. It may contain a user name and password. */
      url: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(2_048))),
      /** User name for the address, at most 255 characters. Requires `url`. */
      authUser: v.optional(v.pipe(v.string(), v.maxLength(255))),
      /** Password or token for the address, at most 2,048 characters. Requires `url`. */
      authPassword: v.optional(v.pipe(v.string(), v.maxLength(2_048))),
      ...pullMirrorOptions,
    },
    rules: [
      atLeastOne('enabled', 'url', ...keysOf(pullMirrorOptions)),
      ({ url, authUser, authPassword }) =>
        url === undefined && (authUser ?? authPassword) !== undefined
          ? { fields: ['url'], message: 'is missing' }
          : undefined,
    ],
    async run(
      ctx,
      { url, authUser, authPassword, enabled, ...options },
      subject,
    ): Promise<PullMirror | Deferred<PullMirror>> {
      const { id } = subject.project
      const change = async (ctx: Context, change: PullMirrorChange) => {
        await changePullMirror(ctx, subject.project, change)
        return getPullMirror(ctx, id)
      }
      const changes = { ...options, mirror: enabled }
      if (url === undefined) return change(ctx, changes)
      const parsed = await parseImportUrl(ctx, url)
      const importUrl = { ...parsed, user: authUser ?? parsed.user, password: authPassword ?? parsed.password }
      return afterUrlCheck(ctx, importUrl, (ctx) => change(ctx, { ...changes, importUrl }), 'url')
    },
  }),

  /** Has a job update a project from the repository that it mirrors, also after failures. Fails with `invalid` if it mirrors none. */
  sync: command({
    on: project,
    can: 'mirror.manage',
    async run(ctx, _input, { project }): Promise<PullMirror> {
      if (!(await getPullMirror(ctx, project.id)).enabled) throw invalid('The project is not mirrored')
      await requestPull(ctx, project.id)
      return getPullMirror(ctx, project.id)
    },
  }),
}
