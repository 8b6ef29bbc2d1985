/** Operations that no address serves, by feature, each with the reason. A new one is routed or explained here. */

const setUp = 'the API that is spoken has no address for it: hosts, seeds and the command line call it'
const signIn = 'an address that issues tokens would be a way around the sign-in of the host'
const directory = 'called by the host when its directory of people changes'

const all = <T extends string>(names: readonly T[], reason: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, reason]))

export const libraryOnly: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  users: all(['list', 'get', 'create', 'update', 'block', 'unblock'], setUp),
  tokens: all(['list', 'create', 'revoke'], signIn),
  identities: all(['find', 'list', 'link', 'unlink'], signIn),
  groups: all(['get', 'create', 'update', 'remove'], setUp),
  projects: {
    ...all(['get', 'create', 'update', 'archive', 'unarchive', 'remove', 'star', 'unstar'], setUp),
    measure: 'the host that keeps the files knows how large they are',
  },
  sso: all(
    ['get', 'enable', 'disable', 'listTokens', 'createToken', 'revokeToken', 'linkIdentity', 'unlinkIdentity'],
    'setting up single sign-on is the business of whoever runs the platform',
  ),
  members: { sync: directory, add: 'its address takes several users at once: `members.addSeveral`' },
  shares: all(['add', 'remove'], setUp),
  milestones: all(['update'], setUp),
  issues: all(['close', 'reopen', 'remove'], setUp),
  mergeRequests: {
    ...all(['close', 'reopen'], setUp),
    get: 'its address tells besides where the changes lie, which only the repository knows: `mergeRequestChanges.get`',
  },
  notes: { create: 'over the API a note is written, with its commands: `notes.write`; this keeps the text as it is' },
  events: all(['recordPush'], 'pushes arrive over git, not over the API'),
  repository: {
    ...all(['get', 'create', 'commit', 'createTag'], setUp),
    recordPush: 'pushes arrive over git, not over the API',
    import: 'it reads the disk of the host: nothing that anybody should reach over a network',
  },
  todos: {
    counts: setUp,
    mark: setUp,
    open: 'a host calls it when one of its pipelines or approvals asks for somebody',
  },
  notificationSettings: {
    recipients: 'whom a fact is told is nobody else’s business: the host that sends mail calls it',
    addEmail: 'an address counts once the host has confirmed it',
  },
  profiles: all(['get', 'update'], setUp),
  keys: all(['list', 'add', 'remove'], setUp),
  deployKeys: all(['list', 'add', 'remove'], setUp),
  containerRepositories: {
    ...all(['get', 'create'], setUp),
    discover: 'whoever runs the registry knows when there is something new in it',
  },
  containerTags: { put: 'images arrive at the registry, not over the API' },
  replicaNodes: { report: 'a node tells of itself to the host that runs it' },
  dependencies: { report: 'scanners of the host say what they found' },
  errorTracking: { configure: setUp },
  pagesDomains: { verify: 'proofs of ownership are looked for by themselves, every hour at first' },
  deployments: all(['list', 'create', 'update'], 'the host that runs the pipelines says what they deployed'),
  epics: all(['list', 'get', 'create', 'update', 'close', 'reopen'], setUp),
}
