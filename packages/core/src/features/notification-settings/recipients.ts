import type { Person } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import type { Noteable } from '../../policy.ts'
import { toUserSummary, type UserSummary } from '../accounts/user.ts'
import { reaches } from '../notes/mentioned.ts'
import { settingsInForce as platformSettings } from '../settings/queries.ts'
import type { TodoTarget } from '../todos/target.ts'
import { type Candidates, candidatesFor, type Reason, reasons } from './candidates.ts'
import { settingsInForce } from './levels.ts'
import { asksFor, type EmailEvent } from './notification-setting.ts'
import { addressesOf, type StoredSetting } from './queries.ts'

/** Somebody who is to be told of a fact. */
export interface Recipient {
  user: UserSummary
  /** Where mail goes. */
  email: string
  /** What ties them to it, the strongest tie of several; `custom` for those whose own choice of kinds includes it. */
  reason: Reason | 'custom'
}

/** A fact about an issue, a merge request or an epic. */
export interface NotifiedFact {
  readonly event: EmailEvent
  readonly found: TodoTarget
  /** Users whom its text mentions. */
  readonly mentioned: readonly number[]
  /** Whoever did it is not told; null when it was nobody. */
  readonly actorId: number | null
}

/** Why a user with these ties is told at their level; undefined when they are not. */
export const reasonFor = (
  ties: ReadonlySet<Reason>,
  { level, events }: Pick<StoredSetting, 'level' | 'events'>,
  event: EmailEvent,
): Recipient['reason'] | undefined => {
  const strongest = reasons.find((reason) => reason !== 'watching' && ties.has(reason))
  switch (level) {
    case 'disabled':
      return undefined
    case 'mention':
      return ties.has('mentioned') ? 'mentioned' : undefined
    case 'watch':
      return strongest ?? 'watching'
    case 'custom':
      return strongest ?? (asksFor(events, event) ? 'custom' : undefined)
    case 'participating':
    case 'global':
      return strongest
  }
}

/** People in one query: databases bound the number of parameters. */
const batch = 500

const peopleIn = async (ctx: Context, candidates: Candidates, actorId: number | null) => {
  const ids = [...candidates.keys()].filter((id) => id !== actorId).sort((a, b) => a - b)
  const summary = toUserSummary(await platformSettings(ctx))
  const people: { person: Person; summary: UserSummary }[] = []
  for (let start = 0; start < ids.length; start += batch) {
    const rows = await ctx.db
      .selectFrom('user')
      .where('id', 'in', ids.slice(start, start + batch))
      .where('state', '=', 'active')
      .orderBy('id')
      .select(['id', 'username', 'name', 'email', 'state', 'avatarUrl', 'admin', 'external'])
      .execute()
    for (const row of rows) {
      const { id, username, name, admin, external } = row
      const person: Person = { kind: 'user', id, username, name, admin, external, scopes: null }
      people.push({ person, summary: summary(row) })
    }
  }
  return people
}

/** Where a user's mail goes: the chosen address while it is theirs, else their own. */
export async function addressFor(ctx: Context, userId: number, chosen: string | null): Promise<string> {
  const addresses = await addressesOf(ctx, userId)
  return addresses.find((email) => email === chosen) ?? (addresses[0] as string)
}

/** Who would be told of a fact, by user id: only those who can read what it is about, and never whoever did it. */
export async function recipientsOf(ctx: Context, fact: NotifiedFact): Promise<Recipient[]> {
  const { event, found, mentioned, actorId } = fact
  const candidates = await candidatesFor(ctx, found, mentioned)
  const people = await peopleIn(ctx, candidates, actorId)
  const place =
    found.kind === 'epic'
      ? { projectId: null, namespaceId: found.group.id }
      : { projectId: found.project.id, namespaceId: found.project.namespaceId }
  const inForce = await settingsInForce(
    ctx,
    place,
    people.map(({ person }) => person.id),
  )
  const told: Recipient[] = []
  for (const { person, summary } of people) {
    const { setting, email } = inForce.get(person.id) as { setting: StoredSetting; email: string | null }
    const reason = reasonFor(candidates.get(person.id) as Set<Reason>, setting, event)
    if (reason === undefined || !(await reaches(ctx, found as Noteable, person))) continue
    told.push({ user: summary, email: await addressFor(ctx, person.id, email), reason })
  }
  return told
}
