/** Operations that no address serves, by feature, each with the reason. A new one is routed or explained here. */

const setUp = 'the API that is spoken has no address for it: hosts, seeds and the command line call it'
const signIn = 'an address that issues tokens would be a way around the sign-in of the host'
const directory = 'called by the host when its directory of people changes'

const all = <T extends string>(names: readonly T[], reason: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, reason]))

export const libraryOnly: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  users: all(['list', 'get', 'current', 'create', 'update', 'block', 'unblock'], setUp),
  tokens: all(['list', 'create', 'revoke'], signIn),
  groups: all(['list', 'get', 'create', 'update', 'remove'], setUp),
  projects: all(['list', 'get', 'create', 'update', 'archive', 'unarchive', 'remove'], setUp),
  members: { sync: directory },
  shares: all(['add', 'remove'], setUp),
  milestones: all(['list', 'create', 'update'], setUp),
  issues: all(['list', 'get', 'create', 'update', 'close', 'reopen', 'remove'], setUp),
  mergeRequests: all(['list', 'get', 'create', 'update', 'close', 'reopen', 'merge'], setUp),
  awardEmoji: all(['giveToIssue', 'giveToMergeRequest'], setUp),
  epics: all(['list', 'get', 'create', 'update', 'close', 'reopen'], setUp),
}
