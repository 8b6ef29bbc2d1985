import type { Seed } from './seed.ts'

/**
 * A small company to play with: an administrator, a team with every role, a stranger, a public and a private project.
 * Every token is `<username>-token`.
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
