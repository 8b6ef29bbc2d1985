import type { Seed } from './seed.ts'

/**
 * Demo data: an administrator, a team with every role, an external user, a user without memberships, and public and private
 * projects. The token of each user is `<username>-token`.
 */
export const demo: Seed = {
  users: [
    { username: 'root', name: 'Administrator', admin: true },
    { username: 'alice', name: 'Alice Liddell' },
    { username: 'bob', name: 'Bob Builder' },
    { username: 'carol', name: 'Carol Danvers' },
    { username: 'dave', name: 'Dave Bowman' },
    { username: 'erin', name: 'Erin Brockovich', external: true },
    { username: 'mallory', name: 'Mallory Malone' },
  ].map((user) => ({
    ...user,
    email: `${user.username}@example.com`,
    tokens: [{ name: 'demo', secret: `${user.username}-token`, scopes: user.admin ? ['api', 'sudo'] : ['api'] }],
  })),
  groups: [
    {
      path: 'acme',
      name: 'Acme',
      description: 'Everything Acme makes',
      visibility: 'public',
      members: [
        { user: 'alice', access: 'owner' },
        { user: 'bob', access: 'developer' },
      ],
      labels: [{ name: 'urgent', color: 'crimson', description: 'Drop everything else' }],
      milestones: [{ title: '1.0', dueDate: '2027-01-31' }],
    },
    { path: 'acme/tools', name: 'Tools', visibility: 'private' },
    { path: 'partners', name: 'Partners', visibility: 'private', members: [{ user: 'erin', access: 'developer' }] },
  ],
  projects: [
    {
      path: 'acme/web',
      name: 'Web',
      description: 'The public website',
      visibility: 'public',
      members: [
        { user: 'carol', access: 'reporter' },
        { user: 'dave', access: 'guest' },
      ],
      shares: [{ group: 'partners', access: 'reporter' }],
      labels: [
        { name: 'bug', color: '#D9534F', description: 'Something is **broken**', priority: 0 },
        { name: 'feature', color: '#5CB85C', subscribers: ['bob'] },
      ],
      issues: [
        {
          title: 'The home page is slow',
          description: 'It takes four seconds to load.',
          author: 'dave',
          assignees: ['bob'],
          labels: ['bug', 'urgent'],
          milestone: '1.0',
          emoji: [{ name: 'thumbsup', users: ['alice', 'carol'] }],
        },
        { title: 'Dark mode', author: 'carol', labels: ['feature'] },
        { title: 'The login form leaks passwords', author: 'carol', confidential: true, labels: ['bug'] },
        { title: 'Typo in the footer', author: 'dave', state: 'closed' },
      ],
      mergeRequests: [
        {
          title: 'Cache the home page',
          author: 'bob',
          sourceBranch: 'cache-home',
          assignees: ['alice'],
          labels: ['bug'],
        },
      ],
    },
    { path: 'acme/tools/deploy', name: 'Deploy', description: 'How Acme ships', visibility: 'private' },
    { path: 'bob/notes', name: 'Notes', visibility: 'private' },
  ],
}

/** Commits of three authors, a branch in review and a tag. */
const webRepository = {
  ifPossible: true,
  commits: [
    {
      author: 'alice',
      date: '2026-01-05T09:00:00+01:00',
      message: 'Begin the website',
      files: {
        'README.md': '# Web\n\nThe public website of Acme.\n',
        'index.html': '<!doctype html>\n<title>Acme</title>\n<h1>Acme</h1>\n',
      },
    },
    {
      author: 'bob',
      date: '2026-01-07T14:30:00+01:00',
      message: 'Add styles\n\nPlain CSS is enough for one page.\n',
      files: {
        'styles/site.css': 'body {\n  font-family: sans-serif;\n}\n',
        'index.html':
          '<!doctype html>\n<title>Acme</title>\n<link rel="stylesheet" href="styles/site.css">\n<h1>Acme</h1>\n',
      },
    },
    {
      author: 'carol',
      date: '2026-01-09T11:15:00+01:00',
      message: 'Say how to build',
      files: { 'docs/build.md': '# Build\n\nCopy the folder to the server.\n' },
    },
    {
      author: 'bob',
      date: '2026-01-12T16:00:00+01:00',
      message: 'Cache the home page',
      branch: 'cache-home',
      parents: [2],
      files: { 'cache.json': '{ "home": 300 }\n' },
    },
  ],
  tags: [{ name: 'v0.1.0', at: 1, message: 'The first page' }],
}

/** The demo data with a repository, for the demo server. Tests use `demo`, which takes half the time. */
export const demoWithCode: Seed = {
  ...demo,
  projects: (demo.projects ?? []).map((project) =>
    project.path === 'acme/web' ? { ...project, repository: webRepository } : project,
  ),
}
