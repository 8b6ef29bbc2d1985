import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { Gitlab } from '@gitbeaker/rest'
import { newSshKey } from '../../contract/ssh-keys.ts'
import { world } from '../../sqlite-world.ts'
import { stored } from '../../stored.ts'

export type Client = InstanceType<typeof Gitlab>

/** A call of the client, the user who may make it, and one who is refused. */
export interface ClientCall {
  /** Creates the objects that it needs, so that it can be repeated. */
  readonly call: (api: Client, world: ClientWorld) => Promise<unknown>
  readonly by: ClientUser
  readonly refused: ClientUser
}

/** `disposable`: alice, with a token that no other call uses. `nobody`: a client with an invalid token. */
export type ClientUser = 'root' | 'alice' | 'bob' | 'mallory' | 'disposable' | 'nobody'

/** The call of each route: `GET /projects/:id`. */
export type ClientCalls = Readonly<Record<string, ClientCall>>

/** Reasons why the client cannot call a route. */
export type UnsupportedRoutes = Readonly<Record<string, string>>

const call =
  (by: ClientUser, refused: ClientUser) =>
  (run: ClientCall['call']): ClientCall => ({ call: run, by, refused })

/** Alice owns the group of the project; mallory cannot see either. */
export const byOwner = call('alice', 'mallory')
/** Every user may call it, but not without a valid token. */
export const byUser = call('alice', 'nobody')
/** Administrators only. */
export const byAdmin = call('root', 'alice')
/** Changes or removes the token of the request. */
export const byDisposable = call('disposable', 'nobody')

/** The reason for routes without a method of the client. */
export const noCall = 'the client has no call for it'

export type Container = { readonly project: number } | { readonly group: number }

/** A forge with the private project `acme/web` and functions that create new objects. */
export class ClientWorld {
  #count = 0
  readonly #clients = new Map<ClientUser, Client>()
  readonly forge: FakeForge
  readonly project: number
  readonly group: number
  /** The latest commit of the branch `main`. */
  readonly head: string

  private constructor(forge: FakeForge, ids: { project: number; group: number; head: string }) {
    this.forge = forge
    this.project = ids.project
    this.group = ids.group
    this.head = ids.head
  }

  static async open(): Promise<ClientWorld> {
    const forge = await world({ port: 0, seed: demoWithCode })
    const { host } = forge
    const { id: project } = await host.projects.update({ project: 'acme/web', visibility: 'private' })
    const { id: group } = await host.groups.update({ group: 'acme', visibility: 'private' })
    const { commit } = await host.branches.get({ project, branch: 'main' })
    return new ClientWorld(forge, { project, group, head: commit.id })
  }

  #createClient = (token: string): Client => new Gitlab({ host: this.forge.url, token })

  async clientOf(user: ClientUser): Promise<Client> {
    if (user === 'disposable') return this.#createClient((await this.token('alice')).secret)
    const client = this.#clients.get(user) ?? this.#createClient(this.forge.tokens[user] ?? 'invalid')
    this.#clients.set(user, client)
    return client
  }

  name = (word: string): string => `${word}-${++this.#count}`

  get host() {
    return this.forge.host
  }
  get alice() {
    return this.forge.as('alice')
  }

  token = (user: string | number, impersonation = false) => this.host.tokens.create({ user, impersonation })
  user = async () => (await this.host.users.create({ username: this.name('user') })).id
  key = () => newSshKey(this.name('key'))
  subgroup = async (parent = this.group) => (await this.host.groups.create({ parent, ...this.#place('group') })).id
  newProject = async () => (await this.host.projects.create({ namespace: this.group, ...this.#place('project') })).id
  deployKey = async () => (await this.host.deployKeys.create({ project: this.project, key: this.key() })).id
  label = async (container: Container) => {
    const name = this.name('label')
    await this.host.labels.create({ ...(container as { group: number }), name, color: 'red' })
    return name
  }
  milestone = async (container: Container) =>
    (await this.host.milestones.create({ ...(container as { group: number }), title: this.name('milestone') })).id

  issue = async () => (await this.alice.issues.create({ project: this.project, title: this.name('issue') })).iid
  epic = () => this.alice.epics.create({ group: this.group, title: this.name('epic') })
  /** The link of a new issue to a new epic. */
  epicIssue = async () => {
    const { id: issue } = await this.host.issues.get({ project: this.project, issue: await this.issue() })
    return this.alice.epicIssues.assign({ group: this.group, epic: (await this.epic()).iid, issue })
  }
  /** A snippet that the client has created with a user agent. */
  snippetOfRequest = async () => {
    const client = await this.clientOf('alice')
    const files = [{ filePath: 'a.txt', content: 'x' }]
    return (await client.ProjectSnippets.create(this.project, 'Notes', { files, visibility: 'private' } as never)).id
  }
  snippet = async () => {
    const content = { title: 'Notes', fileName: 'notes.txt', content: 'x' }
    return (await this.alice.snippets.create({ project: this.project, ...content })).id
  }

  branch = async () => {
    const branch = this.name('branch')
    await this.alice.branches.create({ project: this.project, branch, ref: 'main' })
    return branch
  }
  tag = async () => {
    const tagName = this.name('tag')
    await this.alice.tags.create({ project: this.project, tagName })
    return tagName
  }
  protectedBranch = async () =>
    (await this.alice.protectedBranches.create({ project: this.project, name: this.name('release') })).name
  protectedTag = async () =>
    (await this.alice.protectedTags.create({ project: this.project, name: this.name('v') })).name
  /** A branch with a commit that adds a file. */
  commit = async () => {
    const [branch, filePath] = [this.name('branch'), this.name('file')]
    const actions = [{ action: 'create' as const, filePath, content: 'x' }]
    const place = { project: this.project, branch, startBranch: 'main' }
    const { id } = await this.alice.commits.create({ ...place, commitMessage: 'Add a file', actions })
    return { branch, filePath, sha: id }
  }
  mergeRequest = async () => {
    const { branch } = await this.commit()
    const branches = { sourceBranch: branch, targetBranch: 'main' }
    return (await this.alice.mergeRequests.create({ project: this.project, title: branch, ...branches })).iid
  }

  /** A suggestion on a line of a new merge request. */
  suggestion = async () => {
    const { branch, filePath } = await this.commit()
    const { project, alice } = this
    const { iid } = await alice.mergeRequests.create({ project, title: branch, sourceBranch: branch })
    const { diffRefs } = await alice.mergeRequests.get({ project, mergeRequest: iid })
    const position = { ...(diffRefs as NonNullable<typeof diffRefs>), newPath: filePath, newLine: 1 }
    const body = '```suggestion\ny\n```'
    const { notes } = await stored(alice.discussions.create({ project, mergeRequest: iid, body, position }))
    return notes[0]?.suggestions?.[0]?.id as number
  }

  environment = async () => {
    const name = this.name('stage')
    await this.alice.environments.create({ project: this.project, name })
    return name
  }
  deployment = async () => {
    const place = { project: this.project, environment: await this.environment() }
    return (await this.alice.deployments.create({ ...place, ref: 'main', sha: this.head, status: 'created' })).id
  }
  /** A deployment that waits for an approval. */
  blockedDeployment = async () => {
    const { host, project } = this
    const name = this.name('guarded')
    const protection = { deployAccessLevels: [{ accessLevel: 30 as const }], requiredApprovalCount: 1 }
    await host.protectedEnvironments.create({ project, name, ...protection })
    const jobs = [{ name: 'deploy', environment: name }]
    await host.pipelines.record({ project, ref: 'main', sha: this.head, user: 'bob', jobs })
    return (await host.deployments.list({ project, environment: name })).items[0]?.id as number
  }
  mirror = async () => {
    const url = `https://93.184.216.34/${this.name('mirror')}.git`
    return (await this.host.remoteMirrors.create({ project: this.project, url, enabled: true })).id
  }
  /** The secret of an uploaded file. */
  upload = async () => {
    const file = { fileName: 'notes.txt', content: new TextEncoder().encode('x') }
    return (await this.alice.uploads.create({ project: this.project, file })).secret
  }
  uploadId = async () => {
    const file = { fileName: 'notes.txt', content: new TextEncoder().encode('x') }
    return (await this.alice.uploads.create({ project: this.project, file })).id
  }
  groupUpload = () =>
    this.alice.uploads.create({
      group: this.group,
      file: { fileName: 'a.txt', content: new TextEncoder().encode('x') },
    })
  /** A file of a new package. */
  packageFile = async () => {
    const name = { packageName: this.name('package'), packageVersion: '1.0.0', fileName: 'notes.txt' }
    const content = new TextEncoder().encode('x')
    return this.alice.packages.publishGeneric({ project: this.project, ...name, content })
  }
  release = async () => {
    const tagName = this.name('release')
    await this.alice.releases.create({ project: this.project, tagName, ref: 'main' })
    return tagName
  }
  releaseLink = async () => {
    const tagName = await this.release()
    const link = { project: this.project, tagName, name: 'Site', url: 'https://example.com' }
    return { tagName, link: (await this.alice.releaseLinks.create(link)).id }
  }

  #place = (word: string) => {
    const path = this.name(word)
    return { path, name: path }
  }
}
