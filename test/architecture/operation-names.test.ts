import { features, type Operation } from '@forgelet/core/operations'
import { expect, test } from 'vitest'
import descriptions from '../../packages/http/src/openapi/descriptions.json' with { type: 'json' }

/** The rules of CONTRIBUTING.md, "Names of operations". */

const names = Object.entries(features).flatMap(([family, operations]) =>
  Object.keys(operations as Readonly<Record<string, Operation>>).map((name) => ({ family, name })),
)
const full = ({ family, name }: (typeof names)[number]) => `${family}.${name}`

/** Places, owners and numbers, which belong in the input. */
const hasPlace = (name: string) =>
  /^(?:of|in|on)[A-Z]|(?:Of|On|In|By)(?:Project|Group|User|Issue|Milestone|Epic|Snippet|MergeRequest|Pipeline|Commit|Ref|Id|Iid)\b|(?:To|From|For)(?:Project|Group|User|Issue|Epic|Snippet|MergeRequest)\b|Own(?![a-z])|All$|Visible|Several|Public$/.test(
    name,
  )

/** The verbs of operations: the five of every family, and those of the field. A new one needs a reason. */
const verbs = new Set([
  // The term for the terms of service.
  'accept',
  ...['list', 'get', 'create', 'update', 'remove', 'find', 'count', 'set', 'reset', 'add'],
  ...[
    'activate',
    'advertise',
    'apply',
    'accept',
    'approve',
    'archive',
    'assign',
    'attach',
    'ban',
    'block',
    'reject',
    'cancel',
    'check',
    'cherry',
  ],
  ...['clone', 'close', 'collect', 'compare', 'consume', 'deactivate', 'disable', 'discover', 'download'],
  ...['enable', 'end', 'erase', 'finish', 'import', 'keep', 'link', 'locate', 'maintain', 'measure', 'merge', 'move'],
  ...['patch', 'play', 'promote', 'publish', 'rebase', 'receive', 'record', 'rename', 'render', 'reopen'],
  ...['reorder', 'repair', 'replace', 'reply', 'report', 'require', 'resend', 'resolve', 'retry', 'revert', 'revoke'],
  ...[
    'rotate',
    'run',
    'search',
    'serve',
    'star',
    'start',
    'stop',
    'store',
    'subscribe',
    'sync',
    'take',
    'test',
    'transfer',
  ],
  ...[
    'restore',
    'unapprove',
    'unarchive',
    'unban',
    'unblock',
    'unlink',
    'unstar',
    'unsubscribe',
    'upload',
    'verify',
    'write',
  ],
  ...['protect', 'unprotect', 'lint', 'follow', 'unfollow', 'register', 'confirm', 'request'],
])

const startsWithVerb = (name: string) => verbs.has(/^[a-z]+/.exec(name)?.[0] ?? '')

test('no name contains a place, an owner or a number, and every name starts with a verb', () => {
  expect(names.filter(({ name }) => hasPlace(name) || !startsWithVerb(name)).map(full)).toEqual([])
})

test('every description starts with a verb in the third person', () => {
  const nouns = /^(?:All|An?|The|One|Whether|[A-Z]\w+s of)\b/
  const found = Object.entries(descriptions.operations).filter(([, description]) => {
    const [word = ''] = description.split(/[ ,]/)
    return !/^[A-Z][a-z]+s$/.test(word) || nouns.test(description)
  })
  const advice = 'begin the comment beside the operation with a verb, then run pnpm docs:reference'
  expect(found.map(([name, description]) => `${name}: ${description || 'no description'}: ${advice}`)).toEqual([])
})
