import type { FakeForge, Seed } from '@forgelet/fixtures'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reportFigures } from '../figures.ts'
import { dialect, world } from '../world.ts'
import { checkModel, expectOutcome, type ModelRun } from './check-model.ts'
import {
  createRecipientsModel,
  type Item,
  items,
  type Level,
  type Question,
  type Reason,
  type Scope,
  scopes,
  type User,
  users,
} from './recipients-model.ts'

/** Random members, settings, subscriptions and participants, and the recipients of random events according to a model. */

const project = 'top/sub/app'
const places = { top: { group: 'top' }, sub: { group: 'top/sub' }, app: { project } } as const
type Place = keyof typeof places
const placeNames = ['top', 'sub', 'app'] as const

const seed: Seed = {
  users: users.map((username) => ({ username })),
  groups: [
    { path: 'top', visibility: 'public' },
    { path: 'top/sub', visibility: 'public' },
  ],
  projects: [
    {
      path: project,
      visibility: 'public',
      labels: [
        { name: 'bug', color: '#ff0000' },
        { name: 'ops', color: '#00ff00' },
      ],
      issues: [
        { title: 'Open', author: 'ann', labels: ['bug', 'ops'] },
        { title: 'Secret', author: 'ben', labels: ['bug'], confidential: true },
      ],
      mergeRequests: [{ title: 'Change', author: 'cat', sourceBranch: 'change', labels: ['ops'] }],
    },
  ],
}

const user = fc.constantFrom(...users)
const item = fc.constantFrom(...items)
const place = fc.constantFrom(...placeNames)
const someUsers = fc.uniqueArray(user, { maxLength: 2 })
const level = fc.constantFrom<Level>('disabled', 'mention', 'participating', 'watch', 'custom', 'global')
const eventsOf = (item: Item) =>
  item === 'change'
    ? (['newMergeRequest', 'newNote', 'relabel', 'pushToMergeRequest'] as const)
    : (['newIssue', 'newNote', 'closeIssue', 'relabel', 'issueDue'] as const)
const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary })
/** Without e-mails there is nothing to compare. */
const rarely = fc.integer({ min: 0, max: 5 }).map((number) => number === 0)
const command = fc.oneof(
  weighted(
    4,
    fc.record({ kind: fc.constant('member' as const), user, place, level: fc.constantFrom(0, 10, 20, 30, 40) }),
  ),
  weighted(
    6,
    fc.record({
      kind: fc.constant('setting' as const),
      user,
      scope: fc.constantFrom<Scope>(...scopes),
      level,
      newNote: fc.boolean(),
      newIssue: fc.boolean(),
    }),
  ),
  weighted(6, fc.record({ kind: fc.constant('subscribe' as const), user, item, subscribed: fc.boolean() })),
  weighted(
    3,
    fc.record({
      kind: fc.constant('label' as const),
      user,
      label: fc.constantFrom('bug' as const, 'ops' as const),
      subscribed: fc.boolean(),
    }),
  ),
  weighted(2, fc.record({ kind: fc.constant('assign' as const), item, assignees: someUsers })),
  weighted(1, fc.record({ kind: fc.constant('review' as const), reviewers: someUsers })),
  weighted(3, fc.record({ kind: fc.constant('comment' as const), user, item, internal: fc.boolean() })),
  weighted(
    1,
    fc.record({
      kind: fc.constant('visibility' as const),
      to: fc.constantFrom('private' as const, 'internal' as const, 'public' as const),
    }),
  ),
  weighted(
    1,
    fc.record({
      kind: fc.constant('access' as const),
      of: fc.constantFrom('issue', 'mergeRequest'),
      members: fc.boolean(),
    }),
  ),
  weighted(1, fc.record({ kind: fc.constant('emails' as const), place, disabled: rarely })),
  weighted(
    1,
    fc.record({
      kind: fc.constant('mentions' as const),
      group: fc.constantFrom('top' as const, 'sub' as const),
      disabled: fc.boolean(),
    }),
  ),
  weighted(1, fc.record({ kind: fc.constant('block' as const), user, blocked: rarely })),
  weighted(
    16,
    fc.record({
      kind: fc.constant('ask' as const),
      item,
      pick: fc.nat(5),
      mentioned: someUsers,
      group: fc.option(fc.constantFrom('top' as const, 'sub' as const), { nil: undefined }),
      labels: fc.option(fc.constantFrom<readonly string[]>(['bug'], ['ops'], ['bug', 'ops']), { nil: undefined }),
      actor: fc.option(user, { nil: undefined }),
      useNote: fc.boolean(),
    }),
  ),
)
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never

const refs = {
  open: { project, issue: 1 },
  secret: { project, issue: 2 },
  change: { project, mergeRequest: 1 },
} as const satisfies Record<Item, object>

let forge: FakeForge
/** The ids of the users. */
let ids: ReadonlyMap<string, number>
/** Reasons of the notifications since the last command, by the id of the user. */
const notified = new Map<number, string>()
const figures = {
  questions: 0,
  notifications: 0,
  recipients: 0,
  'of them subscribed': 0,
  'unsubscribed and left out': 0,
}
beforeAll(async () => {
  forge = await world({ seed, ports: { mail: { from: 'forge@example.com', send: async () => undefined } } })
  forge.platform.on('notification.created', ({ notification: { userId, reason } }) => void notified.set(userId, reason))
})
afterAll(() => forge.close())

const createRun = () => {
  const model = createRecipientsModel()
  /** The last note of each item. */
  const notes = new Map<Item, { readonly id: number; readonly author: User; readonly internal: boolean }>()

  const setMember = async ({ user, place, level }: { user: User; place: Place; level: number }) => {
    const before = model.members[place].get(user) ?? 0
    const { members } = forge.host
    const target = { ...places[place], user }
    if (level === 0) {
      if (before === 0) return false
      await members.remove(target)
      // Also from everything below.
      for (const below of placeNames.slice(placeNames.indexOf(place))) model.members[below].delete(user)
      return true
    }
    const above = placeNames.slice(0, placeNames.indexOf(place))
    const inherited = Math.max(0, ...above.map((one) => model.members[one].get(user) ?? 0))
    const call: Promise<unknown> = before
      ? members.update({ ...target, accessLevel: level })
      : members.add({ ...places[place], users: [user], accessLevel: level })
    const code = level < inherited ? 'invalid' : undefined
    if (!(await expectOutcome(call, code, `${user} at ${level} in ${place}, inherited ${inherited}`))) return false
    model.members[place].set(user, level)
    return true
  }

  const setSetting = async (sent: Extract<Command, { kind: 'setting' }>) => {
    const { notificationSettings } = forge.as(sent.user)
    const { level, newNote, newIssue, scope } = sent
    const fields = { level, newNote, newIssue }
    if (scope === 'global') await notificationSettings.update(fields)
    else {
      const code = scope === 'app' && !model.canReadProject(sent.user) ? 'not_found' : undefined
      const call = notificationSettings.update({ ...places[scope], ...fields })
      if (!(await expectOutcome(call, code, `setting of ${sent.user}`))) return false
    }
    model.settings[scope].set(sent.user, { level, events: new Map(Object.entries({ newNote, newIssue })) })
    return true
  }

  const subscribe = async ({ user, item, subscribed }: Extract<Command, { kind: 'subscribe' }>) => {
    const { subscriptions: own } = forge.as(user)
    const call: Promise<{ readonly changed: boolean }> =
      item === 'change'
        ? own[subscribed ? 'subscribe' : 'unsubscribe'](refs.change)
        : own[subscribed ? 'subscribe' : 'unsubscribe'](refs[item])
    const result = await expectOutcome(call, model.canRead(user, item) ? undefined : 'not_found', `${user} subscribes`)
    // A choice that changes nothing is not stored.
    if (result?.changed) model.choices[item].set(user, subscribed)
    return result !== undefined
  }

  const subscribeToLabel = async ({ user, label, subscribed }: Extract<Command, { kind: 'label' }>) => {
    const call = forge.as(user).labels[subscribed ? 'subscribe' : 'unsubscribe']({ project, label })
    const code = model.canReadProject(user) ? undefined : 'not_found'
    if (!(await expectOutcome(call, code, `${user} subscribes to a label`))) return false
    model.labelSubscribers[label][subscribed ? 'add' : 'delete'](user)
    return true
  }

  /** The job of an event notifies whom the model predicts. */
  const expectNotified = async (event: Pick<Question, 'item' | 'event' | 'actor' | 'note' | 'former'>) => {
    notified.clear()
    await forge.hooks.drain()
    const question = { mentioned: [], group: undefined, labels: undefined, ...event }
    const expected = [...model.findRecipients(question)].map(([name, reason]) => [ids.get(name), reason] as const)
    expect(Object.fromEntries(notified), `notified of ${event.event}`).toEqual(Object.fromEntries(expected))
    figures.notifications += notified.size
  }

  const comment = async ({ user, item, internal }: Extract<Command, { kind: 'comment' }>) => {
    // Only issues have internal notes.
    const hidden = internal && item !== 'change'
    const forbidden = hidden && model.levelOf(user) < 20 ? 'forbidden' : undefined
    const call = forge.as(user).notes.create({ ...refs[item], body: 'Text', ...(hidden && { internal }) })
    const code = model.canRead(user, item) ? forbidden : 'not_found'
    const note = await expectOutcome(call, code, `${user} comments on ${item}`)
    if (!note?.id) return false
    model.commenters[item].add(user)
    const written = { id: note.id, author: user, internal: hidden }
    notes.set(item, written)
    await expectNotified({ item, event: 'newNote', actor: user, note: written })
    return true
  }

  const ask = async ({ item, pick, mentioned, group, labels, actor, useNote }: Extract<Command, { kind: 'ask' }>) => {
    const known = eventsOf(item)
    const event = known[pick % known.length] ?? 'newNote'
    const note = useNote && event === 'newNote' ? notes.get(item) : undefined
    const rows = await forge.host.notificationSettings.listRecipients({
      ...refs[item],
      event,
      mentioned: [...mentioned, ...(group ? [places[group].group] : [])],
      labels: labels && [...labels],
      actor,
      note: note?.id,
    })
    const listed = Object.fromEntries(rows.map(({ user, reason }) => [user.username, reason]))
    const expected = model.findRecipients({ item, event, mentioned, group, labels, actor, note })
    expect(listed, `recipients of ${event} on ${item}`).toEqual(Object.fromEntries(expected))
    figures.questions++
    figures.recipients += rows.length
    figures['of them subscribed'] += rows.filter(({ reason }) => reason === ('subscribed' satisfies Reason)).length
    figures['unsubscribed and left out'] += users.filter(
      (one) => model.choices[item].get(one) === false && !(one in listed),
    ).length
    // The platform itself agrees that they can read the item.
    for (const { user } of rows) {
      const reader = forge.as(user.username)
      await (item === 'change' ? reader.mergeRequests.get(refs.change) : reader.issues.get(refs[item]))
    }
    return true
  }

  const execute = async (sent: Command): Promise<boolean> => {
    const { host } = forge
    if ('user' in sent && sent.kind !== 'block' && sent.kind !== 'member' && model.blocked.has(sent.user)) return false
    switch (sent.kind) {
      case 'member':
        return setMember(sent)
      case 'setting':
        return setSetting(sent)
      case 'subscribe':
        return subscribe(sent)
      case 'label':
        return subscribeToLabel(sent)
      case 'comment':
        return comment(sent)
      case 'ask':
        return ask(sent)
      case 'assign': {
        const assignees = sent.assignees.filter((one) => model.canRead(one, sent.item))
        const former = [...model.assignees[sent.item]].filter((one) => !assignees.includes(one))
        const isChanged = former.length > 0 || assignees.length !== model.assignees[sent.item].size
        await forge.hooks.drain()
        if (sent.item === 'change') await host.mergeRequests.update({ ...refs.change, assignees })
        else await host.issues.update({ ...refs[sent.item], assignees })
        model.assignees[sent.item] = new Set(assignees)
        const event = sent.item === 'change' ? 'reassignMergeRequest' : 'reassignIssue'
        if (isChanged) await expectNotified({ item: sent.item, event, actor: undefined, note: undefined, former })
        return true
      }
      case 'review': {
        const reviewers = sent.reviewers.filter((one) => model.canRead(one, 'change'))
        await host.mergeRequests.update({ ...refs.change, reviewers })
        model.reviewers = new Set(reviewers)
        return true
      }
      case 'visibility':
        await host.projects.update({ project, visibility: sent.to })
        model.visibility = sent.to
        return true
      case 'access': {
        const access = sent.members ? 'private' : 'enabled'
        await host.projects.update({
          project,
          ...(sent.of === 'issue' ? { issuesAccessLevel: access } : { mergeRequestsAccessLevel: access }),
        })
        model.membersOnly[sent.of === 'issue' ? 'issue' : 'mergeRequest'] = sent.members
        return true
      }
      case 'emails': {
        const settings = { emailsDisabled: sent.disabled }
        if (sent.place === 'app') await host.projects.update({ project, settings })
        else await host.groups.update({ ...places[sent.place], settings })
        model.silenced[sent.disabled ? 'add' : 'delete'](sent.place)
        return true
      }
      case 'mentions':
        await host.groups.update({ ...places[sent.group], settings: { mentionsDisabled: sent.disabled } })
        model.unmentionable[sent.disabled ? 'add' : 'delete'](sent.group)
        return true
      case 'block':
        if (model.blocked.has(sent.user) === sent.blocked) return false
        await host.users[sent.blocked ? 'block' : 'unblock']({ user: sent.user })
        model.blocked[sent.blocked ? 'add' : 'delete'](sent.user)
        return true
    }
  }

  /** Every event on every item, with and without mentions. */
  const finish = async () => {
    for (const item of items) {
      for (const pick of eventsOf(item).keys()) {
        const question = { kind: 'ask', item, pick, labels: undefined, actor: undefined, useNote: true } as const
        await ask({ ...question, mentioned: [], group: undefined })
        await ask({ ...question, mentioned: ['dan'], group: 'sub' })
      }
    }
  }

  return { execute, finish }
}

const start = async (): Promise<ModelRun<Command>> => {
  await forge.reset()
  const { items } = await forge.host.users.list()
  ids = new Map(items.map(({ id, username }) => [username, id]))
  return createRun()
}

test('events have the predicted recipients', async () => {
  await checkModel({ name: 'recipients', command, start })
  reportFigures(`recipients on ${dialect}`, figures)
  expect(figures.recipients).toBeGreaterThan(0)
}, 300_000)
