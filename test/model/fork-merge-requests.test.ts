import type { FakeForge, Seed } from '@forgelet/fixtures'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reportFigures } from '../figures.ts'
import { dialect, world } from '../world.ts'
import { checkModel, expectOutcome, type ModelRun } from './check-model.ts'

/**
 * A fork and its source, whose visibility and members change, with merge requests from the one to the other. Users see a merge
 * request if they see the code of the target, and nothing of the fork unless they see the fork.
 */

const users = ['ann', 'ben', 'cat', 'dan'] as const
const callers = [...users, undefined] as const
type User = (typeof users)[number]
const visibilities = ['private', 'internal', 'public'] as const
type Visibility = (typeof visibilities)[number]
type Name = 'target' | 'fork'
const names = ['target', 'fork'] as const
const paths = { target: 'team/wanted', fork: 'crew/hidden-fork' } as const

const seed: Seed = {
  users: users.map((username) => ({
    username,
    tokens: [{ name: 'test', secret: `${username}-token`, scopes: ['api'] }],
  })),
  groups: [
    { path: 'team', visibility: 'public' },
    { path: 'crew', visibility: 'public' },
  ],
  projects: [
    { path: paths.target, visibility: 'public' },
    { path: paths.fork, visibility: 'public', forkedFrom: paths.target },
  ],
}

const name = fc.constantFrom(...names)
const user = fc.constantFrom(...users)
const level = fc.constantFrom(0, 10, 20, 30)
const access = fc.constantFrom('enabled' as const, 'private' as const, 'disabled' as const)
const command = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('open' as const), user, from: name }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('visibility' as const), name, to: fc.constantFrom(...visibilities) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('level' as const), user, name, level }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('access' as const), name, access }) },
)
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never
type CommandOf<K extends Command['kind']> = Extract<Command, { readonly kind: K }>

let forge: FakeForge
let compared = 0
beforeAll(async () => {
  forge = await world({ seed })
})
afterAll(() => forge.close())

interface ModelProject {
  visibility: Visibility
  mergeRequests: 'enabled' | 'private' | 'disabled'
  readonly levels: Map<User, number>
}

const createModel = () => {
  const createProject = (): ModelProject => ({ visibility: 'public', mergeRequests: 'enabled', levels: new Map() })
  const projects = { target: createProject(), fork: createProject() }
  const levelOf = (caller: User | undefined, name: Name) => (caller && projects[name].levels.get(caller)) ?? 0
  const seesProject = (caller: User | undefined, name: Name) => {
    const { visibility } = projects[name]
    return visibility === 'public' || (visibility === 'internal' && caller !== undefined) || levelOf(caller, name) > 0
  }
  const seesCode = (caller: User | undefined, name: Name) =>
    seesProject(caller, name) && (projects[name].visibility !== 'private' || levelOf(caller, name) >= 20)
  const seesMergeRequests = (caller: User | undefined, name: Name) => {
    const { mergeRequests } = projects[name]
    const isEnabled = mergeRequests === 'enabled' || (mergeRequests === 'private' && levelOf(caller, name) > 0)
    return seesCode(caller, name) && isEnabled
  }
  return { projects, levelOf, seesProject, seesCode, seesMergeRequests }
}

const read = async (caller: User | undefined, path: string, body?: unknown) => {
  const token = caller === undefined ? undefined : forge.token(caller)
  const response = await forge.fetch(`${forge.url}${path}`, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: { ...(token && { authorization: `Bearer ${token}` }), 'content-type': 'application/json' },
  })
  return { status: response.status, text: await response.text() }
}

const graphql = `{
  projects { nodes { fullPath } }
  project(fullPath: "${paths.target}") {
    mergeRequests { nodes { title sourceProjectId sourceProject { fullPath } headPipeline: diffHeadSha } }
  }
}`

/** Whatever shows merge requests, or the projects to which they belong. */
const pagesOf = (ids: Readonly<Record<Name, number>>, iids: readonly number[]) => [
  ...iids
    .slice(-2)
    .flatMap((iid) => [
      `/api/v4/projects/${ids.target}/merge_requests/${iid}`,
      `/api/v4/projects/${ids.target}/merge_requests/${iid}/changes`,
      `/api/v4/projects/${ids.target}/merge_requests/${iid}/pipelines`,
      `/${paths.target}/-/merge_requests/${iid}`,
    ]),
  `/api/v4/projects/${ids.target}/merge_requests`,
  `/api/v4/projects/${ids.fork}/merge_requests`,
  '/api/v4/merge_requests?scope=all',
  `/api/v4/merge_requests?scope=all&source_project_id=${ids.fork}`,
  `/api/v4/projects/${ids.target}/events`,
  `/api/v4/projects/${ids.target}/forks`,
  '/api/v4/todos',
  '/api/v4/events',
  `/api/v4/projects/${ids.target}/search?scope=merge_requests&search=Marked`,
  '/api/v4/search?scope=merge_requests&search=Marked',
  `/${paths.target}/-/merge_requests`,
]

const createRun = async () => {
  const { host } = forge
  const model = createModel()
  const ids = {
    target: (await host.projects.get({ project: paths.target })).id,
    fork: (await host.projects.get({ project: paths.fork })).id,
  }
  let changes = 0
  const opened: { readonly iid: number; readonly from: Name }[] = []

  const open = async ({ user: author, from }: CommandOf<'open'>) => {
    const mayCreate = () => {
      if (!model.seesProject(author, from)) return 'not_found'
      if (model.levelOf(author, from) < 30 || !model.seesMergeRequests(author, from)) return 'forbidden'
      if (from === 'target') return undefined
      if (!model.seesProject(author, 'target')) return 'not_found'
      return model.seesMergeRequests(author, 'target') ? undefined : 'forbidden'
    }
    const number = opened.length + 1
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
    opened.push({ iid: created.iid, from })
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
    const isHigher = name === 'fork' && visibilities.indexOf(to) > visibilities.indexOf(target.visibility)
    const update = host.projects.update({ project: ids[name], visibility: to })
    await expectOutcome(update, isHigher ? 'invalid' : undefined, `${to} ${name}`)
    if (isHigher) return false
    model.projects[name].visibility = to
    const lowest = Math.min(visibilities.indexOf(fork.visibility), visibilities.indexOf(target.visibility))
    fork.visibility = visibilities[lowest] as Visibility
    return true
  }

  const setLevel = async ({ user, name, level }: CommandOf<'level'>) => {
    const project = ids[name]
    const before = model.levelOf(user, name)
    if (level === before) return false
    if (level === 0) await host.members.remove({ project, user })
    else if (before === 0) await host.members.add({ project, user, accessLevel: level })
    else await host.members.update({ project, user, accessLevel: level })
    model.projects[name].levels.set(user, level)
    return true
  }

  const compare = async () => {
    for (const name of names)
      expect((await host.projects.get({ project: ids[name] })).visibility).toBe(model.projects[name].visibility)
    for (const caller of callers) {
      const seesFork = model.seesProject(caller, 'fork')
      const seesTarget = model.seesMergeRequests(caller, 'target')
      const path = `/api/v4/projects/${ids.target}/merge_requests?per_page=100`
      const list = await read(caller, path)
      const rows = list.status === 200 ? (JSON.parse(list.text) as { iid: number; source_project_id: number }[]) : []
      const expected = seesTarget
        ? opened.map(({ iid, from }) => ({ iid, source: from === 'target' ? ids.target : seesFork ? ids.fork : null }))
        : []
      const listed = rows.map(({ iid, source_project_id: source }) => ({ iid, source }))
      expect(
        listed.toSorted((a, b) => a.iid - b.iid),
        `merge requests for ${caller}`,
      ).toEqual(expected)
      for (const page of [
        ...pagesOf(
          ids,
          opened.map(({ iid }) => iid),
        ),
        'graphql',
      ]) {
        const { status, text } =
          page === 'graphql' ? await read(caller, '/api/graphql', { query: graphql }) : await read(caller, page)
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
