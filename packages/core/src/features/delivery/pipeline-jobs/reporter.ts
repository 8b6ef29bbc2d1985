import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden, notFound } from '../../../kernel/errors.ts'
import { Id, IdOrName, mutuallyExclusive } from '../../../kernel/inputs.ts'
import type { SubjectLoader } from '../../../kernel/operation.ts'
import { findRunningJob } from './job-token.ts'

/** The job whose token authenticates the call. @throws PlatformError `not_found` for other callers */
const getJobOfActor = ({ actor }: Context) => {
  const job = actor.kind === 'user' ? actor.job : undefined
  if (job === undefined) throw notFound('Job')
  return job
}

/** The project of the job that authenticates the call with its token. */
export const projectOfJob: SubjectLoader<'project', Record<never, never>> = {
  kinds: ['project'],
  entries: {},
  load: (ctx) => project.load(ctx, { project: getJobOfActor(ctx).projectId }),
}

const projectEntry = {
  /** Id (number) or full path (string, case-insensitive) of the project. Default: that of the job whose token authenticates the call. */
  project: v.optional(IdOrName),
}

/** A project; by default that of the job that authenticates the call with its token. */
export const projectOrJob: SubjectLoader<'project', typeof projectEntry> = {
  kinds: ['project'],
  entries: projectEntry,
  load: (ctx, { project: reference }) => project.load(ctx, { project: reference ?? getJobOfActor(ctx).projectId }),
}

const reporterEntries = {
  /** Id of the job. */
  job: Id,
  /** Id (number) or full path (string, case-insensitive) of the project. Runners omit it: the token of their job selects it. */
  project: v.optional(IdOrName),
  /** Token of the job, for runners. Default: the one that authenticates the call. */
  token: v.optional(v.pipe(v.string(), v.maxLength(255))),
}

/** A job whose results the host reports, or the runner that has its token. */
export const reportedJob: SubjectLoader<'project' | 'runningJob', typeof reporterEntries> = {
  kinds: ['project', 'runningJob'],
  entries: reporterEntries,
  rules: [mutuallyExclusive('project', 'token')],
  kindOf: ({ project }) => (project === undefined ? 'runningJob' : 'project'),
  async load(ctx, { job, project: reference, token }) {
    if (reference !== undefined) return project.load(ctx, { project: reference })
    const own = token === undefined ? getJobOfActor(ctx) : await findRunningJob(ctx, token)
    if (own.id !== job) throw forbidden('The token is of another job')
    return { ...(await project.load(ctx, { project: own.projectId })), kind: 'runningJob', jobId: own.id }
  },
}
