/** Operations without a route, by feature, each with the reason. A new operation needs a route or an entry here. */

const setUp = 'the API has no route for it; hosts, seeds and the command line call it'
const signIn = 'the sign-in of the host links identities'

const page = 'the web pages call it, which are not part of the API'

const all = <T extends string>(names: readonly T[], reason: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, reason]))

export const libraryOnly: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  applications: all(['listAuthorized', 'revoke'], page),
  identities: all(['find', 'list', 'link'], signIn),
  keys: all(['getOwner', 'recordUse'], 'the SSH server calls it'),
  namespaces: { locate: 'routes, pages and git redirect requests with it' },
  projects: { measure: 'the host stores the files and measures their size' },
  sso: { linkIdentity: signIn, resolveUser: page },
  invitations: { accept: page },
  markdown: { renderPage: page },
  events: all(['create'], 'pushes arrive over git, not over the API'),
  repository: {
    ...all(['get', 'create'], setUp),
    recordPush: 'pushes arrive over git, not over the API',
    locate: page,
    listCodeOwners: page,
    import: 'it reads the disk of the host and must not be reachable over a network',
  },
  commits: { import: 'it writes whole histories for hosts and seeds; a request creates one commit: `commits.create`' },
  oauthProvider: all(
    [
      'findApplication',
      'findUser',
      'getGroupClaims',
      'checkSecret',
      'find',
      'store',
      'consume',
      'remove',
      'removeGrant',
      'getKeys',
    ],
    'the OAuth provider stores its state with it: packages/http/src/oauth',
  ),
  registryTokens: all(['create', 'getCertificate'], 'clients of the registry request tokens at /jwt/auth'),
  passwords: all(
    [
      'set',
      'remove',
      'verify',
      'requestReset',
      'reset',
      'createAccount',
      'getPageSettings',
      'startSession',
      'checkSession',
      'endSession',
    ],
    'passwords are for the pages; the API sets them with the other fields of a user, and takes tokens only',
  ),
  terms: all(['get', 'accept'], 'the page of the terms calls it: GitLab has no route for them'),
  gitTransport: all(
    ['advertiseUploadPack', 'uploadPack', 'serveFetch', 'advertiseReceivePack', 'receivePack', 'servePush'],
    'git clients call it at the URL of the repository: packages/http/src/git and ssh',
  ),
  pipelines: all(['record', 'finish'], 'the host reports what runs outside of the platform'),
  pipelineJobs: all(['createToken'], 'the host reports what runs outside of the platform'),
  notificationSettings: {
    listRecipients: 'recipients are private; the host calls it to send mail',
    addEmail: 'the host confirms an e-mail address before adding it',
  },
  emails: { confirm: 'the page behind the link of a mail calls it' },
  notifications: {
    list: 'GitLab sends notifications by mail, its API does not list them',
    unsubscribe: 'the page behind the link of a mail calls it',
  },
  containerRepositories: {
    create: setUp,
    discover: 'the operator of the registry calls it after changes',
    recordPushes: 'the notifications of a registry arrive at an address with a secret of its own',
  },
  containerTags: { set: 'images arrive at the registry, not over the API' },
  replicaNodes: { report: 'a node reports to its host' },
  dependencies: { report: 'scanners of the host report their results' },
  featureFlags: { rotateClientToken: setUp },
  pagesSites: {
    getFile: 'browsers request it at the address of the site: packages/http/src/pages-sites',
    getDomain: 'certificates and keys of domains are for the server that uses them',
  },
  pagesDomains: { verify: 'jobs verify ownership automatically, every hour at first' },
  globalIds: all(
    ['findItem', 'findNote', 'findDiscussion', 'findMilestone'],
    'GraphQL has global ids; routes contain the project or group',
  ),
}
