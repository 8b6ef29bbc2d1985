import type { ObjectEntries } from 'valibot'
import type { Subjects } from '../contract/subjects.ts'
import type { Actor } from '../kernel/actor.ts'
import type { Context } from '../kernel/context.ts'
import { isPlatformError, notFound } from '../kernel/errors.ts'
import type { EntriesOutput, SubjectLoader } from '../kernel/operation.ts'
import { both, type Rule } from './rule.ts'
import {
  anyone,
  epicReaders,
  groupReaders,
  issueReaders,
  mergeRequestReaders,
  namespaceReaders,
  notArchived,
  noteReaders,
  projectReaders,
  scimTokens,
  snippetAuthor,
  snippetReaders,
  triggerTokens,
} from './rules.ts'

/** Who may know that a subject exists. All other callers receive the same `not_found` error as for a missing subject. */
const visibilityRules: { readonly [K in keyof Subjects]: Rule<Subjects[K]> } = {
  instance: anyone,
  currentUser: anyone,
  user: anyone,
  namespace: namespaceReaders,
  group: groupReaders,
  project: projectReaders,
  milestone: projectReaders,
  issue: issueReaders,
  mergeRequest: mergeRequestReaders,
  snippet: snippetReaders,
  ownSnippet: both(snippetReaders, snippetAuthor),
  scimGroup: scimTokens,
  wiki: projectReaders,
  groupWiki: groupReaders,
  registry: projectReaders,
  commit: projectReaders,
  commitComment: projectReaders,
  pipelineSchedule: projectReaders,
  // A token that can do nothing is like none.
  pipelineTrigger: both<Subjects['pipelineTrigger']>(triggerTokens, notArchived),
  // Everybody may know which ids are in use.
  runner: anyone,
  runningJob: anyone,
  featureFlagsClient: anyone,
  errorClient: anyone,
  epic: epicReaders,
  note: noteReaders,
}

/** The names of missing or invisible subjects in error messages. Kinds without a name receive a plain "not found". */
export const subjectNames: { readonly [K in keyof Subjects]?: string } = {
  namespace: 'Namespace',
  group: 'Group',
  project: 'Project',
  milestone: 'Project',
  snippet: 'Snippet',
  ownSnippet: 'Snippet',
  scimGroup: 'Group',
  wiki: 'Project',
  groupWiki: 'Group',
  registry: 'Project',
}

/** Whether the actor may know that the subject exists. */
export const isVisibleTo = (actor: Actor, subject: Subjects[keyof Subjects]): boolean =>
  (visibilityRules[subject.kind] as Rule<unknown>).allows(actor, subject)

/** @throws PlatformError `not_found` if the actor may not know that the subject exists */
export const assertVisible = (actor: Actor, subject: Subjects[keyof Subjects]): void => {
  if (!isVisibleTo(actor, subject)) throw notFound(subjectNames[subject.kind])
}

/**
 * Loads a part of the subject of an operation.
 *
 * @throws PlatformError `not_found` if it is missing or the actor may not know that it exists
 */
export const loadPart = async <K extends keyof Subjects, E extends ObjectEntries, G>(
  ctx: Context,
  loader: SubjectLoader<K, E, G>,
  reference: EntriesOutput<E>,
): Promise<Subjects[K]> => {
  const subject = await loader.load(ctx, reference)
  assertVisible(ctx.actor, subject)
  return subject
}

/**
 * Loads a subject that an operation names in its input, in addition to its own.
 *
 * @throws PlatformError `not_found` if it is missing or the actor may not know that it exists
 */
export const loadVisible = async <K extends keyof Subjects, E extends ObjectEntries, G>(
  ctx: Context,
  loader: SubjectLoader<K, E, G>,
  reference: EntriesOutput<E>,
): Promise<Subjects[K]> => {
  const subject = await loadPart(ctx, loader, reference)
  try {
    await ctx.assertAuthorized(subject)
  } catch (error) {
    throw isPlatformError(error) ? notFound(subjectNames[subject.kind]) : error
  }
  return subject
}

/** The same, but undefined instead of an error. */
export const loadIfVisible = async <K extends keyof Subjects, E extends ObjectEntries, G>(
  ctx: Context,
  loader: SubjectLoader<K, E, G>,
  reference: EntriesOutput<E>,
): Promise<Subjects[K] | undefined> => {
  try {
    return await loadVisible(ctx, loader, reference)
  } catch (error) {
    if (isPlatformError(error) && error.code === 'not_found') return undefined
    throw error
  }
}
