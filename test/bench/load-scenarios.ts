import { token, type World } from './data-file.ts'

/** The state of a load that its requests are made from. */
export interface RequestInput {
  readonly world: World
  /** The connection, from 0. */
  readonly client: number
  /** Unique in one run: the slice and the number of the request in it. */
  readonly unique: string
  /** The number of the request, from 1. */
  readonly count: number
}

/** A request: its line up to the query, and a JSON body. */
type ScenarioRequest = readonly [route: string, json?: object | undefined]

const pickRandom = (from: readonly number[]) => from[Math.floor(Math.random() * from.length)] as number

const ownProject = ({ world, client }: RequestInput) => world.written[client] as number

const newLabel = ({ unique }: RequestInput) => ({
  name: `new ${unique}`,
  color: '#428BCA',
  description: 'What new labels are about',
})

const newIssue = ({ unique }: RequestInput) => ({ title: `Issue ${unique}`, description: 'What is to be done' })

/** Projects that the mixed writers share. Each has an issue, and a label `mixed`. */
export const mixedProjects = ({ written }: World): readonly number[] => written.slice(200, 204)

/** Nine kinds of writes to one project. */
const mixedWriters: readonly ((input: RequestInput) => ScenarioRequest)[] = [
  (input) => ['POST /labels', newLabel(input)],
  (input) => ['POST /issues', newIssue(input)],
  ({ unique }) => ['PUT /issues/1', { title: `Changed ${unique}` }],
  ({ count }) => ['PUT /issues/1', { state_event: count % 2 ? 'close' : 'reopen' }],
  ({ unique }) => ['POST /issues/1/notes', { body: `Note ${unique}` }],
  ({ unique }) => ['POST /issues/1/discussions', { body: `Discussion ${unique}` }],
  ({ unique }) => ['POST /issues/1/award_emoji', { name: `emoji_${unique.replace('-', '_')}` }],
  ({ count }) => [`POST /labels/mixed/${count % 2 ? 'subscribe' : 'unsubscribe'}`, {}],
  ({ unique }) => ['POST /milestones', { title: `Milestone ${unique}` }],
]

const inProject = (project: number, [route, json]: ScenarioRequest): ScenarioRequest => {
  const [method, path] = route.split(' ')
  return [`${method} /projects/${project}${path}`, json]
}

const pickMixed = ({ world, client, count }: RequestInput) => {
  const projects = mixedProjects(world)
  return projects[(client + count) % projects.length] as number
}

/** What one connection requests. */
export const scenarios = {
  page: ({ world }: RequestInput): ScenarioRequest => {
    const page = 1 + Math.floor(Math.random() * 10)
    return inProject(pickRandom(world.listed), [`GET /labels?page=${page}&per_page=20`])
  },
  label: (input: RequestInput): ScenarioRequest =>
    inProject(pickRandom(input.world.written), ['POST /labels', newLabel(input)]),
  ownLabel: (input: RequestInput): ScenarioRequest => inProject(ownProject(input), ['POST /labels', newLabel(input)]),
  ownIssue: (input: RequestInput): ScenarioRequest => inProject(ownProject(input), ['POST /issues', newIssue(input)]),
  sharedIssue: (input: RequestInput): ScenarioRequest =>
    inProject(input.world.written[100] as number, ['POST /issues', newIssue(input)]),
  mixed: (input: RequestInput): ScenarioRequest => {
    const write = mixedWriters[(input.client + input.count) % mixedWriters.length] as (typeof mixedWriters)[number]
    return inProject(pickMixed(input), write(input))
  },
} as const

export type Scenario = keyof typeof scenarios

const headers = `Host: 127.0.0.1\r\nPRIVATE-TOKEN: ${token}\r\nAccept: application/json\r\n`

/** The request as HTTP/1.1 text. */
export const formatRequest = (scenario: Scenario, input: RequestInput): string => {
  const [route, json] = scenarios[scenario](input)
  const [method, path] = route.split(' ')
  const start = `${method} /api/v4${path} HTTP/1.1\r\n${headers}`
  if (json === undefined) return `${start}\r\n`
  const body = JSON.stringify(json)
  return `${start}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}
