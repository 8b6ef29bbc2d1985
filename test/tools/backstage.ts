import { createRequire } from 'node:module'
import { toolPath } from './install-tools.ts'

/** What the tests use of Backstage, which is loaded from the folder of installed tools. */

interface Action {
  readonly id: string
  handler(context: object): Promise<void>
}

/** A catalog entity that a provider found. */
export interface Entity {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly annotations: Readonly<Record<string, string>> }
  readonly spec: {
    readonly profile?: { readonly displayName?: string; readonly email?: string }
    readonly memberOf?: readonly string[]
    readonly target?: string
  }
}

interface Provider {
  connect(connection: {
    applyMutation(mutation: { readonly entities?: readonly { readonly entity: Entity }[] }): Promise<void>
    refresh(): Promise<void>
  }): Promise<void>
}

interface Task {
  fn(): Promise<void>
}

interface Connection {
  /** URL of the forge. */
  readonly url: string
  /** A personal access token. */
  readonly token: string
}

const logger = { info() {}, debug() {}, warn() {}, error: console.error, child: () => logger }

const load = (name: string) => createRequire(toolPath('package.json', 'backstage'))(name)

const readConfig = ({ url, token }: Connection, catalog: object = {}) => {
  const { ConfigReader } = load('@backstage/config')
  const gitlab = [{ host: new URL(url).host, token, baseUrl: url, apiBaseUrl: `${url}/api/v4` }]
  return new ConfigReader({ integrations: { gitlab }, catalog })
}

/** The names of all scaffolder actions. */
export const listActions = (): readonly string[] =>
  Object.keys(load('@backstage/plugin-scaffolder-backend-module-gitlab')).filter((name) => name.endsWith('Action'))

/** Runs a scaffolder action; returns its outputs. */
export async function runAction(
  connection: Connection,
  name: string,
  input: object,
  workspacePath = '',
): Promise<Readonly<Record<string, unknown>>> {
  const { ScmIntegrations } = load('@backstage/integration')
  const config = readConfig(connection)
  const create = load('@backstage/plugin-scaffolder-backend-module-gitlab')[name]
  const action: Action = create({ integrations: ScmIntegrations.fromConfig(config), config })
  const outputs: Record<string, unknown> = {}
  await action.handler({
    input,
    workspacePath,
    logger,
    task: { id: 'task' },
    output: (key: string, value: unknown) => {
      outputs[key] = value
    },
    checkpoint: ({ fn }: Task) => fn(),
  })
  return outputs
}

/** Runs a catalog provider once; returns the entities that it found. */
export async function runProvider(
  connection: Connection,
  name: 'GitlabOrgDiscoveryEntityProvider' | 'GitlabDiscoveryEntityProvider',
  settings: object,
): Promise<readonly Entity[]> {
  const tasks: Task[] = []
  const scheduler = { createScheduledTaskRunner: () => ({ run: async (task: Task) => void tasks.push(task) }) }
  const schedule = { frequency: { minutes: 5 }, timeout: { minutes: 5 } }
  const gitlab = { forge: { host: new URL(connection.url).host, schedule, ...settings } }
  const config = readConfig(connection, { providers: { gitlab } })
  const providers: Provider[] = load('@backstage/plugin-catalog-backend-module-gitlab')[name].fromConfig(config, {
    logger,
    scheduler,
  })
  const entities: Entity[] = []
  const applyMutation: Parameters<Provider['connect']>[0]['applyMutation'] = async (mutation) => {
    entities.push(...(mutation.entities ?? []).map(({ entity }) => entity))
  }
  for (const provider of providers) await provider.connect({ applyMutation, refresh: async () => undefined })
  for (const task of tasks) await task.fn()
  return entities
}
