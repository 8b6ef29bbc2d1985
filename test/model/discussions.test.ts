import type { FakeForge, Seed } from '@forgelet/fixtures'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stored } from '../stored.ts'
import { world } from '../world.ts'
import { checkModel, expectOutcome, type ModelRun } from './check-model.ts'

/** Callers of every level discuss a merge request, with public and internal notes. */

const levels = { owner: 50, maintainer: 40, developer: 30, reporter: 20, guest: 10, outsider: 0 } as const
type User = keyof typeof levels
const users = Object.keys(levels) as User[]
/** The author of the merge request, who has no role. */
const author: User = 'outsider'

const project = 'team/app'
const on = { project, mergeRequest: 1 }

const seed: Seed = {
  users: users.map((username) => ({ username })),
  groups: [{ path: 'team', visibility: 'public', members: [{ user: 'owner', access: 'owner' }] }],
  projects: [
    {
      path: project,
      visibility: 'public',
      members: (['maintainer', 'developer', 'reporter', 'guest'] as const).map((user) => ({ user, access: user })),
      mergeRequests: [{ title: 'Change', author, sourceBranch: 'change' }],
    },
  ],
}

interface ModelNote {
  readonly id: number
  readonly author: User
  readonly internal: boolean
  body: string
  resolvedBy: User | null
}

interface ModelDiscussion {
  readonly id: string
  notes: ModelNote[]
}

const actor = fc.constantFrom(...users)
const pick = fc.nat(1_000)
const body = fc.constantFrom('one', 'two', 'three')
const resolved = fc.boolean()
const command = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), actor, body, internal: fc.boolean() }),
  fc.record({ kind: fc.constant('reply' as const), actor, discussion: pick, body }),
  fc.record({ kind: fc.constant('resolve' as const), actor, discussion: pick, resolved }),
  // Half of the callers are the authors of the note, whatever `actor` is: they may edit it, but not resolve it.
  fc.record({
    kind: fc.constant('resolveNote' as const),
    actor,
    own: resolved,
    discussion: pick,
    note: pick,
    resolved,
  }),
  fc.record({ kind: fc.constant('edit' as const), actor, discussion: pick, note: pick, body }),
  fc.record({ kind: fc.constant('remove' as const), actor, discussion: pick, note: pick }),
)
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never
type NoteCommand = Extract<Command, { readonly note: number }>

const canRead = (user: User, note: ModelNote) => !note.internal || levels[user] >= 20 || note.author === user
const canResolve = (user: User) => levels[user] >= 30 || user === author
const canEdit = (user: User, note: ModelNote) => levels[user] >= 40 || note.author === user

let forge: FakeForge
beforeAll(async () => {
  forge = await world({ seed })
})
afterAll(() => forge.close())

const createRun = () => {
  const all: ModelDiscussion[] = []
  /** Discussions without notes stay in the list, so that calls name some that no longer exist. */
  const find = (at: number) => all[at % all.length]

  const create = async ({ actor, body, internal }: Extract<Command, { kind: 'create' }>) => {
    const forbidden = internal && levels[actor] < 20 ? 'forbidden' : undefined
    const call = stored(forge.as(actor).discussions.create({ ...on, body, internal }))
    const created = await expectOutcome(call, forbidden, `${actor} creates`)
    if (!created) return false
    const [note] = created.notes
    all.push({
      id: created.id,
      notes: [{ id: note?.id as number, author: actor, internal, body, resolvedBy: null }],
    })
    return true
  }

  const reply = async ({ actor, body }: Extract<Command, { kind: 'reply' }>, { id, notes }: ModelDiscussion) => {
    const visible = notes.filter((note) => canRead(actor, note))
    const call = stored(forge.as(actor).discussions.reply({ ...on, discussion: id, body }))
    const created = await expectOutcome(call, visible.length ? undefined : 'not_found', `${actor} replies`)
    if (!created) return false
    const internal = visible[0]?.internal as boolean
    expect(created.internal).toBe(internal)
    notes.push({ id: created.id, author: actor, internal, body, resolvedBy: null })
    return true
  }

  const resolve = async ({ actor, resolved }: Extract<Command, { kind: 'resolve' }>, discussion: ModelDiscussion) => {
    const visible = discussion.notes.filter((note) => canRead(actor, note))
    const missing = visible.length ? undefined : 'not_found'
    const call = forge.as(actor).discussions.resolve({ ...on, discussion: discussion.id, resolved })
    if (!(await expectOutcome(call, canResolve(actor) ? missing : 'forbidden', `${actor} resolves`))) return false
    for (const note of visible) note.resolvedBy = resolved ? (note.resolvedBy ?? actor) : null
    return true
  }

  const changeNote = async (command: NoteCommand, discussion: ModelDiscussion, note: ModelNote) => {
    const { kind } = command
    const actor = kind === 'resolveNote' && command.own ? note.author : command.actor
    const { discussions } = forge.as(actor)
    const reference = { ...on, discussion: discussion.id, note: note.id }
    const allowed = kind === 'resolveNote' ? canResolve(actor) : canEdit(actor, note)
    const code = canRead(actor, note) ? (allowed ? undefined : 'forbidden') : 'not_found'
    if (kind === 'remove') {
      await expectOutcome(discussions.removeNote(reference), code, `${actor} removes`)
      if (code === undefined) discussion.notes = discussion.notes.filter((other) => other !== note)
    } else if (kind === 'edit') {
      await expectOutcome(discussions.updateNote({ ...reference, body: command.body }), code, `${actor} edits`)
      if (code === undefined) note.body = command.body
    } else {
      const { resolved } = command
      await expectOutcome(discussions.updateNote({ ...reference, resolved }), code, `${actor} resolves a note`)
      if (code === undefined) note.resolvedBy = resolved ? (note.resolvedBy ?? actor) : null
    }
    return code === undefined
  }

  /** Compares the discussions, notes and counts that each caller sees. */
  const compare = async () => {
    for (const user of users) {
      const session = forge.as(user)
      const expected = all
        .map(({ notes }) => notes.filter((note) => canRead(user, note)))
        .filter((notes) => notes.length)
        .map((notes) => notes.map(({ id, body, internal, resolvedBy }) => ({ id, body, internal, resolvedBy })))
      const { items, total } = await session.discussions.list({ ...on, perPage: 100 })
      const listed = items.map(({ notes }) =>
        notes.map(({ id, body, internal, resolvedBy }) => ({
          id,
          body,
          internal,
          resolvedBy: resolvedBy?.username ?? null,
        })),
      )
      expect(listed, `discussions of ${user}`).toEqual(expected)
      const count = expected.flat().length
      expect([total, (await session.notes.list(on)).total], `totals of ${user}`).toEqual([expected.length, count])
      expect((await session.mergeRequests.get(on)).userNotesCount, `count of ${user}`).toBe(count)
      const events = await session.events.list({ project, action: 'commented' })
      expect(events.total, `events of ${user}`).toBe(count)
    }
  }

  const execute = async (command: Command): Promise<boolean> => {
    if (command.kind === 'create') return create(command)
    const discussion = find(command.discussion)
    if (!discussion) return false
    if (command.kind === 'reply') return reply(command, discussion)
    if (command.kind === 'resolve') return resolve(command, discussion)
    const note = discussion.notes[command.note % discussion.notes.length]
    return note ? changeNote(command, discussion, note) : false
  }

  return { execute, finish: compare }
}

const start = async (): Promise<ModelRun<Command>> => {
  await forge.reset()
  return createRun()
}

test('discussions have the predicted notes for callers of every level', async () => {
  await checkModel({ name: 'discussions', command, start })
}, 300_000)
