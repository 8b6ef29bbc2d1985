import type { FakeForge, Seed } from '@forgelet/fixtures'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reportFigures } from '../figures.ts'
import { dialect, world } from '../world.ts'
import { checkModel, expectOutcome, type ModelRun } from './check-model.ts'

/**
 * A fork and its source, whose visibility and members change, with merge requests from the one to the other. Both are transferred,
 * renamed, archived and removed, and their relation ends and begins. Users see a merge request if they see the code of the target,
 * and nothing of the fork unless they see the fork.
 */

const users = ['ann', 'ben', 'cat', 'dan'] as const
/** A developer of the private group `den`, and of no project. */
const insider = 'eve'
const callers = [...users, insider, undefined] as const
type User = (typeof users)[number] | typeof insider
const visibilities = ['private', 'internal', 'public'] as const
type Visibility = (typeof visibilities)[number]
type Name = 'target' | 'fork'
const names = ['target', 'fork'] as const
const paths = { target: 'team/wanted', fork: 'crew/hidden-fork' } as const
const groups = ['team', 'crew', 'den'] as const
type Group = (typeof groups)[number]

const seed: Seed = {
  users: [...users, insider].map((username) => ({
    username,
    tokens: [{ name: 'test', secret: `${username}-token`, scopes: ['api'] }],
  })),
  groups: [
    { path: 'team', visibility: 'public' },
    { path: 'crew', visibility: 'public' },
    { path: 'den', visibility: 'private', members: [{ user: insider, access: 'developer' }] },
  ],
  projects: [
    { path: paths.target, visibility: 'public' },
    { path: paths.fork, visibility: 'public', forkedFrom: paths.target },
  ],
}

const name = fc.constantFrom(...names)
const user = fc.constantFrom(...users)
const author = fc.constantFrom(...users, insider)
const level = fc.constantFrom(0, 10, 20, 30)
const access = fc.constantFrom('enabled' as const, 'private' as const, 'disabled' as const)
const command = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('open' as const), user: author, from: name }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('visibility' as const), name, to: fc.constantFrom(...visibilities) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('level' as const), user, name, level }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('access' as const), name, access }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('transfer' as const), name, to: fc.constantFrom(...groups) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename' as const), name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('archive' as const), name, archived: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('link' as const), linked: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const), number: fc.nat({ max: 5 }) }) },
  // Ends most of what the other commands can do.
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), name, chance: fc.nat({ max: 3 }) }) },
)
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never
type CommandOf<K extends Command['kind']> = Extract<Command, { readonly kind: K }>

const isMoreVisible = (one: Visibility, other: Visibility) => visibilities.indexOf(one) > visibilities.indexOf(other)

let forge: FakeForge
let compared = 0
beforeAll(async () => {
  forge = await world({ seed })
})
afterAll(() => forge.close())

interface ModelProject {
  exists: boolean
  group: Group
  path: string
  archived: boolean
  visibility: Visibility
  mergeRequests: 'enabled' | 'private' | 'disabled'
  readonly levels: Map<User, number>
}

const createModel = () => {
  const createProject = (fullPath: string): ModelProject => {
    const [group, path] = fullPath.split('/') as [Group, string]
    const state = { exists: true, archived: false, visibility: 'public', mergeRequests: 'enabled' } as const
    return { ...state, group, path, levels: new Map() }
  }
  const projects = { target: createProject(paths.target), fork: createProject(paths.fork) }
  const levelOf = (caller: User | undefined, name: Name) => {
    const { group, levels } = projects[name]
    if (caller === insider) return group === 'den' ? 30 : 0
    return (caller && levels.get(caller)) ?? 0
  }
  const seesProject = (caller: User | undefined, name: Name) => {
    const { exists, visibility } = projects[name]
    if (!exists) return false
    return visibility === 'public' || (visibility === 'internal' && caller !== undefined) || levelOf(caller, name) > 0
  }
  const seesCode = (caller: User | undefined, name: Name) =>
    seesProject(caller, name) && (projects[name].visibility !== 'private' || levelOf(caller, name) >= 20)
  const seesMergeRequests = (caller: User | undefined, name: Name) => {
    const { mergeRequests } = projects[name]
    const isEnabled = mergeRequests === 'enabled' || (mergeRequests === 'private' && levelOf(caller, name) > 0)
    return seesCode(caller, name) && isEnabled
  }
  return { projects, isLinked: true, levelOf, seesProject, seesCode, seesMergeRequests }
}

const read = async (caller: User | undefined, path: string, body?: unknown) => {
  const token = caller === undefined ? undefined : forge.token(caller)
  const response = await forge.fetch(`${forge.url}${path}`, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: { ...(token && { authorization: `Bearer ${token}` }), 'content-type': 'application/json' },
  })
  return { status: response.status, text: await response.text() }
}

const formatQuery = (target: string) => `{
  projects { nodes { fullPath } }
  project(fullPath: "${target}") {
    mergeRequests { nodes { title sourceProjectId sourceProject { fullPath } headPipeline: diffHeadSha } }
  }
}`

/** Whatever shows merge requests, or the projects to which they belong. */
const pagesOf = (ids: Readonly<Record<Name, number>>, target: string, iids: readonly number[]) => [
  ...iids
    .slice(-2)
    .flatMap((iid) => [
      `/api/v4/projects/${ids.target}/merge_requests/${iid}`,
      `/api/v4/projects/${ids.target}/merge_requests/${iid}/changes`,
      `/api/v4/projects/${ids.target}/merge_requests/${iid}/pipelines`,
      `/${target}/-/merge_requests/${iid}`,
    ]),
  `/api/v4/projects/${ids.target}/merge_requests`,
  `/api/v4/projects/${ids.fork}/merge_requests`,
  '/api/v4/merge_requests?scope=all',
  `/api/v4/merge_requests?scope=all&source_project_id=${ids.fork}`,
  `/api/v4/projects/${ids.target}`,
  `/api/v4/projects/${ids.fork}`,
  `/api/v4/projects/${ids.target}/events`,
  `/api/v4/projects/${ids.target}/forks`,
  '/api/v4/todos',
  '/api/v4/events',
  `/api/v4/projects/${ids.target}/search?scope=merge_requests&search=Marked`,
  '/api/v4/search?scope=merge_requests&search=Marked',
  `/${target}/-/merge_requests`,
]

const createRun = async () => {
  const { host } = forge
  const model = createModel()
  const ids = {
    target: (await host.projects.get({ project: paths.target })).id,
    fork: (await host.projects.get({ project: paths.fork })).id,
  }
  let changes = 0
  let attempts = 0
  const opened: { readonly iid: number; readonly from: Name; state: 'opened' | 'closed' }[] = []
  const closeThoseOfFork = () => {
    for (const each of opened) if (each.from === 'fork') each.state = 'closed'
  }

  const open = async ({ user: author, from }: CommandOf<'open'>) => {
    const mayCreate = () => {
      if (!model.seesProject(author, from)) return 'not_found'
      const { projects } = model
      if (model.levelOf(author, from) < 30 || !model.seesMergeRequests(author, from)) return 'forbidden'
      if (projects[from].archived) return 'forbidden'
      if (from === 'target') return undefined
      if (!model.seesProject(author, 'target')) return 'not_found'
      if (!model.seesMergeRequests(author, 'target') || projects.target.archived) return 'forbidden'
      return model.isLinked ? undefined : 'unprocessable'
    }
    attempts += 1
    const number = attempts
    const created = await expectOutcome(
      forge.as(author).mergeRequests.create({
        project: ids[from],
        targetProjectId: ids.target,
        title: `Marked ${number}`,
        sourceBranch: `topic-${number}`,
      }),
      mayCreate(),
      `a merge request of ${author} from the ${from}`,
    )
    if (created === undefined) return false
    opened.push({ iid: created.iid, from, state: 'opened' })
    const pipeline = {
      project: ids[from],
      ref: `topic-${number}`,
      sha: 'a'.repeat(40),
      jobs: [{ name: `job-${from}` }],
    }
    await host.pipelines.record(pipeline)
    return true
  }

  const setVisibility = async ({ name, to }: CommandOf<'visibility'>) => {
    const { target, fork } = model.projects
    if (!model.projects[name].exists) return false
    const isAboveSource = name === 'fork' && model.isLinked && isMoreVisible(to, target.visibility)
    const isHigher = isAboveSource || (model.projects[name].group === 'den' && to !== 'private')
    const update = host.projects.update({ project: ids[name], visibility: to })
    await expectOutcome(update, isHigher ? 'invalid' : undefined, `${to} ${name}`)
    if (isHigher) return false
    model.projects[name].visibility = to
    if (model.isLinked && isMoreVisible(fork.visibility, target.visibility)) fork.visibility = target.visibility
    return true
  }

  const setLevel = async ({ user, name, level }: CommandOf<'level'>) => {
    if (!model.projects[name].exists) return false
    const project = ids[name]
    const before = model.levelOf(user, name)
    if (level === before) return false
    if (level === 0) await host.members.remove({ project, user })
    else if (before === 0) await host.members.add({ project, users: [user], accessLevel: level })
    else await host.members.update({ project, user, accessLevel: level })
    model.projects[name].levels.set(user, level)
    return true
  }

  const transfer = async ({ name, to }: CommandOf<'transfer'>) => {
    const project = model.projects[name]
    if (!project.exists) return false
    const isRefused = project.group === to || (to === 'den' && project.visibility !== 'private')
    const call = host.projects.transfer({ project: ids[name], namespace: to })
    await expectOutcome(call, isRefused ? 'invalid' : undefined, `transfer of the ${name} to ${to}`)
    if (!isRefused) project.group = to
    return !isRefused
  }

  const rename = async ({ name }: CommandOf<'rename'>) => {
    const project = model.projects[name]
    if (!project.exists) return false
    attempts += 1
    project.path = `${paths[name].split('/')[1]}-${attempts}`
    await host.projects.update({ project: ids[name], path: project.path, name: project.path })
    return true
  }

  const archive = async ({ name, archived }: CommandOf<'archive'>) => {
    const project = model.projects[name]
    if (!project.exists || project.archived === archived) return false
    await (archived ? host.projects.archive({ project: ids[name] }) : host.projects.unarchive({ project: ids[name] }))
    project.archived = archived
    return true
  }

  const remove = async ({ name, chance }: CommandOf<'remove'>) => {
    const project = model.projects[name]
    if (!project.exists || chance > 0) return false
    await host.projects.remove({ project: ids[name] })
    project.exists = false
    model.isLinked = false
    if (name === 'target') opened.length = 0
    else closeThoseOfFork()
    return true
  }

  const link = async ({ linked }: CommandOf<'link'>) => {
    const { target, fork } = model.projects
    if (!fork.exists) return false
    if (!linked) {
      await expectOutcome(
        host.forks.unlink({ project: ids.fork }),
        model.isLinked ? undefined : 'not_found',
        'the end of the relation',
      )
      if (model.isLinked) closeThoseOfFork()
      const succeeded = model.isLinked
      model.isLinked = false
      return succeeded
    }
    const findReason = () => {
      if (!target.exists) return 'not_found'
      if (model.isLinked) return 'conflict'
      return isMoreVisible(fork.visibility, target.visibility) ? 'invalid' : undefined
    }
    const reason = findReason()
    await expectOutcome(host.forks.link({ project: ids.fork, forkedFrom: ids.target }), reason, 'a new relation')
    model.isLinked = reason === undefined || model.isLinked
    return reason === undefined
  }

  const reopen = async ({ number }: CommandOf<'reopen'>) => {
    // The job that closes them runs after the command.
    await forge.platform.jobs.drain()
    const each = opened[number]
    if (each === undefined) return false
    const isPossible = each.from === 'target' || model.isLinked
    const call = host.mergeRequests.update({ project: ids.target, mergeRequest: each.iid, stateEvent: 'reopen' })
    await expectOutcome(call, isPossible ? undefined : 'conflict', `reopening !${each.iid}`)
    if (isPossible) each.state = 'opened'
    return isPossible
  }

  const compare = async () => {
    await forge.platform.jobs.drain()
    for (const name of names.filter((each) => model.projects[each].exists)) {
      const { visibility, group, path } = model.projects[name]
      expect(await host.projects.get({ project: ids[name] })).toMatchObject({
        visibility,
        fullPath: `${group}/${path}`,
      })
    }
    const target = `${model.projects.target.group}/${model.projects.target.path}`
    for (const caller of callers) {
      const seesFork = model.seesProject(caller, 'fork')
      const seesTarget = model.seesMergeRequests(caller, 'target')
      const path = `/api/v4/projects/${ids.target}/merge_requests?per_page=100`
      const list = await read(caller, path)
      const rows =
        list.status === 200
          ? (JSON.parse(list.text) as { iid: number; source_project_id: number; state: string }[])
          : []
      const expected = seesTarget
        ? opened.map(({ iid, from, state }) => ({
            ...{ iid, state },
            source: from === 'target' ? ids.target : seesFork ? ids.fork : null,
          }))
        : []
      const listed = rows.map(({ iid, state, source_project_id: source }) => ({ iid, state, source }))
      expect(
        listed.toSorted((a, b) => a.iid - b.iid),
        `merge requests for ${caller}`,
      ).toEqual(expected)
      for (const page of [
        ...pagesOf(
          ids,
          target,
          opened.map(({ iid }) => iid),
        ),
        'graphql',
      ]) {
        const { status, text } =
          page === 'graphql'
            ? await read(caller, '/api/graphql', { query: formatQuery(target) })
            : await read(caller, page)
        expect(status, page).toBeLessThan(500)
        if (!seesFork) expect(text, `${page} for ${caller}`).not.toMatch(/hidden-fork/)
        if (!model.seesCode(caller, 'fork')) expect(text, `${page} for ${caller}`).not.toContain('job-fork')
        if (!seesTarget) expect(text, `${page} for ${caller}`).not.toMatch(/Marked \d/)
        compared += 1
      }
      if (!seesFork) {
        const { text } = await read(caller, `/api/v4/merge_requests?scope=all&source_project_id=${ids.fork}`)
        expect(['[]', undefined]).toContain(text.startsWith('[') ? text : undefined)
      }
    }
  }

  const execute = async (each: Command): Promise<boolean> => {
    if (each.kind === 'open') return open(each)
    if (each.kind === 'visibility') return setVisibility(each)
    if (each.kind === 'level') return setLevel(each)
    if (each.kind === 'transfer') return transfer(each)
    if (each.kind === 'rename') return rename(each)
    if (each.kind === 'archive') return archive(each)
    if (each.kind === 'remove') return remove(each)
    if (each.kind === 'link') return link(each)
    if (each.kind === 'reopen') return reopen(each)
    if (!model.projects[each.name].exists) return false
    await host.projects.update({ project: ids[each.name], mergeRequestsAccessLevel: each.access })
    model.projects[each.name].mergeRequests = each.access
    return true
  }

  return {
    async execute(each: Command) {
      const succeeded = await execute(each)
      // Each change can show or hide something; the answers to all users take long.
      if (succeeded && each.kind !== 'open' && opened.some(({ from }) => from === 'fork') && changes++ % 3 === 0)
        await compare()
      return succeeded
    },
    finish: compare,
  }
}

const start = async (): Promise<ModelRun<Command>> => {
  await forge.reset()
  return createRun()
}

test('nobody sees more of merge requests from forks than both projects show', async () => {
  await checkModel({ name: 'fork merge requests', command, start })
  reportFigures(`answers about fork merge requests on ${dialect}`, { compared, differences: 0 })
}, 300_000)
